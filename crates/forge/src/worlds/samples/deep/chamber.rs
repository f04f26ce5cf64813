//! Chambers.

use threshold_land::vector::{IVec3, Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::footprint::{Edge, Footprint};
use super::{Draft, PITCH, STOREY};
use crate::stock::material::Material;
use crate::tool::plan::RoomKey;
use crate::tool::random::Random;
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

/// Half the width of a door, in metres.
pub(super) const HALF_DOOR: f32 = 1.0;
/// The depth of a niche, in metres.
pub(super) const NICHE: f32 = 2.5;
/// Minimum cosine between a wall's normal and a passage: that of 45 degrees, less a tolerance.
const FACING: f32 = 0.7;

/// A chamber, and which of its walls have a door.
pub(super) struct Chamber {
    pub(super) spot: IVec3,
    pub(super) key: RoomKey,
    floor: Vec<Vec2>,
    pub(super) used: Vec<bool>,
}

impl Chamber {
    /// Three to eight walls at any heading, plain or with pillars and a dais.
    pub(super) fn by_chance(random: &mut Random, spot: IVec3) -> (Self, Draft) {
        let corners = 3 + random.below(6);
        // With few walls, each is nearer to the centre, so that the corners do not reach too far.
        let radius = match corners {
            3 => random.pick(&[2.4, 2.8]),
            4 => random.pick(&[3.0, 3.5, 4.0]),
            _ => random.pick(&[3.4, 4.0, 4.6]),
        };
        let height = random.pick(&[3.0, 3.4, 3.8]);
        let shape = Shape::regular(corners, radius, 0.0, height);
        let degrees = f32::from(u16::try_from(random.below(360)).unwrap_or(0));
        let frame = Frame { origin: middle(spot), rotation: Rotation::from_heading(degrees) };
        // The lower edge of every wall starts where the wall does.
        let corner = |wall: &Vec<Vec3>| frame.to_global(wall[0]).truncate();
        let floor: Vec<Vec2> = shape.faces()[..corners].iter().map(corner).collect();
        let stone = random.pick(&[Material::Rock, Material::Ashlar, Material::Brick]);
        let mut room = RoomSpec::shaped(shape.clone()).at(frame);
        room = room.materials(FaceMaterials::new(stone, Material::Cobble, Material::Rock));
        if corners > 4 && radius > 3.9 && random.below(2) == 0 {
            room = furnished(room, &shape, height);
        }
        let low = frame.origin.z;
        let space = Footprint { floor: floor.clone(), low, high: low + height };
        // The key is known once the room is in the plan.
        let used = vec![false; corners];
        (Self { spot, key: RoomKey(usize::MAX), floor, used }, Draft { room, space })
    }

    pub(super) fn middle(&self) -> Vec3 {
        middle(self.spot)
    }

    /// Returns the door in a wall that has none yet.
    pub(super) fn door(&self, wall: usize) -> Option<Edge> {
        if self.used[wall] {
            return None;
        }
        let (from, to) = (self.floor[wall], self.floor[(wall + 1) % self.floor.len()]);
        let (middle, along) = ((from + to) / 2.0, (to - from).normalize_or_zero() * HALF_DOOR);
        Some(Edge([middle - along, middle + along]))
    }

    /// Returns the door in the free wall that best faces a direction.
    pub(super) fn towards(&self, ahead: Vec2) -> Option<(usize, Edge)> {
        let doors = (0..self.floor.len()).filter_map(|wall| Some((wall, self.door(wall)?)));
        let facing = |door: &(usize, Edge)| door.1.outward().dot(ahead);
        let best = doors.max_by(|a, b| facing(a).total_cmp(&facing(b)));
        best.filter(|door| facing(door) > FACING)
    }
}

/// A pillar towards every corner, so that none is before a door, and a dais of three steps.
fn furnished(room: RoomSpec, shape: &Shape, height: f32) -> RoomSpec {
    let walls = shape.faces().len() - 2;
    let room = shape.faces()[..walls].iter().fold(room, |room, wall| {
        let at = wall[0].truncate() * 0.62;
        let half = Vec2::splat(0.25);
        let pillar = Shape::cuboid((at - half).extend(0.0), (at + half).extend(height));
        room.block_of(Material::Ashlar, pillar)
    });
    [(1.4, 0.2), (1.05, 0.4), (0.7, 0.6)].into_iter().fold(room, |room, (radius, top)| {
        room.block_of(Material::Ashlar, Shape::regular(8, radius, 0.0, top))
    })
}

/// Returns the centre of a chamber's floor.
fn middle(spot: IVec3) -> Vec3 {
    spot.as_vec3() * Vec3::new(PITCH, PITCH, STOREY)
}
