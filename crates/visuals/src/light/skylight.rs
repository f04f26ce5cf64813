//! Daylight in rooms.
//!
//! A room has light of its own, plus daylight if it sees the landscape. That alone would show an edge of light at each
//! exit portal, and at each portal to a room without daylight. So the light changes over a few metres around such
//! portals: at an exit portal a room is lit like the landscape, at a portal to a dark room like that room, and
//! in between by shares ([`Skylight::share`]). Dark rooms do not change with the sky.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, block_offset_between};
use threshold_world::{Portal, Room, World};

use super::flood::{LightSource, LitPlace, Spread, rooms};

/// Distance over which the light changes around a portal, in sides of a square of the portal's area. Too large, and a
/// window lights a hall; too small, and the change shows as an edge.
const RELATIVE_REACH: f32 = 3.0;
/// Bounds of that distance, in metres.
const MIN_REACH: f32 = 1.0;
const MAX_REACH: f32 = 10.0;

/// A portal around which the light of a room changes, as the bounding rectangle of its outline in the frame of a landblock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skylight {
    /// Centre of the rectangle.
    pub middle: Vec3,
    /// Unit vectors to the right and up in the plane of the portal.
    pub axes: [Vec3; 2],
    /// Half of its width and height.
    pub half: Vec2,
    /// Distance from the portal at which the light of the room is its own again, in metres.
    pub reach: f32,
    /// Whether it leads to a room without daylight, and not outdoors.
    pub is_dark: bool,
}

/// Returns the portals that change the light of each room that sees the landscape, sorted by the ids of the portals'
/// rooms.
pub(super) fn skylights(world: &World, spread: &Spread<'_>) -> Vec<(CellId, Skylight)> {
    let mut found = Vec::new();
    let mut own: Vec<(CellId, Skylight)> = Vec::new();
    let mut block = None;
    for room in rooms(world).filter(|room| room.seen_outside()) {
        if block != Some(room.id().block()) {
            block = Some(room.id().block());
            spread_all(spread, &mut own, &mut found);
        }
        let openings = room.portals().iter();
        own.extend(openings.filter_map(|it| Some((room.id(), Skylight::of(world, room, it)?))));
    }
    spread_all(spread, &mut own, &mut found);
    found
}

/// Spreads the portals of a landblock to all rooms that they reach.
fn spread_all(
    spread: &Spread<'_>,
    own: &mut Vec<(CellId, Skylight)>,
    found: &mut Vec<(CellId, Skylight)>,
) {
    // At a portal no portal of the other kind may change the light, so reaches end there.
    let reaches: Vec<f32> = own
        .iter()
        .map(|(_, light)| {
            let is_near = |other: &Skylight| {
                let sizes = light.half.length() + other.half.length();
                light.middle.distance(other.middle) - sizes < light.reach
            };
            let others = own.iter();
            let others =
                others.filter(|(_, other)| other.is_dark != light.is_dark && is_near(other));
            let gaps = others.map(|(_, other)| light.gap(other));
            gaps.fold(light.reach, f32::min).max(MIN_REACH.min(light.reach))
        })
        .collect();
    for ((room, light), reach) in own.drain(..).zip(reaches) {
        let light = Skylight { reach, ..light };
        let source = LightSource {
            block: room.block(),
            at: light.middle,
            reach: reach + light.half.length(),
        };
        for place in spread.places(source, LitPlace::Room(room), Room::seen_outside) {
            let LitPlace::Room(cell) = place else { continue };
            let offset = block_offset_between(cell, room);
            found.push((cell, Skylight { middle: light.middle + offset, ..light }));
        }
    }
}

impl Skylight {
    /// Returns `None` for a portal between two rooms that see the landscape, or to a room that is not resident.
    fn of(world: &World, room: &Room, portal: &Portal) -> Option<Self> {
        let is_dark = match portal.other {
            Some(other) if world.room(other)?.seen_outside() => return None,
            Some(_) => true,
            None => false,
        };
        let corners = room.portal_polygon(portal).vertices.iter();
        let corners: Vec<Vec3> = corners.map(|at| room.to_block(*at)).collect();
        let normal = room.space().rows.to_global(portal.plane.normal);
        Some(Self::around(&corners, normal, is_dark))
    }

    /// Creates the bounding rectangle of an outline.
    fn around(corners: &[Vec3], normal: Vec3, is_dark: bool) -> Self {
        // A hatch is level.
        let right = Vec3::Z.cross(normal).normalize_or(normal.any_orthonormal_vector());
        let up = normal.cross(right);
        let flat = |at: &Vec3| Vec2::new(at.dot(right), at.dot(up));
        let low = corners.iter().map(flat).fold(Vec2::INFINITY, Vec2::min);
        let high = corners.iter().map(flat).fold(Vec2::NEG_INFINITY, Vec2::max);
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let depth = corners.first().map_or(0.0, |at| at.dot(normal));
        let side = (4.0 * half.x * half.y).sqrt();
        Self {
            middle: right * middle.x + up * middle.y + normal * depth,
            axes: [right, up],
            half,
            reach: (RELATIVE_REACH * side).clamp(MIN_REACH, MAX_REACH),
            is_dark,
        }
    }

    /// Returns the distance between two portals, in metres.
    fn gap(&self, other: &Self) -> f32 {
        // Alternating projections between two convex shapes converge to their gap.
        let (mut here, mut there) = (self.middle, other.middle);
        for _ in 0..8 {
            here = self.nearest(there);
            there = other.nearest(here);
        }
        here.distance(there)
    }

    /// Returns its point nearest to `at`.
    fn nearest(&self, at: Vec3) -> Vec3 {
        let [right, up] = self.axes;
        let flat = Vec2::new((at - self.middle).dot(right), (at - self.middle).dot(up));
        let flat = flat.clamp(-self.half, self.half);
        self.middle + right * flat.x + up * flat.y
    }

    /// Returns its share of the light at a point of the landblock, 0 to 1: that of the landscape, or that of a dark room.
    /// Of several skylights of one kind the greatest share counts.
    pub fn share(&self, at: impl Into<Vec3>) -> f32 {
        let (offset, [right, up]) = (at.into() - self.middle, self.axes);
        let flat = Vec2::new(offset.dot(right), offset.dot(up));
        let aside = (flat.abs() - self.half).max(Vec2::ZERO).length();
        let before = offset.dot(right.cross(up)).abs();
        let far = (before * before + aside * aside).sqrt();
        let near = (1.0 - far / self.reach).clamp(0.0, 1.0);
        let edge = (aside / (0.03 + before)).clamp(0.0, 1.0);
        near * near * (1.0 - edge * edge * (3.0 - 2.0 * edge))
    }

    /// Returns its distance from a box, divided by its reach.
    pub(super) fn relative_distance(&self, [low, high]: [Vec3; 2]) -> f32 {
        let distance = self.middle.distance(self.middle.clamp(low, high)) - self.half.length();
        distance.max(0.0) / self.reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of the landscape's light at a point, and that of a dark room's.
    fn shares(lights: &[Skylight], at: Vec3) -> [f32; 2] {
        let mut shares = [0.0_f32; 2];
        for light in lights {
            let own = &mut shares[usize::from(light.is_dark)];
            *own = own.max(light.share(at));
        }
        shares
    }

    fn builtin() -> World {
        let source = threshold_forge::builtin(threshold_forge::SEED).unwrap();
        let builder = threshold_world::Builder::new(source);
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        world
    }

    /// Returns points of a portal, in the frame of its landblock.
    fn points(room: &Room, portal: &Portal) -> Vec<Vec3> {
        let corners = room.portal_polygon(portal).vertices;
        #[allow(clippy::cast_precision_loss, reason = "a handful of corners")]
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
        let all = corners.iter().map(|corner| corner.lerp(middle, 0.05)).chain([middle]);
        all.map(|at| room.to_block(at)).collect()
    }

    #[test]
    fn daylight_in_rooms_ended_at_portals() {
        let world = builtin();
        let found = skylights(&world, &Spread::new(&world));
        let of = |cell: CellId| -> Vec<Skylight> {
            found.iter().filter(|(own, _)| *own == cell).map(|(_, light)| *light).collect()
        };
        let (mut out, mut dark, mut between) = (0, 0, 0);
        for room in rooms(&world) {
            let lights = of(room.id());
            if !room.seen_outside() {
                assert!(lights.is_empty(), "{} is lit by the day", room.id());
                continue;
            }
            assert!(lights.len() <= super::super::MAX_SKYLIGHTS, "{}", room.id());
            for portal in room.portals() {
                let other = portal.other.and_then(|cell| world.room(cell));
                for at in points(room, portal) {
                    let own = shares(&lights, at);
                    let name = format!("{} at {at}: {own:?}", room.id());
                    match other {
                        None => {
                            assert!(own[0] > 0.98, "the sky: {name}");
                            // Portals of both kinds that share an edge meet there.
                            out += usize::from(own[1] < 0.02);
                        }
                        Some(other) if !other.seen_outside() => {
                            assert!(own[1] > 0.98, "the dark: {name}");
                            dark += usize::from(own[0] < 0.02);
                        }
                        Some(other) => {
                            let others = shares(&of(other.id()), at);
                            for (own, other) in own.into_iter().zip(others) {
                                assert!((own - other).abs() < 0.02, "{name}, {other}");
                            }
                            between += 1;
                        }
                    }
                }
            }
        }
        println!(
            "{out} points of exit portals, {dark} of portals to dark rooms, {between} of others"
        );
        assert!(out > 200 && dark > 20 && between > 100, "{out} {dark} {between}");
    }
}
