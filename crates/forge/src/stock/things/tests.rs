use threshold_dat::{GfxObj, PolygonSides, Records, SetupRecord, stippling};

use super::*;
use threshold_dat::RecordId;

use crate::{Forge, MadeWorld, Material};

/// A world with every thing in it, and the setups by name.
fn everything() -> (MadeWorld, Vec<(&'static str, RecordId)>) {
    let mut forge = Forge::new();
    let put = |name| by_name(name).map(|object| (name, forge.object(object)));
    let ids = names().filter_map(put).collect();
    (forge.finish().unwrap(), ids)
}

/// The setup and the model of a thing.
fn records(world: &MadeWorld, id: RecordId) -> (SetupRecord, GfxObj) {
    let mut records = Records::new(world);
    let setup: SetupRecord = records.get(id).unwrap().unwrap();
    let model = records.get(setup.parts[0]).unwrap().unwrap();
    (setup, model)
}

#[test]
fn names_are_in_order_and_each_is_known() {
    assert!(names().is_sorted_by(|a, b| a < b));
    assert!(names().all(|name| by_name(name).is_some()));
    assert_eq!(by_name("Table"), None);
    assert_eq!(by_name(""), None);
}

#[test]
fn every_thing_is_of_a_size_that_a_room_or_a_yard_has() {
    let (world, ids) = everything();
    for (name, id) in ids {
        let (setup, model) = records(&world, id);
        let drawn = model.drawing.unwrap().polygons;
        assert!((5..=260).contains(&drawn.len()), "{name}: {} polygons", drawn.len());
        let corners = model.vertices.iter().map(|vertex| vertex.position);
        let (low, high) = corners.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
            (low.min(at.z), high.max(at.z))
        });
        let hangs = name == "chandelier";
        assert!(low >= -3.0 && high <= 11.5, "{name}: from {low} to {high}");
        assert_eq!(low > 0.05 || high < 0.05, hangs || name == "torch", "{name}: {low} to {high}");
        let far = |at: threshold_land::vector::Vec3| {
            at.distance(setup.sorting_sphere.centre) > setup.sorting_sphere.radius + 1e-3
        };
        let pose = setup.static_pose().unwrap().frames[0];
        let out = model.vertices.iter().any(|vertex| far(pose.to_global(vertex.position)));
        assert!(!out, "{name}: its sphere does not hold it");
    }
}

#[test]
fn furniture_is_solid_trees_have_trunks_and_flowers_are_walked_through() {
    let (world, ids) = everything();
    for (name, id) in ids {
        let (setup, model) = records(&world, id);
        let touched = (model.physics.is_some(), setup.cylinders.len());
        let want = match name {
            "beech" | "birch" | "fir" | "oak" | "brazier" | "lamp-post" | "signpost" => (false, 1),
            "bush" | "fern" | "flowers" | "reeds" | "candle" | "chandelier" | "torch" => (false, 0),
            _ => (true, 0),
        };
        assert_eq!(touched, want, "{name}");
        assert_eq!(setup.says_physics_tree, want.0, "{name}");
    }
}

#[test]
fn what_burns_gives_light() {
    let (world, ids) = everything();
    let lit = |(name, id): &(&'static str, RecordId)| {
        (!records(&world, *id).0.lights.is_empty()).then_some(*name)
    };
    let lit: Vec<&str> = ids.iter().filter_map(lit).collect();
    assert_eq!(lit, ["brazier", "candle", "chandelier", "fireplace", "lamp-post", "torch"]);
}

#[test]
fn leaves_are_seen_from_both_sides_and_all_but_cards_repeat_their_pictures() {
    let (world, ids) = everything();
    let cards = |(name, id): &(&'static str, RecordId)| {
        let model = records(&world, *id).1;
        let holes: Vec<bool> = (model.surfaces.iter())
            .map(|own| Material::all().any(|of| of.surface() == *own && of.has_holes()))
            .collect();
        let mut cards = 0;
        for polygon in model.drawing.unwrap().polygons.iter() {
            let leafy = holes[usize::try_from(polygon.front_surface).unwrap()];
            let want = if leafy { PolygonSides::DOUBLE } else { PolygonSides::SINGLE };
            assert_eq!(polygon.sides, want, "{name}: polygon {}", polygon.id);
            match polygon.stippling {
                0 => cards += 1,
                bits => assert_eq!(bits, stippling::FRONT_TILED, "{name}"),
            }
        }
        (*name, cards)
    };
    let counted: Vec<(&str, u32)> = ids.iter().map(cards).filter(|(_, cards)| *cards > 0).collect();
    let want = [("beech", 6), ("birch", 6), ("bush", 3), ("fern", 7), ("fir", 20)];
    let more = [("flowers", 6), ("oak", 8), ("reeds", 5)];
    assert_eq!(counted, [&want[..], &more[..]].concat());
}

#[test]
fn sizes_that_make_no_solid_are_refused() {
    for object in [pillar(0.0), bridge(f32::NAN, 3.0), stairs(0, [0.2, 0.3], 1.0)] {
        let mut forge = Forge::new();
        forge.object(object.clone());
        assert!(forge.finish().is_err(), "{object:?}");
    }
}

#[test]
fn a_door_stands_open_and_its_motions_swing_it() {
    use threshold_dat::{Animation, MotionTable};

    let mut forge = Forge::new();
    let id = forge.object(door());
    let world = forge.finish().unwrap();
    let mut records = Records::new(&world);
    let setup: SetupRecord = records.get(id).unwrap().unwrap();
    let table: MotionTable = records.get(setup.defaults.motion_table).unwrap().unwrap();
    let heading = |key: u32| {
        let pose = setup.placements.iter().find(|placement| placement.key == key).unwrap();
        pose.frames[0].heading()
    };
    assert_eq!((heading(0), heading(0x65)), (0.0, 260.0), "shut, and 100 degrees to the left");
    let shown = |key: u32| {
        let motion = table.cycles.iter().find(|cycle| cycle.key == key).unwrap();
        (motion.animations[0].animation, motion.animations[0].low)
    };
    let swing: Animation = {
        let mut records = Records::new(&world);
        records.get(shown(0x3D_000B).0).unwrap().unwrap()
    };
    for (key, low) in [(0x3D_000B, 24), (0x3D_000C, 0)] {
        assert_eq!(shown(key).1, low);
    }
    assert_eq!(swing.frame(0).unwrap(), &*setup.placements[0].frames);
    assert_eq!(swing.frame(24).unwrap(), &*setup.placements[1].frames);
    let links = |from: u32| table.links.iter().find(|links| links.key == from).unwrap();
    assert_eq!(links(0x3D_000B).motions[0].key, 0x4000_000C);
    assert!(links(0x3D_000B).motions[0].animations[0].framerate < 0.0);
    assert_eq!(links(0x3D_000C).motions[0].key, 0x4000_000B);
}
