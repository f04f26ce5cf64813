//! The slow reference: every polygon of every cell as plain corners in f64, without trees, grids or bounds.
//!
//! It follows the definition of the manual by other means: planes from the corners, times as roots of a quadratic,
//! distances by triangles, first touches by bisection.

#![allow(dead_code, reason = "every test file uses some of it")]

pub(crate) mod questions;
pub(crate) mod reach;
pub(crate) mod shapes;
pub(crate) mod volumes;

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::vector::{DVec2, DVec3, Vec3};
use threshold_land::{BlockId, CellId, Space, block_offset_between};
use threshold_query::{HitTarget, ObjectShape, QueryFilter};
use threshold_world::{Object, PieceId, PortalSide, Room, Solid, State, World};

pub(crate) use self::shapes::{Face, Path, Round, Span};

/// Tolerance of the definition: when a cell counts, and how far behind a polygon a cast may start.
pub(crate) const MARGIN: f64 = 0.0002;

/// A portal of a room.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) other: Option<CellId>,
    /// Its normal points out of its room.
    pub(crate) face: Face,
}

/// A shape, and what a hit of it is called.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Face(Face),
    Round(Round),
    Point(DVec3),
}

/// A cell with its surfaces, in the frame of its landblock.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainCell {
    pub(crate) surfaces: Vec<(HitTarget, Face)>,
    pub(crate) doors: Vec<Door>,
    /// Rooms behind the doors of its building, with the numbers of their portals.
    pub(crate) entrances: Vec<(CellId, usize)>,
    pub(crate) objects: Vec<usize>,
}

/// An object with its shapes, in the frame of its own landblock.
#[derive(Clone, Debug)]
pub(crate) struct PlainObject {
    pub(crate) cell: CellId,
    pub(crate) object: Object,
    pub(crate) shapes: Vec<(HitTarget, Shape)>,
}

/// A world as the reference sees it.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) cells: BTreeMap<CellId, PlainCell>,
    pub(crate) objects: Vec<PlainObject>,
    /// All land cells, with their south-west corners.
    land: Vec<(CellId, DVec2)>,
}

/// How much larger polygons and portals are than they should be, in metres: what depends on it is decided by rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slack {
    pub(crate) polygons: f64,
    pub(crate) portals: f64,
}

/// All combinations of a little more and a little less.
pub(crate) const SLACKS: [Slack; 4] = [
    Slack { polygons: 0.002, portals: 0.002 },
    Slack { polygons: -0.002, portals: 0.002 },
    Slack { polygons: 0.002, portals: -0.002 },
    Slack { polygons: -0.002, portals: -0.002 },
];

/// Nothing added.
pub(crate) const EXACT: Slack = Slack { polygons: 0.0, portals: 0.0 };

/// A cell that a path is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    pub(crate) cell: CellId,
    pub(crate) span: Span,
}

/// A hit of the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainHit {
    pub(crate) time: f64,
    pub(crate) target: HitTarget,
    /// How fast the surface is approached: what an error of the plane costs in time.
    pub(crate) approach: f64,
}

fn place(space: &Space, scale: f32, corner: &Vec3) -> DVec3 {
    let rows = space.rows.0.map(|row| row.as_dvec3());
    let at = corner.as_dvec3() * f64::from(scale);
    space.origin.as_dvec3() + rows[0] * at.x + rows[1] * at.y + rows[2] * at.z
}

fn faces<'a>(solid: &'a Solid<'a>) -> impl Iterator<Item = (u32, Face)> + 'a {
    let polygons = (0_u32..).zip(solid.tree.polygons().iter());
    polygons.filter_map(|(index, polygon)| {
        let corners = polygon.vertices.iter().map(|at| place(solid.space, solid.scale, at));
        Some((index, Face::new(corners.collect(), polygon.sides != threshold_geom::Sides::Single)?))
    })
}

impl Reference {
    pub(crate) fn new(world: &World) -> Self {
        let mut this = Self { cells: BTreeMap::new(), objects: Vec::new(), land: Vec::new() };
        for piece in world.resident() {
            match piece {
                PieceId::Room(cell) => this.add_room(world.room(cell).unwrap()),
                PieceId::Land(block) => this.add_land(world, block),
            }
        }
        world.objects().for_each(|object| this.add_object(object));
        this
    }

    fn add_room(&mut self, room: &Room) {
        let solid = Solid { tree: &room.structure().physics, space: room.space(), scale: 1.0 };
        let cell = room.id();
        let name = |(polygon, face)| (HitTarget::Room { cell, polygon }, face);
        let door = |portal: &threshold_world::Portal| {
            let corners = room.portal_polygon(portal).vertices;
            let corners = corners.iter().map(|at| place(room.space(), 1.0, at)).collect();
            let mut face = Face::new(corners, true).unwrap();
            if portal.side == PortalSide::Behind {
                face.turn();
            }
            Door { other: portal.other, face }
        };
        let doors = room.portals().iter().map(door).collect();
        let surfaces = faces(&solid).map(name).collect();
        self.cells.insert(cell, PlainCell { surfaces, doors, ..PlainCell::default() });
    }

    fn add_land(&mut self, world: &World, block: BlockId) {
        let land = world.land(block).unwrap();
        for low in 1..=64_u16 {
            let (cell, index) = (block.cell(low), usize::from(low) - 1);
            let ground = [2 * index, 2 * index + 1].map(|number| {
                let corners = land.terrain().triangle(number).map(Vec3::as_dvec3).to_vec();
                let triangle = u32::try_from(number).unwrap();
                (HitTarget::Ground { cell, triangle }, Face::new(corners, false).unwrap())
            });
            let (x, y) = ((index / 8) as f64, (index % 8) as f64);
            self.land.push((cell, DVec2::new(x, y) * 24.0));
            let plain = PlainCell { surfaces: ground.into(), ..PlainCell::default() };
            self.cells.insert(cell, plain);
        }
        for building in land.buildings() {
            let cell = building.position.cell;
            let plain = self.cells.get_mut(&cell).unwrap();
            if let Some(shell) = building.shell() {
                let name = |(polygon, face)| (HitTarget::Shell { cell, polygon }, face);
                plain.surfaces.extend(faces(&shell).map(name));
            }
            let doors = building.portals.iter();
            plain.entrances.extend(
                doors.filter_map(|door| Some((door.other, usize::from(door.other_portal?)))),
            );
        }
    }

    fn add_object(&mut self, object: &Object) {
        let id = object.id();
        let mut shapes = Vec::new();
        if object.state().has(State::HAS_PHYSICS_TREE) {
            for (part, solid) in object.solid_parts() {
                let part = u32::try_from(part).unwrap();
                shapes.extend(faces(&solid).map(|(polygon, face)| {
                    let shape = ObjectShape::Part { part, polygon };
                    (HitTarget::Object { id, shape }, Shape::Face(face))
                }));
            }
        } else {
            let (space, scale) = (Space::new(object.position()), object.scale());
            let setup = object.setup();
            let number = |index: usize| u32::try_from(index).unwrap();
            for (index, it) in setup.cylinders.iter().enumerate() {
                let low = place(&space, scale, &it.low);
                let [radius, height] = [it.radius, it.height].map(|v| f64::from(v * scale));
                let shape = ObjectShape::Cylinder(number(index));
                let round = Round::Cylinder { low, radius, height };
                shapes.push((HitTarget::Object { id, shape }, Shape::Round(round)));
            }
            let none = !setup.cylinders.is_empty();
            for (index, it) in setup.spheres.iter().enumerate().filter(|_| !none) {
                let centre = place(&space, scale, &it.centre);
                let shape = ObjectShape::Sphere(number(index));
                let round = Round::Ball { centre, radius: f64::from(it.radius * scale) };
                shapes.push((HitTarget::Object { id, shape }, Shape::Round(round)));
            }
            if shapes.is_empty() {
                let origin = Shape::Point(object.position().frame.origin.as_dvec3());
                shapes.push((HitTarget::Object { id, shape: ObjectShape::Origin }, origin));
            }
        }
        let index = self.objects.len();
        for registered in object.cells() {
            if let Some(cell) = self.cells.get_mut(&registered.cell) {
                cell.objects.push(index);
            }
        }
        let cell = object.position().cell;
        self.objects.push(PlainObject { cell, object: object.clone(), shapes });
    }

    pub(crate) fn door(&self, (cell, number): (CellId, usize)) -> Option<&Door> {
        self.cells.get(&cell)?.doors.get(number).filter(|door| door.other.is_none())
    }

    pub(crate) fn land_cells(&self) -> impl Iterator<Item = (CellId, DVec2)> + '_ {
        self.land.iter().copied()
    }

    /// Follows a point from its cell, and returns where it is when.
    pub(crate) fn follow(&self, start: CellId, path: &Path, slack: Slack) -> Vec<Stay> {
        let mut stays = Vec::new();
        let (mut cell, mut time) = ((!start.is_outdoor()).then_some(start), 0.0);
        let mut came_by = None;
        // A point passes through fewer doors than this, or goes round in circles.
        for _ in 0..1000 {
            let leave = match cell {
                Some(cell) => self.leave_room(start, cell, path, (time, slack.portals), came_by),
                None => self.enter_building(start, path, (time, slack.portals), came_by),
            };
            let end = leave.map_or(path.length, |(at, ..)| at);
            match cell {
                Some(cell) => stays.push(Stay { cell, span: Span { from: time, to: end } }),
                None => {
                    self.add_land_stays(start, path, Span { from: time, to: end }, 0.0, &mut stays)
                }
            }
            let Some((at, next, by)) = leave else { return stays };
            if cell.is_some_and(|room| !self.cells.contains_key(&room)) {
                return stays;
            }
            (cell, time, came_by) = (next, at, Some(by));
        }
        panic!("a path without end from {start}: {path:?}");
    }

    fn leave_room(
        &self,
        start: CellId,
        cell: CellId,
        path: &Path,
        (time, slack): (f64, f64),
        came_by: Option<(CellId, usize)>,
    ) -> Option<(f64, Option<CellId>, (CellId, usize))> {
        let path = path.shifted(block_offset_between(start, cell).as_dvec3());
        let room = self.cells.get(&cell)?;
        let doors = room.doors.iter().enumerate();
        let passed = doors.filter_map(|(number, door)| {
            // The same plane is passed again only later.
            let is_back = came_by == Some((cell, number));
            let from = if is_back { time + 0.001 } else { time };
            let at = path.passes(&door.face, 1.0, from, slack)?;
            Some((at.max(time), door.other, (cell, number)))
        });
        let first = passed.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (at, other, by) = first;
        // Behind a room the portal has the name that the room behind gives it.
        let name = other.and_then(|other| {
            let doors = &self.cells.get(&other)?.doors;
            let back = doors.iter().position(|door| {
                door.face
                    .is_same(&room.doors[by.1].face, block_offset_between(cell, other).as_dvec3())
            });
            back.map(|number| (other, number))
        });
        Some((at, other, name.unwrap_or(by)))
    }

    fn enter_building(
        &self,
        start: CellId,
        path: &Path,
        (time, slack): (f64, f64),
        came_by: Option<(CellId, usize)>,
    ) -> Option<(f64, Option<CellId>, (CellId, usize))> {
        let mut first: Option<(f64, Option<CellId>, (CellId, usize))> = None;
        for (land, corner) in self.land_cells() {
            let there = path.shifted(block_offset_between(start, land).as_dvec3());
            let Some(over) = there.over(corner, 0.0) else { continue };
            let entrances = &self.cells[&land].entrances;
            for name in entrances {
                let Some(door) = self.door(*name) else { continue };
                let path = path.shifted(block_offset_between(start, name.0).as_dvec3());
                let from = if came_by == Some(*name) { time + 0.001 } else { time };
                let Some(at) = path.passes(&door.face, -1.0, from.max(over.from), slack) else {
                    continue;
                };
                let sooner = first.is_none_or(|(first, ..)| at < first);
                if at <= over.to + path.margin_at(at) && sooner {
                    first = Some((at.max(time), Some(name.0), *name));
                }
            }
        }
        first
    }

    pub(crate) fn add_land_stays(
        &self,
        start: CellId,
        path: &Path,
        within: Span,
        radius: f64,
        stays: &mut Vec<Stay>,
    ) {
        for (cell, corner) in self.land_cells() {
            let path = path.shifted(block_offset_between(start, cell).as_dvec3());
            if let Some(span) = path.over(corner, radius).and_then(|over| over.common(within)) {
                stays.push(Stay { cell, span });
            }
        }
    }

    /// Returns all shapes of a cell that pass a filter, with the offset of their landblock.
    pub(crate) fn shapes_in<'a>(
        &'a self,
        cell: CellId,
        filter: &'a QueryFilter<'_>,
    ) -> impl Iterator<Item = (HitTarget, Shape, CellId)> + 'a {
        let plain = self.cells.get(&cell);
        let counts = |target: &HitTarget| match target {
            HitTarget::Ground { .. } => filter.ground,
            HitTarget::Room { .. } => filter.rooms,
            HitTarget::Shell { .. } => filter.shells,
            _ => true,
        };
        let surfaces = plain.into_iter().flat_map(|plain| &plain.surfaces);
        let surfaces = surfaces.filter(move |(target, _)| counts(target));
        let surfaces =
            surfaces.map(move |(target, face)| (*target, Shape::Face(face.clone()), cell));
        let objects = plain.into_iter().flat_map(|plain| &plain.objects);
        let objects = objects.map(|index| &self.objects[*index]);
        let objects = objects.filter(|plain| filter.accepts(&plain.object));
        surfaces.chain(objects.flat_map(|plain| {
            let shapes = plain.shapes.iter();
            shapes.map(|(target, shape)| (*target, shape.clone(), plain.cell))
        }))
    }

    /// Returns whether a point is inside a round solid when it comes into a cell: the solid reaches into a cell in which it
    /// is not registered.
    pub(crate) fn enters_inside(
        &self,
        start: CellId,
        path: &Path,
        filter: &QueryFilter<'_>,
    ) -> bool {
        let stays = self.follow(start, path, EXACT).into_iter().filter(|stay| stay.span.from > 0.0);
        stays.into_iter().any(|Stay { cell, span }| {
            self.shapes_in(cell, filter).any(|(_, shape, frame)| {
                let at = path.at(span.from) - block_offset_between(start, frame).as_dvec3();
                matches!(shape, Shape::Round(round) if round.gap(at, 0.003) <= 0.0)
            })
        })
    }

    /// Returns everything that a point meets on its path.
    pub(crate) fn trace(
        &self,
        start: CellId,
        path: &Path,
        filter: &QueryFilter<'_>,
        slack: Slack,
    ) -> Vec<PlainHit> {
        let mut hits = BTreeMap::new();
        for Stay { cell, span } in self.follow(start, path, slack) {
            for (target, shape, frame) in self.shapes_in(cell, filter) {
                let path = path.shifted(block_offset_between(start, frame).as_dvec3());
                let both = filter.both_sides;
                let Some((time, approach)) = path.meets(&shape, both, span, slack.polygons) else {
                    continue;
                };
                let hit = PlainHit { time, target, approach };
                let known: &mut PlainHit = hits.entry(target).or_insert(hit);
                if time < known.time {
                    *known = hit;
                }
            }
        }
        let mut hits: Vec<PlainHit> = hits.into_values().collect();
        hits.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.target.cmp(&b.target)));
        hits
    }
}

/// Returns the targets of hits as a set.
pub(crate) fn targets(hits: &[PlainHit]) -> BTreeSet<HitTarget> {
    hits.iter().map(|hit| hit.target).collect()
}
