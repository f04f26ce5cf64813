//! Where somebody stands who takes a picture.

use anyhow::{Context, bail, ensure};
use threshold_geom::Containment;
use threshold_land::glam::{DVec3, Vec3};
use threshold_land::{CellId, CellKind, Place, Position, Sphere};
use threshold_motion::{Search, SweepScratch};
use threshold_play::standing;
use threshold_why::words;
use threshold_world::Room;

use super::layers::human;
use crate::surroundings::Surroundings;

/// How high eyes are over the ground, in metres.
pub(super) const EYES: f32 = 1.7;
/// How far out of its room an eye may be, in metres, less the centimetre that rooms allow by themselves: points are written with two
/// digits or three.
const OUT: f32 = 0.04;
/// How much higher room is looked for each time there is none, in metres: about two steps of a stair.
const HIGHER: f32 = 0.4;

/// An eye, its cell, and a point ahead of it.
pub(in crate::cmd) struct Stand {
    pub(in crate::cmd) cell: CellId,
    pub(in crate::cmd) eye: DVec3,
    pub(in crate::cmd) ahead: DVec3,
}

impl Stand {
    pub(in crate::cmd) fn at(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        match *place {
            Place::Point(cell, at) => {
                check_within(cell, at, around)?;
                Self::looking(cell, at, Vec3::Y)
            }
            Place::Loc(position) => {
                let ahead = position.frame.rotation.rotate(Vec3::Y);
                let eye = position.frame.origin + Vec3::Z * EYES;
                check_within(position.cell, eye, around)?;
                Self::looking(position.cell, eye, ahead)
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

    /// Where there is room for somebody near the middle of a room; in its very middle where there is none at all.
    fn in_room(cell: CellId, around: &mut Surroundings) -> anyhow::Result<Self> {
        around.load_rooms(cell)?;
        let room = around.world().room(cell).context("the room cannot be used")?;
        let [low, high] = standing::room_extent(room).context("the room has no walls")?;
        let middle = ((low + high) / 2.0).with_z((low.z + EYES).min((low.z + high.z) / 2.0));
        let eye = standing_eye(room, [low, high], around).unwrap_or(middle);
        Self::looking(cell, eye, Vec3::Y)
    }

    pub(super) fn words(&self) -> String {
        words::place(&Position::new(self.cell, self.eye.as_vec3()))
    }
}

/// Nothing can be seen from outside a room: its walls face the other way.
fn check_within(cell: CellId, at: Vec3, around: &mut Surroundings) -> anyhow::Result<()> {
    if !cell.is_indoor() {
        return Ok(());
    }
    around.load_rooms(cell)?;
    let room = around.world().room(cell).context("the room cannot be used")?;
    let Vec3 { x, y, z } = at;
    let is_in = room.sphere_inside(&Sphere::new(at, OUT)) != Containment::Outside;
    ensure!(is_in, "{cell}: the point {x},{y},{z} is not in that room, so nothing can be seen");
    Ok(())
}

/// The eyes of somebody whose feet are as near to the middle of a room as there is room, the lowest first: in the middle there may be a
/// flight of stairs, or a table.
fn standing_eye(room: &Room, [low, high]: [Vec3; 2], around: &Surroundings) -> Option<Vec3> {
    let (world, source) = (around.world(), around.source());
    let (mover, sweeper) = human(world, &*source)?;
    let mut scratch = SweepScratch::new();
    let heights = (0_u8..).map(|step| low.z + HIGHER * f32::from(step));
    let mut feet = heights
        .take_while(|height| height + EYES < high.z)
        .map(|height| Position::new(room.id(), ((low + high) / 2.0).with_z(height)));
    feet.find_map(|feet| {
        let placed = sweeper.place(&mut scratch, &mut (), &mover, &feet, Search::Around);
        let feet = placed.position.frame.origin;
        let eye = feet + Vec3::Z * EYES;
        let stands = placed.is_ok() && placed.stance.on_walkable && !is_walled_in(room, feet);
        (stands && placed.cell == Some(room.id()) && room.contains(eye)).then_some(eye)
    })
}

/// Whether the first thing above somebody's feet is the upper side of something: a block of stairs is hollow, and somebody fits in.
fn is_walled_in(room: &Room, feet: Vec3) -> bool {
    // As high as any room.
    let high = Vec3::Z * 200.0;
    let [low, top] = [feet + Vec3::Z * 0.1, feet + high].map(|at| room.to_local(at));
    let first = |heights: &mut dyn Iterator<Item = f32>| heights.fold(1.0, f32::min);
    let drawn = || room.structure().drawing.iter();
    let lower = first(&mut drawn().filter_map(|side| side.ray_time(low, top - low)));
    // A ray goes through what it meets from behind, so upper sides are looked for from above.
    let upper = drawn().filter_map(|side| side.ray_time(top, low - top)).map(|part| 1.0 - part);
    first(&mut upper.filter(|part| *part > 0.0)) < lower - 1e-5
}
