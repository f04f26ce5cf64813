//! Scenery on the town's landblock, which has buildings, with a road laid across.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use threshold_dat::region::SceneType;
use threshold_dat::{
    LandBlock, RecordId, RecordSet, RegionDesc, Scene, SceneObject, SetupRecord, TerrainWord,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame};
use threshold_testkit::{edit_record, sample_records};
use threshold_world::{Builder, Object, ObjectId, PieceId, REGION, State, World};

const TOWN: BlockId = BlockId(0xA9B4);
const SCENE: RecordId = RecordId(0x1200_0001);
const TREE: RecordId = RecordId(0x0200_0013);
const CRATE: RecordId = RecordId(0x0100_0010);

fn object(model: RecordId) -> SceneObject {
    SceneObject {
        object: model,
        frame: Frame::at(Vec3::new(1.0, 1.0, 0.0)),
        frequency: 0.7,
        displace_x: 20.0,
        displace_y: 20.0,
        min_scale: 0.5,
        max_scale: 3.0,
        max_rotation: 360.0,
        min_slope: 0.5,
        max_slope: 1.0,
        align: 0,
        orient: 0,
        weenie: 0,
    }
}

/// The sample world with a scene everywhere and a road along the sixth column of corners.
fn overgrown(scene: Vec<SceneObject>) -> RecordSet {
    let mut set = sample_records("holt");
    edit_record(&mut set, REGION, |region: &mut RegionDesc| {
        region.scene_types = Some(vec![SceneType { sounds: -1, scenes: [SCENE].into() }]);
        for kind in &mut region.terrain.types {
            kind.scene_types = [0].into();
        }
    });
    set.put(SCENE, &Scene { id: SCENE, objects: scene }).unwrap();
    edit_record(&mut set, TOWN.as_cell(), |land: &mut LandBlock| {
        land.terrain.iter_mut().for_each(|word| *word = TerrainWord(word.0 & 0x7C));
        (0..9).for_each(|y| land.terrain[5 * 9 + y].0 |= 1);
    });
    set
}

fn grown(scene: Vec<SceneObject>) -> (World, usize) {
    let builder = Builder::new(overgrown(scene));
    let mut world = World::new();
    let built = builder.build(PieceId::Land(TOWN)).unwrap().unwrap();
    let faults = built.faults.len();
    world.adopt(built.piece);
    (world, faults)
}

fn scenery(world: &World) -> Vec<&Object> {
    let range = ObjectId::scenery(TOWN, 0)..=ObjectId::scenery(TOWN, u32::MAX);
    world.objects().filter(|object| range.contains(&object.id())).collect()
}

#[test]
fn scenery_stands_on_free_ground_inside_its_landblock() {
    let (world, faults) = grown(vec![object(TREE), object(CRATE)]);
    assert_eq!(faults, 0);
    let land = world.land(TOWN).unwrap();
    let plants = scenery(&world);
    assert!(plants.len() > 30, "{}", plants.len());
    assert!(plants.iter().any(|plant| plant.model() == TREE));
    assert!(plants.iter().any(|plant| plant.model() == CRATE));
    for plant in &plants {
        let at = plant.position().frame.origin;
        let height = land.terrain().height(at.truncate()).unwrap();
        assert!((at.z - height).abs() < 1e-4, "{} at {at}", plant.id());
        assert!(!land.terrain().on_road(at.truncate()), "{} at {at}", plant.id());
        let cell = world.land_cell(plant.position().cell).unwrap();
        assert!(cell.contains(at) && cell.building().is_none(), "{} at {at}", plant.id());
        assert!(plant.state().has(State::STATIC));
        assert!((0.5..=3.0).contains(&plant.scale()));
    }
    let scales = plants.iter().map(|plant| plant.scale());
    assert!(scales.fold(0.0, f32::max) > 1.5, "scales differ");
    // The road runs along x = 120; without it there would be scenery within five metres of it.
    assert!(plants.iter().all(|plant| (plant.position().frame.origin.x - 120.0).abs() >= 5.0));
}

/// A door leaf seven metres from the origin of its setup.
const DOOR: RecordId = RecordId(0x0200_0021);

#[test]
fn scenery_is_registered_at_natural_size() {
    let grown = |scale: f32| {
        let door = SceneObject { min_scale: scale, max_scale: scale, ..object(DOOR) };
        let mut records = overgrown(vec![door]);
        edit_record(&mut records, DOOR, |setup: &mut SetupRecord| {
            setup.placements.iter_mut().flat_map(|p| p.frames.iter_mut()).for_each(|frame| {
                frame.origin.x += 7.0;
            });
            setup.sorting_sphere.radius = 1.0;
        });
        let mut world = World::new();
        world.adopt(Builder::new(records).build(PieceId::Land(TOWN)).unwrap().unwrap().piece);
        world
    };
    let (natural, large) = (grown(1.0), grown(3.0));
    let cells = |world: &World| {
        scenery(world).iter().map(|plant| plant.cells().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(cells(&natural), cells(&large));
    assert!(cells(&natural).len() > 10);
    let plants = [&natural, &large].map(|world| scenery(world)[0].clone());
    let away = |plant: &Object| {
        let part = plant.part_position(0).unwrap().frame.origin;
        (part - plant.position().frame.origin).truncate().length()
    };
    assert!((away(&plants[1]) / away(&plants[0]) - 3.0).abs() < 0.01, "but stands at its own");
    assert_eq!(plants[1].part_scale(0), Some(Vec3::splat(3.0)));
}

#[test]
fn scenery_comes_after_the_objects_of_the_record() {
    let (world, _) = grown(vec![object(TREE), object(CRATE)]);
    let first = ObjectId::scenery(TOWN, 0);
    let mixed = (1..=64).map(|low| world.objects_in(TOWN.cell(low)).map(Object::id));
    let mixed: Vec<Vec<ObjectId>> = mixed.map(Iterator::collect).collect();
    let both = |list: &&Vec<ObjectId>| list[0] < first && list[list.len() - 1] >= first;
    assert!(mixed.iter().filter(|list| !list.is_empty()).filter(both).count() > 0);
    assert!(mixed.iter().all(|list| list.is_sorted()));
}

#[test]
fn a_missing_model_in_a_scene_affects_only_that_object() {
    let (world, faults) = grown(vec![object(RecordId(0x0200_FFFF)), object(TREE)]);
    assert!(faults > 0);
    assert!(scenery(&world).iter().all(|plant| plant.model() == TREE));
    assert!(!scenery(&world).is_empty());
}

#[test]
fn scenery_needs_the_slope_that_its_record_demands() {
    let steep_only = SceneObject { min_slope: 0.0, max_slope: 0.5, ..object(TREE) };
    let (world, _) = grown(vec![steep_only]);
    assert!(scenery(&world).is_empty(), "the town is flat");
}
