//! Made worlds as the engine loads them: cells and shells with their trees.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(
    clippy::disallowed_methods,
    reason = "the numbers of a test need not be the same everywhere"
)]

use threshold_dat::{
    BspNode, BspTree, CellStructure, EnvCell, Environment, FileKind, GfxObj, IndexedPolygon,
    LandBlockInfo, Polygons, RecordId, RecordKind, Records, Source, VertexArray,
};
use threshold_forge::{Face, Forge, MadeWorld, Opening, Plan, RoomKey, RoomSpec, Shape, samples};
use threshold_geom::{CellTree, PhysicsNode, PhysicsTree, PolygonSet, Sides};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Plane, Rotation, Sphere};

/// Random numbers, the same in every run.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn point(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        Vec3::new(
            self.between(low.x, high.x),
            self.between(low.y, high.y),
            self.between(low.z, high.z),
        )
    }
}

/// A cell with its shape and trees.
pub(crate) struct Cell {
    pub(crate) id: CellId,
    pub(crate) record: EnvCell,
    pub(crate) structure: CellStructure,
    pub(crate) physics: PhysicsTree,
    pub(crate) inside: CellTree,
}

impl Cell {
    /// Returns the polygon of a portal in the cell's frame, turned to face into the cell.
    pub(crate) fn portal(&self, index: usize) -> Vec<Vec3> {
        let portal = &self.record.portals[index];
        let polygon = self.structure.drawing.by_id(portal.polygon).unwrap();
        let mut outline = corners(&self.structure.vertices, &polygon);
        if portal.flags.portal_side() {
            outline.reverse();
        }
        outline
    }

    /// Returns the same in the frame of the landblock.
    pub(crate) fn portal_in_block(&self, index: usize) -> Vec<Vec3> {
        self.portal(index).iter().map(|p| self.record.position.to_global(*p)).collect()
    }

    /// Returns the box around its drawing polygons, in the cell's frame.
    pub(crate) fn bounds(&self) -> (Vec3, Vec3) {
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        self.structure.vertices.iter().fold(start, |(low, high), vertex| {
            (low.min(vertex.position), high.max(vertex.position))
        })
    }
}

/// Returns all cells of a world, by id.
pub(crate) fn cells(world: &MadeWorld) -> Vec<Cell> {
    let mut records = Records::new(world);
    let ids = world.ids(FileKind::Cell);
    let ids = ids
        .into_iter()
        .filter(|id| RecordKind::from_id(FileKind::Cell, *id) == RecordKind::EnvCell);
    let mut cells = Vec::new();
    for id in ids {
        let record: EnvCell = records.get(id).unwrap().unwrap();
        let environment: Environment = records.get(record.environment_id()).unwrap().unwrap();
        let structure = environment.structure(u32::from(record.structure)).unwrap().clone();
        let physics =
            physics_tree(&structure.vertices, &structure.physics, &structure.physics_tree);
        let inside = CellTree::new(chain(&structure.cell_tree));
        cells.push(Cell { id: id.cell(), record, structure, physics, inside });
    }
    cells
}

/// Returns all landblock infos of a world.
pub(crate) fn infos(world: &MadeWorld) -> Vec<LandBlockInfo> {
    let mut records = Records::new(world);
    let ids = world.ids(FileKind::Cell).into_iter();
    let ids =
        ids.filter(|id| RecordKind::from_id(FileKind::Cell, *id) == RecordKind::LandBlockInfo);
    ids.map(|id| records.get(id).unwrap().unwrap()).collect()
}

/// Returns a model of a world.
pub(crate) fn model(world: &MadeWorld, id: RecordId) -> GfxObj {
    Records::new(world).get(id).unwrap().unwrap()
}

pub(crate) fn model_physics(model: &GfxObj) -> PhysicsTree {
    let mesh = model.physics.as_ref().unwrap();
    physics_tree(&model.vertices, &mesh.polygons, &mesh.tree)
}

pub(crate) fn corners(vertices: &VertexArray, polygon: &IndexedPolygon<'_>) -> Vec<Vec3> {
    polygon.vertex_ids.iter().map(|id| vertices.by_id(*id).unwrap().position).collect()
}

/// Returns the planes of a cell tree, in order; the chain must end in a leaf.
pub(crate) fn chain(tree: &BspTree) -> Vec<Plane> {
    let mut planes = Vec::new();
    let mut at = tree.root();
    loop {
        match tree.get(at).unwrap() {
            BspNode::Leaf(_) => return planes,
            BspNode::Split(split) => {
                assert_eq!((format!("{:?}", split.tag), split.negative), ("BPnn".into(), None));
                planes.push(split.plane);
                at = split.positive.unwrap();
            }
        }
    }
}

pub(crate) fn physics_tree(
    vertices: &VertexArray,
    polygons: &Polygons,
    tree: &BspTree,
) -> PhysicsTree {
    let mut set = PolygonSet::new();
    for polygon in polygons.iter() {
        set.push(corners(vertices, &polygon), Sides::Single);
    }
    let nothing = Sphere::new(Vec3::ZERO, 0.0);
    let node = |node: BspNode<'_>| match node {
        BspNode::Leaf(leaf) => PhysicsNode::Leaf {
            solid: leaf.solid != 0,
            sphere: leaf.sphere.unwrap_or(nothing),
            polygons: leaf.polygons.iter().map(|id| u32::from(*id)).collect(),
        },
        BspNode::Split(split) => PhysicsNode::Split {
            plane: split.plane,
            sphere: split.sphere.unwrap_or(nothing),
            positive: split.positive,
            negative: split.negative,
        },
    };
    let nodes: Vec<PhysicsNode> = tree.iter().map(node).collect();
    PhysicsTree::build(set, &nodes, tree.root()).unwrap()
}

/// Returns the flag of a point's leaf, and whether the leaf has polygons.
pub(crate) fn leaf_at(tree: &BspTree, at: Vec3) -> (bool, usize) {
    let mut index = tree.root();
    loop {
        match tree.get(index).unwrap() {
            BspNode::Leaf(leaf) => return (leaf.solid != 0, leaf.polygons.len()),
            BspNode::Split(split) => {
                let positive = split.plane.distance(at) > 0.0;
                index = if positive { split.positive } else { split.negative }.unwrap();
            }
        }
    }
}

pub(crate) fn finish(plan: Plan) -> MadeWorld {
    let mut forge = Forge::new();
    forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap()
}

/// Rooms at odd angles: six corridors turned by 60 degrees each, round a hexagon, and a turret off it.
pub(crate) fn ring() -> MadeWorld {
    let mut plan = Plan::new();
    let hub = plan.room(RoomSpec::shaped(Shape::regular(6, 4.0, 0.0, 4.0)).named("hub"));
    for side in 0..6 {
        let heading = -60.0 * side as f32;
        let frame = Frame { origin: Vec3::ZERO, rotation: Rotation::from_heading(heading) };
        let spoke = RoomSpec::cuboid([-1.0, -9.0, 0.0], [1.0, -4.0, 2.5]).at(frame);
        let spoke = plan.room(spoke);
        plan.join(spoke, hub, Opening::whole(Face::NORTH));
    }
    finish(plan)
}

/// A turned and tilted corridor between two upright rooms is not possible; a tilted ramp room is: its
/// frame is not upright although it joins the others in level openings.
pub(crate) fn tilted() -> MadeWorld {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut plan = Plan::new();
    let low = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]));
    // Lying on its side: local x is up.
    let frame =
        Frame { origin: Vec3::new(4.0, 1.0, 0.0), rotation: Rotation::new(half, 0.0, -half, 0.0) };
    let lying = plan.room(RoomSpec::cuboid([0.0, 0.0, -5.0], [2.5, 2.0, 0.0]).at(frame));
    let opening = [[4.0, 1.2, 0.0], [4.0, 2.8, 0.0], [4.0, 2.8, 2.2], [4.0, 1.2, 2.2]];
    plan.join(low, lying, Opening::polygon(opening));
    finish(plan)
}

/// A house with a cellar, a shaft, a loft and windows at a height, turned and on a slope.
pub(crate) fn manor(sill: f32) -> MadeWorld {
    let mut plan = Plan::new();
    let room =
        |plan: &mut Plan, low: [f32; 3], high: [f32; 3]| plan.room(RoomSpec::cuboid(low, high));
    let porch = room(&mut plan, [-1.0, -6.0, 0.0], [1.0, -4.5, 2.6]);
    let main = room(&mut plan, [-5.0, -4.5, 0.0], [5.0, 2.0, 3.2]);
    let west = room(&mut plan, [-5.0, 2.0, 0.0], [0.0, 6.0, 3.2]);
    let east = room(&mut plan, [0.0, 2.0, 0.0], [5.0, 6.0, 3.2]);
    let shaft = room(&mut plan, [3.0, -2.0, -1.5], [4.5, 0.0, 0.0]);
    let cellar = room(&mut plan, [-2.0, -4.0, -4.5], [5.0, 4.0, -1.5]);
    let loft = room(&mut plan, [-3.0, -3.0, 3.2], [3.0, 5.0, 5.5]);
    plan.exit(porch, Opening::door(Face::SOUTH));
    plan.join(porch, main, Opening::door(Face::NORTH).size(1.6, 2.2));
    plan.join(main, west, Opening::door(Face::NORTH).along(7.0));
    plan.join(main, east, Opening::door(Face::NORTH).along(1.0));
    plan.join(west, east, Opening::door(Face::EAST).along(1.0));
    plan.join(main, shaft, Opening::rectangle(Face::Floor, [8.0, 2.5], [1.5, 2.0]));
    plan.join(shaft, cellar, Opening::whole(Face::Floor));
    plan.join(main, loft, Opening::rectangle(Face::Ceiling, [4.0, 3.0], [1.2, 1.2]));
    plan.window(main, Opening::pane(Face::SOUTH).along(0.5).sill(sill));
    plan.window(main, Opening::pane(Face::SOUTH).along(8.0).sill(sill));
    plan.window(west, Opening::pane(Face::WEST).sill(sill));
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.heights(|x, _| 10 + x);
    let frame =
        Frame { origin: Vec3::new(108.0, 60.0, 31.0), rotation: Rotation::from_heading(37.0) };
    block.building(frame, plan);
    forge.finish().unwrap()
}

/// A hall with pillars, a bench against the wall, steps one on the other and a block across a corner.
pub(crate) fn cluttered() -> (MadeWorld, RoomKey, Vec<(Vec3, Vec3)>) {
    let blocks = vec![
        ([2.0, 2.0, 0.0], [2.6, 2.6, 4.0]), // a pillar up to the ceiling
        ([6.0, 2.0, 0.0], [6.6, 2.6, 4.0]),
        ([0.0, 4.0, 0.0], [0.6, 6.0, 0.5]), // a bench along the wall
        ([8.0, 6.0, 0.0], [10.0, 8.0, 0.3]), // steps in a corner
        ([8.5, 6.5, 0.3], [10.0, 8.0, 0.6]),
        ([9.0, 7.0, 0.6], [10.0, 8.0, 0.9]),
        ([4.0, 3.0, 1.0], [5.0, 5.0, 1.5]), // hangs in the air
        ([4.5, 3.5, 0.5], [6.3, 4.0, 2.0]), // through it
    ];
    let mut hall = RoomSpec::cuboid([0.0, 0.0, 0.0], [10.0, 8.0, 4.0]);
    for (low, high) in &blocks {
        hall = hall.block(Shape::cuboid(*low, *high));
    }
    let mut plan = Plan::new();
    let key = plan.room(hall);
    let other = plan.room(RoomSpec::cuboid([10.0, 0.0, 0.0], [14.0, 8.0, 4.0]));
    plan.join(key, other, Opening::door(Face::EAST));
    let blocks = blocks.into_iter().map(|(low, high)| (Vec3::from(low), Vec3::from(high)));
    (finish(plan), key, blocks.collect())
}

/// Rooms that are no prisms: under a roof, with an opening in its slope into a turned garret beyond it, and
/// a hall with two open walls that meet at 150 degrees.
pub(crate) fn slanted() -> MadeWorld {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [6.0, 8.0, 3.0]).named("hall"));
    // A roof over the hall: ridge along y.
    let (a, b) = (Vec3::new(0.0, 0.0, 3.0), Vec3::new(6.0, 0.0, 3.0));
    let (top, along) = (Vec3::new(3.0, 0.0, 6.0), Vec3::Y * 8.0);
    let roof = Shape::from_faces(vec![
        vec![a, b, top],
        vec![a + along, b + along, top + along],
        vec![a, b, b + along, a + along],
        vec![b, b + along, top + along, top],
        vec![a, a + along, top + along, top],
    ]);
    let roof = plan.room(RoomSpec::shaped(roof).named("roof"));
    plan.join(hall, roof, Opening::rectangle(Face::Ceiling, [2.0, 3.0], [2.0, 2.0]));
    // Beyond the eastern slope, leaning like it: local x points out of the slope.
    let half = (std::f32::consts::FRAC_PI_4 / 2.0).cos();
    let other = (std::f32::consts::FRAC_PI_4 / 2.0).sin();
    let frame =
        Frame { origin: Vec3::new(4.5, 4.0, 4.5), rotation: Rotation::new(half, 0.0, -other, 0.0) };
    let dormer = plan.room(RoomSpec::cuboid([0.0, -1.0, -1.0], [3.0, 1.0, 1.0]).at(frame));
    plan.join(dormer, roof, Opening::whole(Face::WEST));
    // Twelve walls; one is open right up to the edge of the next, which is closed there and open farther on.
    let round = Shape::regular(12, 5.0, 0.0, 3.0);
    let base = Frame::at(Vec3::new(30.0, 0.0, 0.0));
    let hub = plan.room(RoomSpec::shaped(round.clone()).at(base).named("round"));
    for wall in [0_u8, 1] {
        let outline = round.faces()[usize::from(wall)].clone();
        let along = (outline[1] - outline[0]).normalize();
        let (near, far) = if wall == 0 { (0.0, 0.6) } else { (0.0, 0.8) };
        let (from, to) = (outline[0] + along * near, outline[1] - along * far);
        let out = along.cross(Vec3::Z);
        let corners = [from, to, to + Vec3::Z * 2.0, from + Vec3::Z * 2.0];
        let floor = [from, from + out * 3.0, to + out * 3.0, to];
        let floor = floor.map(|corner| corner.truncate());
        let cell = plan.room(RoomSpec::prism(floor.into_iter().rev(), 0.0, 2.0).at(base));
        plan.join(hub, cell, Opening::polygon(corners.map(|corner| base.to_global(corner))));
    }
    finish(plan)
}

/// A dungeon turned and tilted as a whole, far from the origin.
pub(crate) fn askew(seed: u64) -> MadeWorld {
    let mut forge = Forge::new();
    let frame = Frame {
        origin: Vec3::new(60.0, -170.0, -20.0),
        rotation: Rotation::new(0.8, 0.1, -0.2, 0.5).normalised().unwrap(),
    };
    forge.block(samples::DEPTHS).dungeon(frame, samples::dungeon_plan(60, seed));
    forge.finish().unwrap()
}

/// A hall of open rooms, some of their openings narrower than others and some not there: many ways lead from
/// one to the other.
pub(crate) fn hall() -> MadeWorld {
    const SIDE: usize = 8;
    let mut chance = Chance(17);
    let mut plan = Plan::new();
    let place = |index: usize| Vec3::new((index / SIDE) as f32, (index % SIDE) as f32, 0.0) * 4.0;
    let size = Vec3::new(4.0, 4.0, 3.0);
    let rooms: Vec<RoomKey> = (0..SIDE * SIDE)
        .map(|index| plan.room(RoomSpec::cuboid(place(index), place(index) + size)))
        .collect();
    for index in 0..rooms.len() {
        let (east, north) = (index / SIDE + 1 < SIDE, index % SIDE + 1 < SIDE);
        let ways = [(east, Face::EAST, index + SIDE), (north, Face::NORTH, index + 1)];
        for (_, face, other) in ways.into_iter().filter(|(is_there, ..)| *is_there) {
            let opening = match chance.unit() {
                whole if whole < 0.85 => Opening::whole(face),
                narrow if narrow < 0.95 => Opening::door(face).along(20.0 * narrow - 17.0),
                _ => continue,
            };
            plan.join(rooms[index], rooms[other], opening);
        }
    }
    finish(plan)
}

/// Every world that tests look at, by name.
pub(crate) fn worlds() -> Vec<(String, MadeWorld)> {
    let mut worlds = vec![
        ("two rooms".to_owned(), samples::two_rooms().unwrap()),
        ("house on a hill".to_owned(), samples::house_on_a_hill().unwrap()),
        ("border houses".to_owned(), samples::border_houses().unwrap()),
        ("plain".to_owned(), samples::plain(3, 2).unwrap()),
        #[cfg(feature = "builtin")]
        ("built-in".to_owned(), threshold_forge::builtin(threshold_forge::SEED).unwrap()),
        ("ring".to_owned(), ring()),
        ("tilted".to_owned(), tilted()),
        ("slanted".to_owned(), slanted()),
        ("manor".to_owned(), manor(0.9)),
        ("cluttered".to_owned(), cluttered().0),
        ("hall".to_owned(), hall()),
        ("dungeon askew".to_owned(), askew(5)),
    ];
    for (seed, rooms) in (0..8).zip((40..).step_by(7)) {
        let name = format!("dungeon of seed {seed}");
        worlds.push((name, samples::dungeon(rooms, seed).unwrap()));
    }
    worlds
}
