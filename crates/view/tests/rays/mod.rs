//! The slow and obvious way: a ray that walks from cell to cell through portal polygons. It shares nothing with the portal
//! walk but the cells it reads.

#![allow(dead_code, reason = "every test file uses some of it")]

use threshold_land::glam::{DVec2, DVec3};
use threshold_land::{CellId, CellKind, block_offset};
use threshold_view::Viewer;
use threshold_world::{Portal, PortalSide, Room, World};

/// Rays closer to the edge of a portal than this, in metres, are not followed through it: rounding decides there.
const EDGE: f64 = 2e-4;
/// A ray meets what lies in the plane it has just gone through: openings that touch or coincide.
const TOUCH: f64 = 1e-3;
/// Buildings that a ray enters one after the other.
const MOST_BUILDINGS: usize = 3;
/// Cells that a ray goes through.
const FARTHEST: usize = 200;

/// Something that a ray comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reached {
    /// A room; `None` is the landscape.
    pub(crate) cell: Option<CellId>,
    /// The room and the number of the opening it came through; `None` where it began.
    pub(crate) via: Option<(CellId, usize)>,
    /// Whether it came in from outdoors.
    pub(crate) outdoors: bool,
}

/// A ray on its way.
#[derive(Clone, Copy)]
struct Ray {
    time: f64,
    buildings: usize,
    /// The opening one has come in by.
    back: Option<usize>,
}

/// Follows rays from one eye.
pub(crate) struct Rays<'w> {
    pub(crate) world: &'w World,
    pub(crate) viewer: Viewer,
}

impl Rays<'_> {
    /// Everything that the ray through a point of the screen comes to.
    pub(crate) fn cast(&self, screen: DVec2) -> Vec<Reached> {
        let direction = self.viewer.direction(screen).normalize();
        let mut reached = Vec::new();
        let start = Ray { time: 0.0, buildings: 0, back: None };
        let root = self.viewer.cell();
        let outdoors = root.kind() == Some(CellKind::Land);
        let cell = (!outdoors).then_some(root);
        reached.push(Reached { cell, via: None, outdoors: false });
        match cell {
            Some(cell) => self.inside(cell, direction, start, &mut reached),
            None => self.outside(direction, start, &mut reached),
        }
        reached
    }

    fn inside(&self, cell: CellId, direction: DVec3, ray: Ray, reached: &mut Vec<Reached>) {
        if reached.len() > FARTHEST {
            return;
        }
        let room = self.world.room(cell).expect("rooms are resident here");
        for (number, portal) in room.portals().iter().enumerate() {
            if ray.back == Some(number) {
                continue;
            }
            let Some(time) = self.crosses(room, portal, direction, 1.0) else { continue };
            if time < ray.time - TOUCH {
                continue;
            }
            let on = Ray { time, ..ray };
            reached.push(Reached {
                cell: portal.other,
                via: Some((cell, number)),
                outdoors: false,
            });
            match portal.other {
                Some(other) if self.world.room(other).is_some() => {
                    let back = portal.other_portal.map(usize::from);
                    self.inside(other, direction, Ray { back, ..on }, reached);
                }
                Some(_) => {}
                None => self.outside(direction, on, reached),
            }
        }
    }

    fn outside(&self, direction: DVec3, ray: Ray, reached: &mut Vec<Reached>) {
        if ray.buildings == MOST_BUILDINGS || reached.len() > FARTHEST {
            return;
        }
        let buildings = self.world.lands().flat_map(|land| land.buildings());
        for door in buildings.flat_map(|building| &building.portals) {
            let (Some(room), Some(number)) = (self.world.room(door.other), door.other_portal)
            else {
                continue;
            };
            let number = usize::from(number);
            let portal = &room.portals()[number];
            let Some(time) = self.crosses(room, portal, direction, -1.0) else { continue };
            if time <= ray.time {
                continue;
            }
            let via = Some((door.other, number));
            reached.push(Reached { cell: Some(door.other), via, outdoors: true });
            let on = Ray { time, buildings: ray.buildings + 1, back: Some(number) };
            self.inside(door.other, direction, on, reached);
        }
    }

    /// When the ray goes through an opening, out of its room or (`out` = -1) into it.
    fn crosses(&self, room: &Room, portal: &Portal, direction: DVec3, out: f64) -> Option<f64> {
        let space = room.space();
        let rows = space.rows.0.map(|row| row.as_dvec3());
        let place = |local: DVec3| {
            let turned = rows[0] * local.x + rows[1] * local.y + rows[2] * local.z;
            let shift = block_offset(self.viewer.cell(), space.cell).as_dvec3();
            turned + space.origin.as_dvec3() + shift - self.viewer.eye()
        };
        let corners: Vec<DVec3> =
            room.portal_polygon(portal).vertices.iter().map(|at| place(at.as_dvec3())).collect();
        let normal = place(portal.plane.normal.as_dvec3()) - place(DVec3::ZERO);
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let onward = out * if portal.side == PortalSide::Front { 1.0 } else { -1.0 };
        let approach = normal.dot(direction);
        if approach * onward <= 1e-9 {
            return None;
        }
        let time = normal.dot(middle) / approach;
        let at = direction * time;
        let inside = corners.iter().enumerate().all(|(index, from)| {
            let along = corners[(index + 1) % corners.len()] - *from;
            let inward = normal.cross(along).normalize_or_zero();
            inward.dot(at - *from) > EDGE
        });
        (inside && time >= 0.0).then_some(time)
    }
}

/// Chance, the same every time.
#[derive(Clone, Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as f64) / f64::from(1_u32 << 31)
    }

    /// Between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}
