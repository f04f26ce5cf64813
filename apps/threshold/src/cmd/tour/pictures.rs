//! What is drawn of a tour.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::NamedPlace;
use threshold_land::Place;
use threshold_world::World;

use super::views::Views;
use crate::cmd::map::Choice;
use crate::drawing::file::Format;
use crate::pieces::Pieces;
use crate::tour::Frame;

/// Who draws. Whatever can draw what the camera sees has its place here, beside the maps, which need no graphics driver.
pub(super) enum Pictures {
    /// A map for each station.
    Maps(Box<Maps>),
    /// What the camera sees.
    Views(Box<Views>),
}

impl Pictures {
    /// A picture of a station, where the walker stands and looks. Returns its file.
    pub(super) fn station(
        &mut self,
        world: &World,
        frame: &Frame,
        place: &NamedPlace,
    ) -> anyhow::Result<PathBuf> {
        match self {
            Self::Maps(maps) => maps.station(place),
            Self::Views(views) => views.station(world, frame, place.name),
        }
    }

    /// Every moment of the walk, for who makes an animation of it.
    pub(super) fn frame(&mut self, world: &World, frame: &Frame) -> anyhow::Result<()> {
        match self {
            Self::Maps(_) => Ok(()),
            Self::Views(views) => views.frame(world, frame),
        }
    }

    /// There is no more to come; returns the file of the animation, if one was made.
    pub(super) fn finish(&mut self) -> anyhow::Result<Option<PathBuf>> {
        match self {
            Self::Maps(_) => Ok(None),
            Self::Views(views) => views.finish(),
        }
    }
}

/// Draws maps: the floor of a building round a room, or the landblock round a place outdoors.
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
        let choice = Choice {
            level: at.cell.is_indoor().then_some(at.frame.origin.z),
            title: Some(titled(place.name)),
            ..Choice::default()
        };
        let drawn = choice.draw(&mut self.pieces, &Place::Loc(at))?;
        self.drawn += 1;
        let file = self.folder.join(file_name(self.drawn, place.name, "svg"));
        Format::Svg.write(&drawn.scene, &file)?;
        Ok(file)
    }
}

/// Numbered, so that the files sort as the walk goes.
pub(super) fn file_name(number: usize, place: &str, kind: &str) -> String {
    format!("{number:02}-{}.{kind}", place.replace(' ', "-"))
}

fn titled(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_sort_as_the_walk_goes() {
        assert_eq!(file_name(3, "inn door", "svg"), "03-inn-door.svg");
        assert_eq!(titled("inn door"), "Inn door");
    }
}
