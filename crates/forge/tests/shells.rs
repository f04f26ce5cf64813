//! Shells of buildings with rooms at odd angles: correct, and not cut into too many polygons.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use built::{Chance, leaf_at};
use threshold_dat::GfxObj;
use threshold_forge::{
    FaceMaterials, Forge, ForgeErrorKind, Material, Opening, Plan, Ridge, RoomSpec, Shape, samples,
};
use threshold_geom::plane_of;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

/// A room on a regular floor.
struct Drum {
    middle: Vec3,
    /// Radius of the circle inside the floor, and of the one around it.
    inner: f32,
    outer: f32,
}

const HEIGHT: f32 = 3.0;

/// Prisms at odd angles that almost touch, on storeys that do not align. Some have
/// a round window in every wall.
fn heap(chance: &mut Chance, rooms: usize, corners: usize, pane: usize) -> (Plan, Vec<Drum>) {
    let (mut plan, mut drums) = (Plan::new(), Vec::<Drum>::new());
    let gap = if pane > 0 { 0.7 } else { 0.02 };
    for _ in 0..4000 {
        let inner = chance.between(1.5, 3.0);
        let outer = inner / libm::cosf(std::f32::consts::PI / corners as f32);
        let storey = HEIGHT + gap / 2.0;
        let z = (chance.unit() * 3.0).floor() * storey;
        let middle = Vec3::new(chance.between(-9.0, 9.0), chance.between(-9.0, 9.0), z);
        let apart = |other: &Drum| {
            let away = other.middle - middle;
            away.z.abs() > 1.0 || away.truncate().length() > outer + other.outer + gap
        };
        let fits = middle.truncate().abs().max_element() + outer < 11.5;
        if drums.len() == rooms || !fits || !drums.iter().all(apart) {
            continue;
        }
        let rotation = Rotation::from_heading(chance.between(0.0, 360.0));
        let frame = Frame { origin: middle, rotation };
        let shape = Shape::regular(corners, inner, 0.0, HEIGHT);
        let key = plan.room(RoomSpec::shaped(shape.clone()).at(frame));
        for wall in shape.faces().iter().take(if pane > 0 { corners } else { 0 }) {
            plan.window(key, Opening::polygon(round(wall, pane).map(|at| frame.to_global(at))));
        }
        drums.push(Drum { middle, inner, outer });
    }
    (plan, drums)
}

/// A polygon of many corners in the middle of a wall.
fn round(wall: &[Vec3], corners: usize) -> impl Iterator<Item = Vec3> {
    let middle = wall.iter().sum::<Vec3>() / wall.len() as f32;
    let width = wall[1] - wall[0];
    let (along, radius) = (width.normalize(), (width.length() / 2.0 - 0.1).min(1.0));
    (0..corners).map(move |corner| {
        let angle = corner as f32 / corners as f32 * std::f32::consts::TAU;
        middle + along * (radius * libm::cosf(angle)) + Vec3::Z * (radius * libm::sinf(angle))
    })
}

/// Wedges around a newel, each a step higher than the one before.
fn spiral(rooms: usize, rise: f32) -> Plan {
    let mut plan = Plan::new();
    for number in 0..rooms {
        let at = |part: f32, reach: f32| {
            let angle = (number as f32 + part) / 16.0 * std::f32::consts::TAU;
            Vec2::new(reach * libm::cosf(angle), reach * libm::sinf(angle))
        };
        let floor = [at(0.0, 0.6), at(0.0, 3.0), at(1.0, 3.0), at(1.0, 0.6)];
        let z = number as f32 * rise;
        plan.room(RoomSpec::prism(floor, z, z + 15.0 * rise));
    }
    plan
}

fn shell(plan: Plan) -> GfxObj {
    let mut forge = Forge::new();
    forge.block(samples::TOWN).building(Frame::at(Vec3::new(84.0, 84.0, 0.1)), plan);
    let world = forge.finish().unwrap();
    built::model(&world, built::infos(&world)[0].buildings[0].model)
}

/// Returns the number of polygons of a shell: physics and drawing.
fn counts(shell: &GfxObj) -> [usize; 2] {
    [&shell.physics, &shell.drawing].map(|mesh| mesh.as_ref().unwrap().polygons.iter().count())
}

#[track_caller]
fn check_heap(rooms: usize, corners: usize, pane: usize, most: [usize; 2]) {
    let mut chance = Chance(rooms as u64);
    let (plan, drums) = heap(&mut chance, rooms, corners, pane);
    assert_eq!(drums.len(), rooms, "not enough room");
    let shell = shell(plan);
    let made = counts(&shell);
    assert!(made[0] <= most[0] && made[1] <= most[1], "{made:?} polygons");
    let tree = &shell.physics.as_ref().unwrap().tree;
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..20_000 {
        let at = chance.point(Vec3::new(-12.0, -12.0, -1.0), Vec3::new(12.0, 12.0, 10.0));
        // Inside the floor's circle there is a room; a wall is 0.3 m thick, more at corners.
        let within = |drum: &Drum, reach: f32, more: f32| {
            let away = at - drum.middle;
            let level = away.z > -more && away.z < HEIGHT + more.min(0.35);
            level && away.truncate().length() < reach
        };
        let (solid, polygons) = leaf_at(tree, at);
        if drums.iter().any(|drum| within(drum, drum.inner, 0.0)) {
            inside += 1;
            assert!(solid && polygons > 0, "a room at {at}");
        } else if !drums.iter().any(|drum| within(drum, drum.outer + 0.4, 1.55)) {
            outside += 1;
            assert!(!solid, "the open air at {at}");
        }
    }
    assert!(inside > 500 && outside > 500, "{inside} {outside}");
}

#[test]
fn shells_of_many_cornered_rooms() {
    check_heap(6, 6, 0, [200, 300]);
    check_heap(12, 12, 0, [800, 1200]);
    check_heap(24, 9, 0, [1500, 2500]);
    check_heap(12, 40, 0, [2500, 3500]);
    check_heap(12, 8, 24, [400, 4000]);
}

#[test]
fn a_tower_of_wedges_around_a_newel() {
    let [physics, drawing] = counts(&shell(spiral(16, 0.2)));
    assert!(physics < 600 && drawing < 800, "{physics} {drawing}");
}

#[test]
fn a_building_with_too_many_cut_faces_is_refused() {
    let mut chance = Chance(3);
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 3.0]));
    // Thin bars that all cross each other.
    for _ in 0..250 {
        let ends = [0, 1].map(|_| chance.point(Vec3::splat(-10.0), Vec3::splat(10.0)));
        let aside = (ends[1] - ends[0]).any_orthonormal_vector() * 0.5;
        let other = (ends[1] - ends[0]).cross(aside).normalize() * 0.5;
        let ring = [aside + other, aside - other, -aside - other, other - aside];
        let face = |corners: [(usize, usize); 4]| {
            corners.map(|(end, corner)| ends[end] + ring[corner]).to_vec()
        };
        let mut faces: Vec<Vec<Vec3>> = (0..4)
            .map(|at| face([(0, at), (0, (at + 1) % 4), (1, (at + 1) % 4), (1, at)]))
            .collect();
        faces.extend([0, 1].map(|end| face([(end, 0), (end, 1), (end, 2), (end, 3)])));
        plan.solid(Material::Thatch, Shape::from_faces(faces));
    }
    let mut forge = Forge::new();
    forge.block(samples::TOWN).building(Frame::at(Vec3::new(84.0, 84.0, 0.1)), plan);
    let error = forge.finish().unwrap_err();
    assert_eq!(error.kind, ForgeErrorKind::SurfaceTooFine(20_000));
    assert_eq!(
        error.to_string(),
        "landblock A9B4, building 0: the solids cut each other into more than 20000 faces",
    );
}

/// Only the vertical ends count as walls, however steep the roof is.
#[test]
fn the_ends_of_a_gable_have_the_material_of_the_walls() {
    for ridge in [5.0, 30.0] {
        let mut plan = Plan::new();
        plan.room(RoomSpec::cuboid([-4.0, -4.0, 0.0], [4.0, 4.0, 3.0]));
        plan.outside(FaceMaterials::new(Material::Brick, Material::Plank, Material::Timber));
        let gable = Shape::gable([-5.0, -5.0], [5.0, 5.0], [3.2, ridge], Ridge::North);
        plan.roof(Material::Slate, gable);
        let mut forge = Forge::new();
        forge.block(samples::TOWN).building(Frame::at(Vec3::new(12.0, 12.0, 0.0)), plan);
        let world = forge.finish().unwrap();
        let building = built::infos(&world)[0].buildings[0].model;
        let model = built::model(&world, building);
        let (mut walls, mut ends, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
        for polygon in model.drawing.as_ref().unwrap().polygons.iter() {
            let corners = built::corners(&model.vertices, &polygon);
            let normal = plane_of(&corners).unwrap().normal;
            let is_high = corners.iter().all(|corner| corner.z > 3.1);
            match (normal.z.abs() < 0.01, is_high) {
                (true, false) => walls.push(polygon.front_surface),
                (true, true) => ends.push(polygon.front_surface),
                (false, true) if normal.z > 0.0 => slopes.push(polygon.front_surface),
                _ => {}
            }
        }
        assert!(walls.len() >= 4 && ends.len() == 2 && slopes.len() == 2, "{ends:?} {slopes:?}");
        assert!(walls.iter().chain(&ends).all(|surface| *surface == walls[0]), "{ends:?}");
        assert!(slopes.iter().all(|surface| *surface != walls[0]), "{slopes:?}");
    }
}
