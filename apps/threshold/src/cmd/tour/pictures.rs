//! Pictures of a tour: views or maps.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::NamedPlace;
use threshold_land::Place;
use threshold_map::{MapOptions, Pieces, draw_place};
use threshold_world::World;

use super::views::Views;
use crate::drawing_file::DrawingFormat;
use crate::tour::TourFrame;

/// The renderer of the pictures: views or maps.
pub(super) enum Pictures {
    /// A map of each station; needs no graphics driver.
    Maps(Box<Maps>),
    /// The view of the camera.
    Views(Box<Views>),
}

impl Pictures {
    /// Writes a picture of a station. Returns its file.
    pub(super) fn station(
        &mut self,
        world: &World,
        frame: &TourFrame,
        place: &NamedPlace,
    ) -> anyhow::Result<PathBuf> {
        match self {
            Self::Maps(maps) => maps.station(place),
            Self::Views(views) => views.station(world, frame, place.name),
        }
    }

    /// Handles a frame of the walk, which may be part of the animation.
    pub(super) fn frame(&mut self, world: &World, frame: &TourFrame) -> anyhow::Result<()> {
        match self {
            Self::Maps(_) => Ok(()),
            Self::Views(views) => views.frame(world, frame),
        }
    }

    /// Finishes the animation, if there is one, and returns its file.
    pub(super) fn finish(&mut self) -> anyhow::Result<Option<PathBuf>> {
        match self {
            Self::Maps(_) => Ok(None),
            Self::Views(views) => views.finish(),
        }
    }
}

/// Draws maps: the floor plan around a room, or the landblock around a place outdoors.
pub(super) struct Maps {
    pieces: Pieces,
    folder: PathBuf,
    drawn: usize,
}

impl Maps {
    pub(super) fn new(source: Arc<dyn Source>, folder: &Path) -> Self {
        Self { pieces: Pieces::shared(source), folder: folder.to_owned(), drawn: 0 }
    }

    fn station(&mut self, place: &NamedPlace) -> anyhow::Result<PathBuf> {
        let at = place.position;
        let options = MapOptions {
            level: at.cell.is_indoor().then_some(at.frame.origin.z),
            title: Some(capitalized(place.name)),
            ..MapOptions::default()
        };
        let drawn = draw_place(&mut self.pieces, &Place::Loc(at), &options)?;
        self.drawn += 1;
        let file = self.folder.join(file_name(self.drawn, place.name, "svg"));
        DrawingFormat::Svg.write(&drawn.drawing, &file)?;
        Ok(file)
    }
}

/// Returns the name of a picture file. It begins with a number, so that files sort in the order of the walk.
pub(super) fn file_name(number: usize, place: &str, kind: &str) -> String {
    format!("{number:02}-{}.{kind}", place.replace(' ', "-"))
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_sort_in_the_order_of_the_walk() {
        assert_eq!(file_name(3, "inn door", "svg"), "03-inn-door.svg");
        assert_eq!(capitalized("inn door"), "Inn door");
    }
}
