//! Where somebody stands who takes a picture.

use anyhow::{Context, bail};
use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{CellId, CellKind, Place, Position};
use threshold_motion::why::words;

use crate::standing;
use crate::surroundings::Surroundings;

/// How high eyes are over the ground, in metres.
const EYES: f32 = 1.7;

/// An eye, its cell, and a point ahead of it.
pub(super) struct Stand {
    pub(super) cell: CellId,
    pub(super) eye: DVec3,
    pub(super) ahead: DVec3,
}

impl Stand {
    pub(super) fn at(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        match *place {
            Place::Point(cell, at) => Self::looking(cell, at, Vec3::Y),
            Place::Loc(position) => {
                let ahead = position.frame.rotation.rows().to_global(Vec3::Y);
                Self::looking(position.cell, position.frame.origin + Vec3::Z * EYES, ahead)
            }
            Place::Compass(_) | Place::Block(_) => Self::on_ground(place, around),
            Place::Cell(cell) => match cell.kind() {
                Some(CellKind::Land) => Self::on_ground(place, around),
                Some(CellKind::Env) => Self::in_room(cell, around),
                _ => bail!("{cell} is neither a room nor a land cell"),
            },
        }
    }

    /// What is outdoors is in the land cell below it.
    fn looking(cell: CellId, eye: Vec3, ahead: Vec3) -> anyhow::Result<Self> {
        let mut position = Position::new(cell, eye);
        if cell.is_outdoor() {
            position = position.normalised().with_context(|| format!("{cell}: not on the map"))?;
        }
        let eye = position.frame.origin.as_dvec3();
        Ok(Self { cell: position.cell, eye, ahead: eye + ahead.as_dvec3() })
    }

    fn on_ground(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        let block = place.block();
        around.load_ground(block)?;
        let feet = standing::feet(around.world(), place);
        let feet = feet.with_context(|| format!("landblock {block} has no ground there"))?;
        Self::looking(feet.cell, feet.frame.origin + Vec3::Z * EYES, Vec3::Y)
    }

    /// In the middle of a room, with the eyes over its floor.
    fn in_room(cell: CellId, around: &mut Surroundings) -> anyhow::Result<Self> {
        around.load_rooms(cell)?;
        let room = around.world().room(cell).context("the room cannot be used")?;
        let [low, high] = standing::extent(room).context("the room has no walls")?;
        let eye = ((low + high) / 2.0).with_z((low.z + EYES).min((low.z + high.z) / 2.0));
        Self::looking(cell, eye, Vec3::Y)
    }

    pub(super) fn words(&self) -> String {
        words::place(&Position::new(self.cell, self.eye.as_vec3()))
    }
}
