//! Why cells are in a cell array: each recorded cause holds and is the first that does, for many
//! movers with two spheres near portals and doors of the sample worlds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use std::collections::BTreeMap;
use threshold_testkit::{Random, sample_world};

use threshold_geom::Containment;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, EPSILON, Position, Sphere, block_offset_between, outside_cells};
use threshold_world::{
    BuildingPortal, Cell, CellArray, CellSearch, ListingCause, PieceId, Reason, Room, World,
};

/// A search for two spheres.
struct SearchCase<'w> {
    world: &'w World,
    from: CellId,
    spheres: [Sphere; 2],
}

impl SearchCase<'_> {
    /// Returns a sphere in the frame of another cell's landblock.
    fn sphere(&self, index: usize, cell: CellId) -> Sphere {
        let Sphere { centre, radius } = self.spheres[index];
        Sphere::new(centre - block_offset_between(self.from, cell), radius)
    }

    /// Returns the first sphere that passes a test.
    fn first(&self, cell: CellId, holds: impl Fn(&Sphere) -> bool) -> Option<usize> {
        [0, 1].into_iter().find(|index| holds(&self.sphere(*index, cell)))
    }

    fn first_inside(&self, room: &Room) -> Option<usize> {
        self.first(room.id(), |sphere| room.sphere_inside(sphere) != Containment::Outside)
    }

    fn first_reaching(&self, land: CellId) -> Option<usize> {
        let reaches = |sphere: &Sphere| outside_cells(self.from, sphere.centre, sphere.radius);
        [0, 1]
            .into_iter()
            .find(|index| reaches(&self.spheres[*index]).is_some_and(|cells| cells.contains(&land)))
    }

    /// Returns the first exit portal of a room with a plane that a sphere touches.
    fn first_exit(&self, room: &Room) -> Option<usize> {
        room.portals().iter().position(|portal| {
            let at = |sphere: &Sphere| {
                let distance = portal.plane.distance(room.to_local(sphere.centre));
                distance.abs() < sphere.radius + EPSILON
            };
            portal.other.is_none() && self.first(room.id(), at).is_some()
        })
    }

    /// Checks the cause of a cell; returns its name.
    fn check_cause(&self, cell: CellId, cause: ListingCause) -> &'static str {
        match cause {
            ListingCause::Start => {
                assert_eq!(cell, self.from);
                "start"
            }
            ListingCause::Reached { sphere } => {
                assert_eq!(self.first_reaching(cell), Some(sphere));
                "reached"
            }
            ListingCause::Exit { room, portal, sphere } => {
                assert_eq!(self.first_exit(self.world.room(room).unwrap()), Some(portal));
                assert_eq!(self.first_reaching(cell), Some(sphere));
                "exit"
            }
            ListingCause::Portal { room, portal, sphere } => {
                let portal = &self.world.room(room).unwrap().portals()[portal];
                assert_eq!(portal.other, Some(cell));
                assert_eq!(self.first_inside(self.world.room(cell).unwrap()), Some(sphere));
                "portal"
            }
            ListingCause::Building { land, sphere } => {
                let building = self.world.land_cell(land).unwrap().building().unwrap();
                let leads =
                    |portal: &BuildingPortal| portal.other == cell && portal.other_portal.is_some();
                assert!(building.portals.iter().any(leads));
                assert_eq!(self.first_inside(self.world.room(cell).unwrap()), Some(sphere));
                "building"
            }
            other => panic!("{other:?} in a world that is whole"),
        }
    }

    /// Checks containment and depth of a cell.
    fn check_contains(&self, cell: CellId, reason: &Reason) {
        let Some(contains) = reason.contains else { return };
        let centre = self.sphere(0, cell).centre;
        let there = self.world.cell(cell).unwrap();
        assert_eq!(there.contains(centre), contains);
        let Cell::Room(room) = there else {
            return assert_eq!(reason.depth, None);
        };
        let depth = reason.depth.unwrap();
        assert_eq!(depth > -EPSILON.next_up(), contains, "{depth}");
        // To reach in from outside, the radius must exceed the depth, less the margin of 1 cm.
        let reaches = |radius: f32| {
            radius >= 0.0
                && room.sphere_inside(&Sphere::new(centre, radius)) != Containment::Outside
        };
        if !contains {
            assert!(reaches(-depth + 0.001) && !reaches(-depth - 0.012), "{depth}");
        }
    }
}

/// Points near the portals of all rooms, and over the land.
fn places(world: &World, random: &mut Random) -> Vec<(CellId, Vec3)> {
    let mut near = |at: Vec3, reach: f64| {
        let mut part = || random.between(-reach, reach) as f32;
        at + Vec3::new(part(), part(), part())
    };
    let mut places = Vec::new();
    for piece in world.resident() {
        let PieceId::Room(id) = piece else { continue };
        let room = world.room(id).unwrap();
        for portal in room.portals() {
            let polygon = room.portal_polygon(portal).vertices;
            let middle = polygon.iter().copied().sum::<Vec3>() / polygon.len() as f32;
            let middle = room.to_block(middle);
            let outside = threshold_land::adjust_to_outside(id, middle);
            for from in [Some(id), portal.other, outside.map(|(cell, _)| cell)] {
                let Some(from) = from.filter(|from| world.is_resident(*from)) else { continue };
                let middle = middle + block_offset_between(id, from);
                places.extend((0..6).map(|_| (from, near(middle, 1.0))));
            }
        }
    }
    places
}

#[track_caller]
fn check(name: &str, wanted: &[&str]) {
    let world = sample_world(name);
    let mut random = Random(7);
    let (mut array, mut plain) = (CellArray::new(), CellArray::new());
    array.keep_reasons(true);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut second = 0;
    for (from, at) in places(&world, &mut random) {
        let above = Vec3::new(0.0, 0.0, random.between(0.2, 1.2) as f32);
        let spheres = [Sphere::new(at, 0.1), Sphere::new(at + above, 0.48)];
        let asked = SearchCase { world: &world, from, spheres };
        let (search, position) = (CellSearch::new(&world), Position::new(from, at));
        let found = search.spheres(&position, &spheres, &mut array);
        assert_eq!(search.spheres(&position, &spheres, &mut plain), found);
        assert_eq!(array.entries(), plain.entries(), "recording reasons changes nothing");
        assert_eq!(array.reasons().len(), array.len());
        let listed = || array.ids().zip(array.reasons());
        for (cell, reason) in listed() {
            *seen.entry(asked.check_cause(cell, reason.cause)).or_default() += 1;
            asked.check_contains(cell, reason);
            let of_second = matches!(
                reason.cause,
                ListingCause::Reached { sphere: 1 }
                    | ListingCause::Portal { sphere: 1, .. }
                    | ListingCause::Exit { sphere: 1, .. }
                    | ListingCause::Building { sphere: 1, .. }
            );
            second += usize::from(of_second);
        }
        // The first room that contains the centre wins, and later cells are not tested; else the
        // last land cell.
        let contains = |(_, reason): &(CellId, &Reason)| reason.contains == Some(true);
        let room = listed().find(|each| contains(each) && each.0.is_indoor());
        let picked = room.or_else(|| listed().filter(contains).last());
        assert_eq!(picked.map(|(cell, _)| cell), found.cell);
        if let Some((room, _)) = room {
            let behind = listed().skip_while(|(cell, _)| *cell != room).skip(1);
            assert!(behind.into_iter().all(|(_, reason)| reason.contains.is_none()));
        }
    }
    for want in wanted {
        assert!(seen.get(want).is_some_and(|count| *count > 50), "{want}: {seen:?}");
    }
    assert!(second > 50, "{second}");
}

#[test]
fn every_cause_in_the_town_holds_and_is_the_first_that_does() {
    check("holt", &["start", "reached", "exit", "portal", "building"]);
}

#[test]
fn every_cause_in_the_dungeon_holds_and_is_the_first_that_does() {
    check("dungeon", &["start", "portal"]);
}
