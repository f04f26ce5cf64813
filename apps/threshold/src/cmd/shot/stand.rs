//! Where somebody stands who takes a picture.

use anyhow::{Context, bail};
use threshold_land::glam::{DVec3, Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, BlockId, CELL_LENGTH, CellId, CellKind, Place, Position};
use threshold_motion::why::words;

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
            Place::Compass(compass) => {
                let (cell, at) = compass.place();
                Self::on_ground(cell.block(), at.truncate(), around)
            }
            Place::Block(block) => Self::on_ground(block, Vec2::splat(BLOCK_LENGTH / 2.0), around),
            Place::Cell(cell) => match cell.kind() {
                Some(CellKind::Land) => Self::on_ground(cell.block(), middle(cell), around),
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

    fn on_ground(block: BlockId, at: Vec2, around: &mut Surroundings) -> anyhow::Result<Self> {
        around.load_ground(block)?;
        let height = around.world().land(block).and_then(|land| land.terrain().height(at));
        let height = height.with_context(|| format!("landblock {block} has no ground there"))?;
        Self::looking(block.cell(1), at.extend(height + EYES), Vec3::Y)
    }

    /// In the middle of a room, with the eyes over its floor.
    fn in_room(cell: CellId, around: &mut Surroundings) -> anyhow::Result<Self> {
        around.load_rooms(cell)?;
        let room = around.world().room(cell).context("the room cannot be used")?;
        let corners = room.structure().drawing.iter().flat_map(|polygon| polygon.vertices.to_vec());
        let corners: Vec<Vec3> = corners.map(|corner| room.to_block(corner)).collect();
        let low = corners.iter().copied().reduce(Vec3::min).context("the room has no walls")?;
        let high = corners.iter().copied().reduce(Vec3::max).context("the room has no walls")?;
        let eye = ((low + high) / 2.0).with_z((low.z + EYES).min((low.z + high.z) / 2.0));
        Self::looking(cell, eye, Vec3::Y)
    }

    pub(super) fn words(&self) -> String {
        words::place(&Position::new(self.cell, self.eye.as_vec3()))
    }
}

/// The middle of a land cell.
fn middle(cell: CellId) -> Vec2 {
    let index = (cell.0 & 0xFFFF) - 1;
    let [x, y] = [index >> 3, index & 7].map(|v| f32::from(u8::try_from(v).unwrap_or(0)));
    (Vec2::new(x, y) + 0.5) * CELL_LENGTH
}
