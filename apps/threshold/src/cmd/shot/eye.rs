//! The eye of a person at a place.

use anyhow::{Context, bail, ensure};
use threshold_geom::Containment;
use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{CellId, CellKind, Place, Position, Sphere};
use threshold_motion::{Rules, Search, SweepScratch, Sweeper};
use threshold_play::standing;
use threshold_why::words;
use threshold_world::Room;

use super::layers::human;
use crate::surroundings::Surroundings;

/// Height of the eyes over the feet, in metres.
pub(super) const EYE_HEIGHT: f32 = 1.7;
/// How far an eye may be outside its room, in metres, in addition to the centimetre that rooms allow: points are written with two or
/// three digits.
const MAX_OUTSIDE: f32 = 0.04;
/// Step between the heights at which room for a person is tried, in metres: about two steps of a stair.
const HEIGHT_STEP: f32 = 0.4;

/// An eye with its cell, and a point ahead of it.
pub(in crate::cmd) struct EyePlacement {
    pub(in crate::cmd) cell: CellId,
    pub(in crate::cmd) at: DVec3,
    pub(in crate::cmd) ahead: DVec3,
}

impl EyePlacement {
    /// Returns the eye at a place: at a point the point itself, elsewhere that of a standing person.
    pub(in crate::cmd) fn at(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        match *place {
            Place::Point(cell, at) => {
                check_within(cell, at, around)?;
                Self::looking(cell, at, Vec3::Y)
            }
            Place::Loc(position) => {
                let ahead = position.frame.rotation.rotate(Vec3::Y);
                let eye = position.frame.origin + Vec3::Z * EYE_HEIGHT;
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

    /// Returns an eye that looks in a direction. Outdoors its cell is the land cell below it.
    fn looking(cell: CellId, eye: Vec3, ahead: Vec3) -> anyhow::Result<Self> {
        let mut position = Position::new(cell, eye);
        if cell.is_outdoor() {
            position = position.normalised().with_context(|| format!("{cell}: not on the map"))?;
        }
        let eye = position.frame.origin.as_dvec3();
        Ok(Self { cell: position.cell, at: eye, ahead: eye + ahead.as_dvec3() })
    }

    fn on_ground(place: &Place, around: &mut Surroundings) -> anyhow::Result<Self> {
        let block = place.block();
        around.load_ground(block)?;
        let feet = standing::standing_position(around.world(), place);
        let feet = feet.with_context(|| format!("landblock {block} has no ground there"))?;
        Self::looking(feet.cell, feet.frame.origin + Vec3::Z * EYE_HEIGHT, Vec3::Y)
    }

    /// Returns the eye of a person near the middle of a room; if there is no room for one, an eye in the middle.
    fn in_room(cell: CellId, around: &mut Surroundings) -> anyhow::Result<Self> {
        around.load_rooms(cell)?;
        let room = around.world().room(cell).context("the room cannot be used")?;
        let [low, high] = standing::room_extent(room).context("the room has no walls")?;
        let middle = ((low + high) / 2.0).with_z((low.z + EYE_HEIGHT).min((low.z + high.z) / 2.0));
        let eye = standing_eye(room, [low, high], around).unwrap_or_else(|error| {
            around.note_fault(error);
            None
        });
        Self::looking(cell, eye.unwrap_or(middle), Vec3::Y)
    }

    /// Describes the point and the cell.
    pub(super) fn describe(&self) -> String {
        words::place(&Position::new(self.cell, self.at.as_vec3()))
    }
}

/// Fails if an indoor point is outside its room. From there nothing is visible, as all walls face away.
fn check_within(cell: CellId, at: Vec3, around: &mut Surroundings) -> anyhow::Result<()> {
    if !cell.is_indoor() {
        return Ok(());
    }
    around.load_rooms(cell)?;
    let room = around.world().room(cell).context("the room cannot be used")?;
    let Vec3 { x, y, z } = at;
    let is_in = room.sphere_inside(&Sphere::new(at, MAX_OUTSIDE)) != Containment::Outside;
    ensure!(
        is_in,
        "{cell}: the point {x},{y},{z} is not in that room; nothing is visible from there"
    );
    Ok(())
}

/// Returns the eye of a person standing as near to the middle of a room as possible, the lowest place first. In the middle itself there
/// may be stairs or a table.
fn standing_eye(
    room: &Room,
    [low, high]: [Vec3; 2],
    around: &Surroundings,
) -> threshold_dat::Result<Option<Vec3>> {
    let Some(mover) = human(&*around.source())? else { return Ok(None) };
    let sweeper = Sweeper { world: around.world(), rules: Rules::default() };
    let mut scratch = SweepScratch::new();
    let heights = (0_u8..).map(|step| low.z + HEIGHT_STEP * f32::from(step));
    let mut feet = heights
        .take_while(|height| height + EYE_HEIGHT < high.z)
        .map(|height| Position::new(room.id(), ((low + high) / 2.0).with_z(height)));
    Ok(feet.find_map(|feet| {
        let placed = sweeper.place(&mut scratch, &mut (), &mover, &feet, Search::Around);
        let feet = placed.position.frame.origin;
        let eye = feet + Vec3::Z * EYE_HEIGHT;
        let stands = placed.is_ok() && placed.stance.on_walkable && !is_walled_in(room, feet);
        (stands && placed.cell == Some(room.id()) && room.contains(eye)).then_some(eye)
    }))
}

/// Returns whether feet are inside something solid, such as a block of stairs, which is hollow and may have room for a person: the first
/// polygon above them then faces up.
fn is_walled_in(room: &Room, feet: Vec3) -> bool {
    // Higher than any room.
    let high = Vec3::Z * 200.0;
    let [low, top] = [feet + Vec3::Z * 0.1, feet + high].map(|at| room.to_local(at));
    let first = |heights: &mut dyn Iterator<Item = f32>| heights.fold(1.0, f32::min);
    let drawn = || room.structure().drawing.iter();
    let facing_down = first(&mut drawn().filter_map(|side| side.ray_time(low, top - low)));
    // A ray passes through polygons from behind, so those that face up are found from above.
    let facing_up = drawn().filter_map(|side| side.ray_time(top, low - top));
    first(&mut facing_up.map(|part| 1.0 - part).filter(|part| *part > 0.0)) < facing_down - 1e-5
}
