//! The BSP trees of made worlds, queried as the engine does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use built::{Cell, Chance, leaf_at};
use threshold_dat::{BspNode, BspTree, Polygons, VertexArray};
use threshold_forge::{Forge, MadeWorld, ObjectSpec, Shape, samples};
use threshold_geom::{
    Containment, DrawingItem, DrawingNode, DrawingPortal, DrawingTree, PhysicsTree, Polygon,
    PolygonHit, Sides, plane_of,
};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

/// The openings of a cell that a mover can pass.
fn openings_of(cell: &Cell) -> Vec<(Plane, Vec<Vec3>)> {
    // A window is closed in the physics polygons: some polygon covers its centre.
    let covered = |at: Vec3| {
        cell.structure.physics.iter().any(|polygon| {
            let corners = built::corners(&cell.structure.vertices, &polygon);
            let polygon = Polygon::new(&corners, Sides::Single).unwrap();
            polygon.plane.distance(at).abs() < 1e-3 && polygon.contains(at)
        })
    };
    let outline = |index: usize| cell.portal(index);
    let all = (0..cell.record.portals.len()).map(outline);
    all.filter(|outline| !covered(outline.iter().sum::<Vec3>() / outline.len() as f32))
        .map(|outline| (plane_of(&outline).unwrap(), outline))
        .collect()
}

#[test]
fn solid_space_behind_walls_and_free_space_behind_openings() {
    for (name, world) in built::worlds() {
        let (mut walls, mut openings) = (0, 0);
        let cells = built::cells(&world);
        for cell in &cells {
            let mut chance = Chance(u64::from(cell.id.0));
            let (behind_walls, behind_openings) =
                check_behind_walls(&name, &cells, cell, &mut chance);
            walls += behind_walls;
            openings += behind_openings;
        }
        assert!(walls >= 100 * cells.len() && openings >= 20 * cells.len(), "{name}");
    }
}

/// Returns whether an opening is a hatch in this ceiling, and the room beyond extends past the hatch.
fn lies_under_floor(
    cells: &[Cell],
    cell: &Cell,
    ceiling: &Plane,
    (_, hatch): &(Plane, Vec<Vec3>),
) -> bool {
    let position = &cell.record.position;
    let is_up = position.rotation.rotate(-ceiling.normal).z > 0.664;
    let middle = hatch.iter().sum::<Vec3>() / hatch.len() as f32;
    let beside = |corner: &Vec3| {
        let above = middle + (*corner - middle) * 1.02 - ceiling.normal * 0.1;
        let above = position.to_global(above);
        let is_in = |other: &Cell| other.inside.contains(other.record.position.to_local(above));
        cells.iter().filter(|other| other.id.block() == cell.id.block()).any(is_in)
    };
    let is_in_it = hatch.iter().all(|corner| ceiling.distance(*corner).abs() < 2e-3);
    is_up && is_in_it && hatch.iter().any(beside)
}

/// Tests points slightly behind every wall: solid unless behind an opening; over a ceiling below a floor only as
/// thick as a board. Returns the number of points of either kind.
fn check_behind_walls(
    name: &str,
    cells: &[Cell],
    cell: &Cell,
    chance: &mut Chance,
) -> (usize, usize) {
    let openings = openings_of(cell);
    let (low, high) = cell.bounds();
    let (mut behind_walls, mut behind_openings) = (0, 0);
    for plane in cell.inside.planes() {
        let under_floor = openings.iter().any(|hatch| lies_under_floor(cells, cell, plane, hatch));
        for _ in 0..200 {
            let inside = chance.point(low, high);
            let depth = chance.between(0.002, 0.3);
            let on_wall = inside - plane.normal * plane.distance(inside);
            // Well inside the wall, so that the point is behind this wall only.
            let others = cell.inside.planes().iter().filter(|other| *other != plane);
            if others.map(|other| other.distance(on_wall)).any(|distance| distance < 0.35) {
                continue;
            }
            let at = on_wall - plane.normal * depth;
            let hole = openings.iter().find(|(own, outline)| {
                own.distance(on_wall).abs() < 2e-3
                    && Polygon::new(outline, Sides::Single).unwrap().contains(on_wall)
            });
            let (solid, polygons) = leaf_at(&cell.structure.physics_tree, at);
            let want = hole.is_none() && !(under_floor && depth > 0.05);
            behind_walls += usize::from(want);
            behind_openings += usize::from(!want);
            assert_eq!((solid, polygons > 0), (want, want), "{name} {} at {at}", cell.id);
            assert_eq!(cell.physics.point_intersects_solid(at), want, "{name} {} at {at}", cell.id);
        }
    }
    (behind_walls, behind_openings)
}

#[test]
fn space_behind_an_opening_is_free_up_to_its_edges() {
    for (name, world) in built::worlds() {
        for cell in built::cells(&world) {
            let mut chance = Chance(u64::from(cell.id.0) << 3);
            for (plane, outline) in openings_of(&cell) {
                let middle = outline.iter().sum::<Vec3>() / outline.len() as f32;
                for _ in 0..100 {
                    let weights: Vec<f32> = outline.iter().map(|_| chance.unit()).collect();
                    let total: f32 = weights.iter().sum();
                    let within: Vec3 =
                        outline.iter().zip(&weights).map(|(p, w)| *p * (w / total)).sum();
                    let corner = outline[(chance.unit() * outline.len() as f32) as usize];
                    let to_edge = within + (corner - within) * chance.unit();
                    let at = middle + (to_edge - middle) * 0.995
                        - plane.normal * chance.between(0.002, 1.0);
                    assert!(
                        !leaf_at(&cell.structure.physics_tree, at).0,
                        "{name} {} {at}",
                        cell.id
                    );
                }
            }
        }
    }
}

#[test]
fn the_inside_of_rooms_without_blocks_is_free() {
    for (name, world) in built::worlds() {
        for cell in built::cells(&world) {
            let mut chance = Chance(u64::from(cell.id.0) << 1);
            let (low, high) = cell.bounds();
            let blocks = name.starts_with("dungeon") || name == "cluttered" || name == "built-in";
            for _ in 0..100 {
                let at = chance.point(low, high);
                if cell.inside.contains(at) && !blocks {
                    assert!(!cell.physics.point_intersects_solid(at), "{name} {} {at}", cell.id);
                }
            }
        }
    }
}

#[test]
fn blocks_are_solid_and_the_room_around_them_is_free() {
    let (world, _, blocks) = built::cluttered();
    let cell = &built::cells(&world)[0];
    let mut chance = Chance(7);
    let mut hit = [0, 0];
    for _ in 0..20_000 {
        let at = chance.point(Vec3::splat(0.01), Vec3::new(9.99, 7.99, 3.99));
        let depth =
            |(low, high): &(Vec3, Vec3)| (at - *low).min_element().min((*high - at).min_element());
        let deepest = blocks.iter().map(depth).fold(f32::NEG_INFINITY, f32::max);
        if deepest.abs() < 1e-3 {
            continue;
        }
        let want = deepest > 0.0;
        hit[usize::from(want)] += 1;
        let (solid, polygons) = leaf_at(&cell.structure.physics_tree, at);
        assert_eq!((solid, polygons > 0), (want, want), "{at}");
    }
    assert!(hit.iter().all(|count| *count > 500), "{hit:?}");
}

#[test]
fn a_shell_is_solid_inside_and_free_outside() {
    for world in [samples::house_on_a_hill().unwrap(), built::manor(0.9)] {
        let cells = built::cells(&world);
        for building in &built::infos(&world)[0].buildings {
            let shell = built::model(&world, building.model);
            let tree = &shell.physics.as_ref().unwrap().tree;
            let walk = built::model_physics(&shell);
            let mut chance = Chance(11);
            for _ in 0..5000 {
                let at = chance.point(Vec3::new(-8.0, -9.0, -8.0), Vec3::new(8.0, 9.0, 9.0));
                let in_block = building.frame.to_global(at);
                let depth = |cell: &Cell| {
                    let local = cell.record.position.to_local(in_block);
                    let planes = cell.inside.planes().iter();
                    planes.map(|plane| plane.distance(local)).fold(f32::INFINITY, f32::min)
                };
                let depth = cells.iter().map(depth).fold(f32::NEG_INFINITY, f32::max);
                // Walls are 0.3 m thick, foundations 1.5 m.
                if depth > 1e-3 {
                    assert!(leaf_at(tree, at).0 && walk.point_intersects_solid(at), "{at}");
                } else if depth < -1.6 {
                    assert!(!leaf_at(tree, at).0 && !walk.point_intersects_solid(at), "{at}");
                }
            }
        }
    }
}

#[test]
fn solid_objects_of_any_convex_shape() {
    let shapes = [
        Shape::cuboid([-1.0; 3], [1.0; 3]),
        Shape::regular(7, 1.0, -1.0, 1.0),
        Shape::from_faces(vec![
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vec![Vec3::ZERO, Vec3::X, Vec3::Z],
            vec![Vec3::ZERO, Vec3::Y, Vec3::Z],
            vec![Vec3::X, Vec3::Y, Vec3::Z],
        ]),
    ];
    for shape in shapes {
        let mut forge = Forge::new();
        let id = forge.object(ObjectSpec::Solid(shape.clone()));
        let model = built::model(&forge.finish().unwrap(), id);
        let walk = built::model_physics(&model);
        let middle = shape.faces().iter().flatten().sum::<Vec3>()
            / shape.faces().iter().flatten().count() as f32;
        let mut chance = Chance(5);
        for _ in 0..2000 {
            let at = chance.point(Vec3::splat(-1.5), Vec3::splat(1.5));
            let distance = |face: &Vec<Vec3>| {
                let plane = plane_of(face).unwrap();
                -plane.distance(at) * plane.distance(middle).signum()
            };
            let outside = shape.faces().iter().map(distance).fold(f32::NEG_INFINITY, f32::max);
            if outside.abs() > 1e-3 {
                assert_eq!(walk.point_intersects_solid(at), outside < 0.0, "{at}");
            }
        }
    }
}

/// Collects the polygons below a node, with those of the node.
fn below(tree: &BspTree, index: u32, found: &mut Vec<u16>) {
    match tree.get(index).unwrap() {
        BspNode::Leaf(leaf) => found.extend(leaf.polygons),
        BspNode::Split(split) => {
            found.extend(split.polygons);
            found.extend(split.portals.iter().map(|portal| portal.polygon));
            for child in [split.positive, split.negative].into_iter().flatten() {
                below(tree, child, found);
            }
        }
    }
}

/// Spheres enclose everything below them.
fn check_spheres(name: &str, tree: &BspTree, polygons: &Polygons, vertices: &VertexArray) {
    for index in 0..u32::try_from(tree.len()).unwrap() {
        let sphere = match tree.get(index).unwrap() {
            BspNode::Leaf(leaf) => leaf.sphere,
            BspNode::Split(split) => split.sphere,
        };
        let mut found = Vec::new();
        below(tree, index, &mut found);
        let Some(sphere) = sphere else { continue };
        for polygon in found {
            for corner in built::corners(vertices, &polygons.by_id(polygon).unwrap()) {
                let off = corner.distance(sphere.centre) - sphere.radius;
                assert!(off < 1e-5, "{name}: node {index}, polygon {polygon}: {off}");
            }
        }
    }
}

/// Every polygon is in a solid leaf, lies in the plane of a node above it, and no other leaf has any.
/// Behind every polygon is solid space that lists it.
fn check_physics(name: &str, tree: &BspTree, polygons: &Polygons, vertices: &VertexArray) {
    check_spheres(name, tree, polygons, vertices);
    let mut listed = vec![false; polygons.len()];
    let mut pending = vec![(tree.root(), Vec::<Plane>::new())];
    while let Some((index, above)) = pending.pop() {
        match tree.get(index).unwrap() {
            BspNode::Leaf(leaf) => {
                assert_eq!(leaf.solid != 0, !leaf.polygons.is_empty(), "{name}: leaf {index}");
                for id in leaf.polygons {
                    listed[usize::from(*id)] = true;
                    let corners = built::corners(vertices, &polygons.by_id(*id).unwrap());
                    let in_plane = |plane: &Plane| {
                        corners.iter().all(|corner| plane.distance(*corner).abs() < 2e-4)
                    };
                    assert!(above.iter().any(in_plane), "{name}: polygon {id} in leaf {index}");
                }
            }
            BspNode::Split(split) => {
                assert_eq!(format!("{:?}", split.tag), "BPnN");
                for child in [split.positive, split.negative] {
                    let mut above = above.clone();
                    above.push(split.plane);
                    pending.push((child.unwrap(), above));
                }
            }
        }
    }
    assert!(listed.iter().all(|listed| *listed), "{name}: {listed:?}");
    for polygon in polygons.iter() {
        let corners = built::corners(vertices, &polygon);
        let plane = plane_of(&corners).unwrap();
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
        let behind = leaf_at(tree, middle - plane.normal * 2e-3);
        assert!(behind.0 && behind.1 > 0, "{name}: polygon {}", polygon.id);
    }
}

/// Every polygon is in one node, in its plane; every portal in one `PORT` node.
fn check_drawing(name: &str, tree: &BspTree, polygons: &Polygons, vertices: &VertexArray) {
    check_spheres(name, tree, polygons, vertices);
    let mut found = Vec::new();
    below(tree, tree.root(), &mut found);
    found.sort_unstable();
    let all: Vec<u16> = polygons.iter().map(|polygon| polygon.id).collect();
    assert_eq!(found, all, "{name}: each polygon once");
    for node in tree.iter() {
        let BspNode::Split(split) = node else { continue };
        let portals = split.portals.iter().map(|portal| portal.polygon);
        for id in split.polygons.iter().copied().chain(portals) {
            for corner in built::corners(vertices, &polygons.by_id(id).unwrap()) {
                assert!(split.plane.distance(corner).abs() < 6e-4, "{name}: polygon {id}");
            }
        }
        assert_eq!(format!("{:?}", split.tag) == "PORT", !split.portals.is_empty());
    }
}

/// The drawing tree as the engine uses it: from any eye, every polygon and portal is visited once.
fn check_order(name: &str, tree: &BspTree, polygons: &Polygons) {
    let node = |node: BspNode<'_>| match node {
        BspNode::Leaf(_) => DrawingNode {
            plane: Plane { normal: Vec3::Z, d: 0.0 },
            sphere: None,
            positive: None,
            negative: None,
            polygons: Vec::new(),
            portals: Vec::new(),
        },
        BspNode::Split(split) => DrawingNode {
            plane: split.plane,
            sphere: split.sphere,
            positive: split.positive,
            negative: split.negative,
            polygons: split.polygons.iter().map(|id| u32::from(*id)).collect(),
            portals: split
                .portals
                .iter()
                .map(|p| DrawingPortal { polygon: u32::from(p.polygon), portal: p.portal })
                .collect(),
        },
    };
    let nodes: Vec<DrawingNode> = tree.iter().map(node).collect();
    let count = u32::try_from(polygons.len()).unwrap();
    let built = DrawingTree::build(count, &nodes, tree.root()).unwrap();
    let mut chance = Chance(3);
    for _ in 0..20 {
        let eye = chance.point(Vec3::splat(-20.0), Vec3::splat(20.0));
        let mut seen = Vec::new();
        built.front_to_back(eye, |item| {
            seen.push(match item {
                DrawingItem::Polygon(polygon) => polygon,
                DrawingItem::Portal(portal) => portal.polygon,
            });
        });
        seen.sort_unstable();
        assert_eq!(seen, (0..count).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn trees_hold_every_polygon_where_it_belongs() {
    for (name, world) in built::worlds() {
        for cell in built::cells(&world) {
            let shape = &cell.structure;
            let name = format!("{name} {}", cell.id);
            check_physics(&name, &shape.physics_tree, &shape.physics, &shape.vertices);
            let drawing = shape.drawing_tree.as_ref().unwrap();
            check_drawing(&name, drawing, &shape.drawing, &shape.vertices);
            check_order(&name, drawing, &shape.drawing);
        }
        for info in built::infos(&world) {
            for building in &info.buildings {
                let model = built::model(&world, building.model);
                let (physics, drawing) = (model.physics.unwrap(), model.drawing.unwrap());
                check_physics(&name, &physics.tree, &physics.polygons, &model.vertices);
                check_drawing(&name, &drawing.tree, &drawing.polygons, &model.vertices);
                check_order(&name, &drawing.tree, &drawing.polygons);
            }
        }
    }
}

#[test]
fn a_sphere_finds_the_polygon_that_a_search_through_all_finds() {
    for (name, world) in built::worlds() {
        for cell in built::cells(&world) {
            let mut chance = Chance(u64::from(cell.id.0) << 2);
            let (low, high) = cell.bounds();
            for _ in 0..60 {
                let at = chance.point(low - Vec3::splat(0.3), high + Vec3::splat(0.3));
                let movement = chance.point(Vec3::splat(-0.3), Vec3::splat(0.3));
                let sphere = Sphere::new(at, chance.between(0.1, 0.6));
                let mut struck = PolygonHit::default();
                let walked = cell.physics.sphere_intersects_poly(&sphere, movement, &mut struck);
                let hits = |polygon: Polygon<'_>| polygon.pos_hits_sphere(&sphere, movement).hit();
                let searched = cell.physics.polygons().iter().any(hits);
                assert_eq!(walked, searched, "{name} {} {sphere:?} {movement}", cell.id);
            }
        }
    }
}

/// Returns whether a mover that walks straight ahead, in the frame of a building, touches the shell or the rooms.
fn touches(world: &MadeWorld, from: Vec3, to: Vec3) -> bool {
    let building = &built::infos(world)[0].buildings[0];
    let shell = built::model_physics(&built::model(world, building.model));
    let cells = built::cells(world);
    let movement = (to - from) / 200.0;
    let strikes = |tree: &PhysicsTree, sphere: &Sphere, movement: Vec3| {
        tree.sphere_intersects_poly(sphere, movement, &mut PolygonHit::default())
    };
    (0..=200_u8).any(|index| {
        let at = from + movement * f32::from(index);
        // Foot and head of the mover, standing on the floor.
        [0.481, 1.35].into_iter().any(|height| {
            let centre = at + Vec3::Z * height;
            let in_block = building.frame.to_global(centre);
            let rows = building.frame.rotation.rows();
            strikes(&shell, &Sphere::new(centre, 0.48), movement)
                || cells.iter().any(|cell| {
                    let frame = &cell.record.position;
                    let sphere = Sphere::new(frame.to_local(in_block), 0.48);
                    let local = frame.rotation.rows().to_local(rows.to_global(movement));
                    let near = cell.inside.sphere_inside(&sphere) != Containment::Outside;
                    near && strikes(&cell.physics, &sphere, local)
                })
        })
    })
}

#[test]
fn a_mover_passes_the_doors_and_nothing_else() {
    let world = samples::house_on_a_hill().unwrap();
    let street = Vec3::new(0.0, -9.0, 0.0);
    assert!(!touches(&world, street, Vec3::new(0.0, 3.0, 0.0)), "in through both doors");
    assert!(!touches(&world, Vec3::new(0.0, 3.0, 0.0), street), "and out again");
    assert!(
        touches(&world, Vec3::new(2.0, -9.0, 0.0), Vec3::new(2.0, 0.0, 0.0)),
        "beside the door"
    );
    assert!(
        touches(&world, Vec3::new(7.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)),
        "in at the window"
    );
    assert!(
        touches(&world, Vec3::new(0.0, 2.0, 0.0), Vec3::new(7.0, 2.0, 0.0)),
        "out at the window"
    );
    assert!(
        !touches(&world, Vec3::new(7.0, -9.0, 0.0), Vec3::new(7.0, 9.0, 0.0)),
        "past the house"
    );
}

#[test]
fn a_cell_tree_is_the_room_itself() {
    let world = samples::two_rooms().unwrap();
    let [west, east] = &built::cells(&world)[..] else { panic!("two rooms") };
    for (x, in_west, in_east) in [(2.0, true, false), (4.0, true, true), (6.0, false, true)] {
        let at = Vec3::new(x, 2.0, 1.0);
        assert_eq!((west.inside.contains(at), east.inside.contains(at)), (in_west, in_east));
    }
}
