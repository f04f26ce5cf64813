//! All drawn triangles of a world, in double precision, by the cell or landblock they are drawn with.

use std::collections::BTreeMap;

use threshold_dat::{
    EnvCell, Environment, GfxObj, RecordId, Records, Source, Surface, surface_type,
};
use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{BlockId, CellId, Frame, block_offset_between};
use threshold_render::flat_colour;
use threshold_visuals::ground::DRAW_OFFSET;
use threshold_visuals::mesh::{Mesh, PortalPolygons};
use threshold_world::{Object, ObjectId, PieceId, World};

/// A triangle in the frame of a landblock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    at: DVec3,
    sides: [DVec3; 2],
    pub(crate) colour: [u8; 3],
    /// Neither with holes nor translucent.
    pub(crate) is_plain: bool,
}

impl Triangle {
    fn turned(mut self) -> Self {
        self.sides.reverse();
        self
    }

    /// Returns where a ray meets its front, in lengths of the ray.
    pub(crate) fn meets(&self, from: DVec3, ray: DVec3) -> Option<f64> {
        let [u, v] = self.sides;
        let normal = u.cross(v);
        let approach = normal.dot(ray);
        if approach >= 0.0 {
            return None;
        }
        let time = normal.dot(self.at - from) / approach;
        let at = from + ray * time - self.at;
        let (a, b) = (normal.dot(at.cross(v)), normal.dot(u.cross(at)));
        (a >= 0.0 && b >= 0.0 && a + b <= normal.length_squared()).then_some(time)
    }
}

/// Triangles with a bounding box.
#[derive(Clone, Debug)]
pub(crate) struct TriangleGroup {
    low: DVec3,
    high: DVec3,
    pub(crate) triangles: Vec<Triangle>,
}

impl TriangleGroup {
    fn new(triangles: Vec<Triangle>) -> Self {
        let corners =
            triangles.iter().flat_map(|it| [it.at, it.at + it.sides[0], it.at + it.sides[1]]);
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = corners.fold(none, |(low, high), at| (low.min(at), high.max(at)));
        Self { low: low - 1e-6, high: high + 1e-6, triangles }
    }

    pub(crate) fn may_meet(&self, from: DVec3, ray: DVec3) -> bool {
        let (a, b) = ((self.low - from) / ray, (self.high - from) / ray);
        let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
        leave >= enter.max(0.0)
    }
}

/// Everything drawn with a landblock or a room.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stock {
    pub(crate) groups: Vec<TriangleGroup>,
}

impl Stock {
    /// Returns the distance to the first surface on a ray from either side, and whether its front is hit.
    pub(crate) fn first(&self, from: DVec3, ray: DVec3) -> Option<(f64, bool)> {
        let groups = self.groups.iter().filter(|group| group.may_meet(from, ray));
        let hits = groups.flat_map(|group| &group.triangles).filter_map(|triangle| {
            let front = triangle.meets(from, ray).map(|far| (far, true));
            front.or_else(|| triangle.turned().meets(from, ray).map(|far| (far, false)))
        });
        hits.filter(|hit| hit.0 >= 0.0).min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// All drawn triangles of a world.
pub(crate) struct Geometry {
    pub(crate) lands: BTreeMap<BlockId, Stock>,
    pub(crate) rooms: BTreeMap<CellId, Stock>,
}

impl Geometry {
    pub(crate) fn new(world: &World, source: &dyn Source) -> Self {
        let mut taker = Taker { world, source, meshes: BTreeMap::new(), plain: BTreeMap::new() };
        let mut all = Self { lands: BTreeMap::new(), rooms: BTreeMap::new() };
        for piece in world.resident() {
            match piece {
                PieceId::Land(block) => {
                    all.lands.insert(block, taker.land(block));
                }
                PieceId::Room(cell) => {
                    all.rooms.insert(cell, taker.room(cell));
                }
            }
        }
        all
    }

    /// Returns the name of the polygon of a colour.
    pub(crate) fn name(&self, colour: [u8; 3]) -> String {
        if colour == super::CLEAR {
            return "nothing".to_owned();
        }
        let ids = self.lands.keys().map(|block| block.as_cell()).chain(self.rooms.keys().copied());
        let mut all = ids.flat_map(|id| (0..2000).map(move |polygon| (id, polygon)));
        let found = all.find(|(id, polygon)| flat_colour(id.0, *polygon) == colour);
        found.map_or_else(
            || format!("{colour:?}"),
            |(id, polygon)| format!("polygon {polygon} of {id}"),
        )
    }

    /// Returns the colours of the landscape that nothing indoors has.
    pub(crate) fn land_colours(&self) -> std::collections::BTreeSet<[u8; 3]> {
        let colours = |stock: &Stock| -> Vec<[u8; 3]> {
            stock.groups.iter().flat_map(|it| &it.triangles).map(|it| it.colour).collect()
        };
        let mut all: std::collections::BTreeSet<_> =
            self.lands.values().flat_map(colours).collect();
        for colour in self.rooms.values().flat_map(colours) {
            all.remove(&colour);
        }
        all
    }
}

struct Taker<'w> {
    world: &'w World,
    source: &'w dyn Source,
    meshes: BTreeMap<(RecordId, bool), Mesh>,
    plain: BTreeMap<RecordId, bool>,
}

impl Taker<'_> {
    fn land(&mut self, block: BlockId) -> Stock {
        let land = self.world.land(block).unwrap();
        let id = block.as_cell();
        let ground = (0..128_u16).map(|number| {
            let corners = land.terrain().triangle(usize::from(number));
            let corners = corners.map(|corner| (corner - Vec3::Z * DRAW_OFFSET).as_dvec3());
            triangle(corners, flat_colour(id.0, u32::from(number)), true)
        });
        let mut groups = vec![TriangleGroup::new(ground.collect())];
        for building in land.buildings() {
            for part in &building.setup.parts {
                let frame = building.position.frame.combine(&part.pose);
                let mesh = self.model(part.model.id, PortalPolygons::Omitted);
                groups.extend(self.group(&mesh, &frame, part.scale, id));
            }
        }
        let mut objects: Vec<ObjectId> =
            (1..=64).flat_map(|low| still(self.world, block.cell(low))).collect();
        objects.sort_unstable();
        objects.dedup();
        self.add_objects(&objects, id, &mut groups);
        Stock { groups }
    }

    fn room(&mut self, cell: CellId) -> Stock {
        let mut records = Records::new(self.source);
        let record: EnvCell = records.get(cell.into()).unwrap().unwrap();
        let shapes: Environment = records.get(record.environment_id()).unwrap().unwrap();
        let mesh = Mesh::of_room(&record, shapes.structure(u32::from(record.structure)).unwrap());
        let frame = self.world.room(cell).unwrap().position().frame;
        let mut groups: Vec<TriangleGroup> =
            self.group(&mesh, &frame, Vec3::ONE, cell).into_iter().collect();
        let objects: Vec<ObjectId> = still(self.world, cell).collect();
        self.add_objects(&objects, cell, &mut groups);
        Stock { groups }
    }

    fn add_objects(&mut self, objects: &[ObjectId], cell: CellId, groups: &mut Vec<TriangleGroup>) {
        let world = self.world;
        for object in objects.iter().filter_map(|id| world.object(*id)) {
            let offset = block_offset_between(cell, object.position().cell);
            for (number, part) in object.setup().parts.iter().enumerate() {
                let mut frame = object.part_position(number).unwrap().frame;
                frame.origin += offset;
                let mesh = self.model(part.model.id, PortalPolygons::Kept);
                let scale = object.part_scale(number).unwrap();
                groups.extend(self.group(&mesh, &frame, scale, cell));
            }
        }
    }

    fn model(&mut self, id: RecordId, openings: PortalPolygons) -> Mesh {
        let source = self.source;
        let read = || Records::new(source).get::<GfxObj>(id).ok().flatten();
        let mesh = self.meshes.entry((id, openings == PortalPolygons::Omitted));
        mesh.or_insert_with(|| {
            read().map(|model| Mesh::of_model(&model, openings)).unwrap_or_default()
        })
        .clone()
    }

    fn group(
        &mut self,
        mesh: &Mesh,
        frame: &Frame,
        scale: Vec3,
        cell: CellId,
    ) -> Option<TriangleGroup> {
        let rows = frame.rotation.rows().0.map(Vec3::as_dvec3);
        let place = |at: Vec3| {
            let at = at.as_dvec3() * scale.as_dvec3();
            rows[0] * at.x + rows[1] * at.y + rows[2] * at.z + frame.origin.as_dvec3()
        };
        let triangles: Vec<Triangle> = mesh
            .vertices
            .as_chunks::<3>()
            .0
            .iter()
            .map(|corners| {
                let surface = mesh.surfaces[usize::from(corners[0].surface)];
                let colour = flat_colour(cell.0, u32::from(corners[0].polygon));
                triangle(corners.map(|it| place(it.position)), colour, self.is_plain(surface))
            })
            .collect();
        (!triangles.is_empty()).then(|| TriangleGroup::new(triangles))
    }

    fn is_plain(&mut self, id: RecordId) -> bool {
        let source = self.source;
        *self.plain.entry(id).or_insert_with(|| {
            let surface = Records::new(source).get::<Surface>(id).ok().flatten();
            let sheer = surface_type::CLIP_MAP
                | surface_type::ALPHA
                | surface_type::INVERSE_ALPHA
                | surface_type::ADDITIVE
                | surface_type::TRANSLUCENT;
            surface.is_none_or(|it| it.surface_type & sheer == 0 && it.translucency <= 0.0)
        })
    }
}

fn triangle([a, b, c]: [DVec3; 3], colour: [u8; 3], is_plain: bool) -> Triangle {
    Triangle { at: a, sides: [b - a, c - a], colour, is_plain }
}

/// Returns the objects of a cell that never move.
fn still(world: &World, cell: CellId) -> impl Iterator<Item = ObjectId> {
    world.objects_in(cell).map(Object::id).filter(|id| id.as_body().is_none())
}
