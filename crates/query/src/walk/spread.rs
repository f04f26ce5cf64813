//! Reaches into cells behind portals that a sphere or a volume at rest touches.

use threshold_land::vector::DVec2;
use threshold_land::{CELL_LENGTH, Lcoord};
use threshold_world::{Building, Cell, LandCell, Room};

use super::carry::entrance;
use super::{PortalName, Visit, Walk};
use crate::place::Place;
use crate::volume::{Stretch, Volume};

/// Side of a land cell.
const SIDE: f64 = CELL_LENGTH as f64;

impl<V: Volume> Walk<'_, V> {
    /// Adds the cells behind the portals that the volume touches while the visited cell counts.
    pub(super) fn spread(&mut self, visit: &Visit, cell: Cell<'_>, volume: V) {
        match cell {
            Cell::Room(room) => self.spread_from_room(room, visit.stretch, volume),
            Cell::Land(land) => {
                if visit.carries {
                    self.reach_outdoors(visit.stretch, visit.back);
                }
                self.spread_into_building(land, visit.stretch, volume);
            }
        }
    }

    fn spread_from_room(&mut self, room: &Room, stretch: Stretch, volume: V) {
        let local = volume.localised(&Place::new(room.space(), 1.0)).clipped(stretch);
        for (number, portal) in room.portals().iter().enumerate() {
            let touched = local.touch(&room.portal_polygon(portal));
            let Some(stretch) = touched.and_then(|touched| touched.common(stretch)) else {
                continue;
            };
            match portal.other {
                Some(cell) => self.push(Visit::of_part(cell, stretch, None)),
                None => self.reach_outdoors(stretch, Some((room.id(), number))),
            }
        }
    }

    fn spread_into_building(&mut self, land: LandCell<'_>, stretch: Stretch, volume: V) {
        let world = self.world;
        let portals = land.building().map_or(&[][..], |building| &building.portals);
        for portal in portals {
            let Some((room, _, own)) = entrance(world, portal) else { continue };
            let local = volume.localised(&Place::new(room.space(), 1.0)).clipped(stretch);
            let touched = local.touch(&room.portal_polygon(own));
            if let Some(stretch) = touched.and_then(|touched| touched.common(stretch)) {
                self.push(Visit::of_part(room.id(), stretch, None));
            }
        }
    }

    /// Adds the land cells that the volume is over on a stretch of its path.
    pub(super) fn reach_outdoors(&mut self, stretch: Stretch, back: Option<PortalName>) {
        let volume = self.volume.clipped(stretch);
        let [low, high] = volume.footprint();
        let Some(first) = self.start.block().cell(1).lcoord() else { return };
        let lines = |own: i32, low: f64, high: f64| {
            let line = |v: f64| {
                // Beyond the map there is nothing.
                let step = (v / SIDE).floor().clamp(-3000.0, 3000.0);
                #[allow(clippy::cast_possible_truncation, reason = "whole and below 3,000")]
                let step = step as i32;
                (own + step).clamp(0, threshold_land::MAP_CELLS - 1) - own
            };
            line(low)..=line(high)
        };
        for x in lines(first.x(), low.x, high.x) {
            for y in lines(first.y(), low.y, high.y) {
                let corner = DVec2::new(f64::from(x), f64::from(y)) * SIDE;
                let over = volume.stretch_over(corner, corner + DVec2::splat(SIDE));
                let place = Lcoord::new(first.x() + x, first.y() + y);
                if let (Some(stretch), Some(place)) = (over, place) {
                    self.push(Visit::of_part(place.cell(), stretch, back));
                }
            }
        }
    }

    /// Notes rooms of a building that are not resident: where their portals are is unknown, so they
    /// count as reached if the volume comes near the building.
    pub(crate) fn note_unknown_rooms(&mut self, building: &Building, stretch: Stretch, volume: V) {
        let world = self.world;
        let missing = building
            .portals
            .iter()
            .find(|portal| portal.other_portal.is_some() && world.room(portal.other).is_none());
        let Some(missing) = missing else { return };
        let near = building.shell().is_none_or(|shell| {
            let local = volume.localised(&Place::new(shell.space, shell.scale)).clipped(stretch);
            local.is_near(&shell.tree.bounding_sphere())
        });
        if near {
            self.note_unknown(missing.other, stretch.from);
        }
    }
}
