//! Models and rooms as triangles.

mod portal_overlap;
mod t_junctions;
mod untextured;

use std::collections::BTreeMap;

use threshold_dat::{
    CellStructure, EnvCell, GfxObj, IndexedPolygon, PolygonSides, Polygons, RecordId, Records,
    VertexArray, stippling,
};
use threshold_land::vector::{Vec2, Vec3};

use self::t_junctions::Face;
use self::untextured::UntexturedSurfaces;

/// A vertex of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshVertex {
    /// In metres.
    pub position: Vec3,
    /// Of unit length, for lighting.
    pub normal: Vec3,
    /// Texture coordinates; the texture may repeat.
    pub uv: Vec2,
    /// Index of its surface in [`Mesh::surfaces`].
    pub surface: u16,
    /// Whether the texture repeats; otherwise it is clamped.
    pub tiled: bool,
    /// Id of its polygon.
    pub polygon: u16,
}

/// A triangle list, counter-clockwise seen from the visible side. Adjacent faces share whole edges, so that no gaps show
/// between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Three vertices per triangle.
    pub vertices: Vec<MeshVertex>,
    /// Surfaces of the triangles.
    pub surfaces: Vec<RecordId>,
}

/// Material of a triangle: a surface, and how its texture continues beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialKey {
    /// The surface; [`SurfaceMaterial::read`](crate::material::SurfaceMaterial::read) reads it.
    pub surface: RecordId,
    /// Whether the texture repeats; otherwise it is clamped.
    pub tiled: bool,
}

/// Whether the portal polygons of a model are part of its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalPolygons {
    /// All polygons are kept.
    Kept,
    /// Polygons without a texture, of their own or of their surface, are left out: the portals of a building.
    Omitted,
}

impl Mesh {
    /// Builds the mesh of a model from its polygons alone. Portals that only their surface distinguishes from walls are
    /// kept.
    pub fn of_model(model: &GfxObj, portals: PortalPolygons) -> Self {
        Self::of_polygons(model, portals, &UntexturedSurfaces::default())
    }

    /// Builds the mesh of a model. Surfaces are read only to find the portals to omit.
    pub(crate) fn read_model(
        model: &GfxObj,
        portals: PortalPolygons,
        records: &mut Records<'_>,
    ) -> Self {
        match portals {
            PortalPolygons::Kept => Self::of_model(model, portals),
            PortalPolygons::Omitted => Self::of_polygons(
                model,
                portals,
                &UntexturedSurfaces::among(&model.surfaces, records),
            ),
        }
    }

    fn of_polygons(
        model: &GfxObj,
        portals: PortalPolygons,
        untextured: &UntexturedSurfaces,
    ) -> Self {
        let mut mesh = Self { vertices: Vec::new(), surfaces: model.surfaces.clone() };
        if let Some(drawing) = &model.drawing {
            mesh.add_all(&model.vertices, &drawing.polygons, untextured, |polygon| {
                portals == PortalPolygons::Kept || polygon.stippling & stippling::NO_FRONT_UVS == 0
            });
        }
        mesh
    }

    /// Builds the mesh of a room without its portals, from its polygons alone. Portals that only their surface
    /// distinguishes from walls are kept.
    pub fn of_room(room: &EnvCell, structure: &CellStructure) -> Self {
        Self::of_structure(room.surface_ids().collect(), structure, &UntexturedSurfaces::default())
    }

    /// Builds the mesh of a room without its portals.
    pub(crate) fn read_room(
        room: &EnvCell,
        structure: &CellStructure,
        records: &mut Records<'_>,
    ) -> Self {
        Self::read_walls(room.surface_ids().collect(), structure, records)
    }

    /// Builds the mesh of a structure with these surfaces.
    pub(crate) fn read_walls(
        surfaces: Vec<RecordId>,
        structure: &CellStructure,
        records: &mut Records<'_>,
    ) -> Self {
        let untextured = UntexturedSurfaces::among(&surfaces, records);
        Self::of_structure(surfaces, structure, &untextured)
    }

    fn of_structure(
        surfaces: Vec<RecordId>,
        structure: &CellStructure,
        untextured: &UntexturedSurfaces,
    ) -> Self {
        let mut mesh = Self { vertices: Vec::new(), surfaces };
        mesh.add_all(&structure.vertices, &structure.drawing, untextured, |polygon| {
            let is_open = polygon.stippling & stippling::NO_FRONT_UVS != 0;
            !is_open && !structure.portals.contains(&polygon.id)
        });
        mesh
    }

    /// Extends all faces that end at a portal of the room slightly beyond it. A renderer that draws room after room then
    /// leaves no pixel gaps at portals.
    pub fn extend_through_portals(&mut self, structure: &CellStructure) {
        let outline = |id: &u16| -> Option<Vec<Vec3>> {
            let polygon = structure.drawing.by_id(*id)?;
            let corner = |id: &u16| Some(structure.vertices.by_id(*id)?.position);
            polygon.vertex_ids.iter().map(corner).collect()
        };
        let ids: std::collections::BTreeSet<&u16> = structure.portals.iter().collect();
        let portals: Vec<Vec<Vec3>> = ids.into_iter().filter_map(outline).collect();
        let overlap = portal_overlap::overlap_triangles(&self.vertices, &portals);
        self.vertices.extend(overlap);
    }

    /// Returns the material of a vertex; all vertices of a triangle have the same. `None` for a vertex of another mesh.
    pub fn material(&self, vertex: &MeshVertex) -> Option<MaterialKey> {
        let surface = *self.surfaces.get(usize::from(vertex.surface))?;
        Some(MaterialKey { surface, tiled: vertex.tiled })
    }

    /// Groups the triangles by material: indices into [`vertices`](Self::vertices), three per triangle, in their order.
    pub fn indices_by_material(&self) -> BTreeMap<MaterialKey, Vec<u32>> {
        let mut groups: BTreeMap<MaterialKey, Vec<u32>> = BTreeMap::new();
        for (index, vertex) in (0..).zip(&self.vertices) {
            if let Some(material) = self.material(vertex) {
                groups.entry(material).or_default().push(index);
            }
        }
        groups
    }

    fn add_all(
        &mut self,
        vertices: &VertexArray,
        polygons: &Polygons,
        untextured: &UntexturedSurfaces,
        is_drawn: impl Fn(&IndexedPolygon<'_>) -> bool,
    ) {
        let mut faces = Vec::new();
        for polygon in polygons.iter().filter(is_drawn) {
            let sides: &[Side] = match polygon.sides {
                PolygonSides::SINGLE => &[Side::Front],
                _ => &[Side::Front, Side::Back],
            };
            let shown = sides.iter().filter_map(|side| self.face(vertices, &polygon, *side));
            faces.extend(shown.filter(|face| !untextured.has(face.surface())));
        }
        t_junctions::remove(&mut faces);
        faces.iter().for_each(|face| t_junctions::triangles(face, &mut self.vertices));
    }

    /// Returns one side of a polygon; `None` if it refers to missing vertices or surfaces.
    fn face(
        &self,
        vertices: &VertexArray,
        polygon: &IndexedPolygon<'_>,
        side: Side,
    ) -> Option<Face> {
        let (surface, uvs, tiled) = match side {
            Side::Front => (polygon.front_surface, polygon.front_uvs, stippling::FRONT_TILED),
            Side::Back => {
                let own = polygon.sides == PolygonSides::TWO_SURFACES;
                let bit = if own { stippling::BACK_TILED } else { stippling::FRONT_TILED };
                (polygon.shown_back_surface(), polygon.shown_back_uvs(), bit)
            }
        };
        let surface = u16::try_from(surface).ok()?;
        self.surfaces.get(usize::from(surface))?;
        let tiles = polygon.stippling & tiled != 0;
        let corner = |(place, id): (usize, &u16)| {
            let vertex = vertices.by_id(*id)?;
            let uv = uvs.get(place).and_then(|uv| vertex.uvs.get(usize::from(*uv)));
            Some(MeshVertex {
                position: vertex.position,
                normal: if side == Side::Back { -vertex.normal } else { vertex.normal },
                uv: uv.copied().filter(|uv| uv.is_finite()).unwrap_or_default(),
                surface,
                tiled: tiles,
                polygon: polygon.id,
            })
        };
        let corners: Option<Vec<MeshVertex>> =
            polygon.vertex_ids.iter().enumerate().map(corner).collect();
        let mut corners = corners.filter(|corners| corners.len() > 2)?;
        if side == Side::Back {
            corners.reverse();
        }
        repeat_beyond_edges(&mut corners);
        normalise(&mut corners);
        Some(Face::new(corners))
    }
}

/// Makes a texture repeat if its coordinates lie beyond its edges, where clamping would smear it.
fn repeat_beyond_edges(corners: &mut [MeshVertex]) {
    let is_beyond = |corner: &MeshVertex| {
        corner.uv.min_element() < -CLAMP_TOLERANCE
            || corner.uv.max_element() > 1.0 + CLAMP_TOLERANCE
    };
    if corners.iter().any(is_beyond) {
        corners.iter_mut().for_each(|corner| corner.tiled = true);
    }
}

/// Normalises the normals. The normal of the face replaces one of no length or that is not finite, which would turn all
/// shaded pixels into NaN.
fn normalise(corners: &mut [MeshVertex]) {
    let facing = t_junctions::area(corners).try_normalize().unwrap_or(Vec3::Z);
    for corner in corners {
        corner.normal = corner.normal.try_normalize().unwrap_or(facing);
    }
}

/// Distance of texture coordinates beyond the edge that is still clamped.
const CLAMP_TOLERANCE: f32 = 0.01;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::Records;

    /// A square with a side of 2 m and one texture repeat.
    fn model(sides: PolygonSides, stippling: u8) -> GfxObj {
        let mut vertices = VertexArray::default();
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        for (id, [x, y]) in (0..).zip(corners) {
            let (position, normal) = (Vec3::new(x, y, 0.0), Vec3::Z);
            let vertex =
                threshold_dat::Vertex { id, position, normal, uvs: &[Vec2::new(x, y) / 2.0] };
            vertices.push(vertex).unwrap();
        }
        let mut polygons = Polygons::default();
        let uvs: &[u8] = if stippling & stippling::NO_FRONT_UVS == 0 { &[0; 4] } else { &[] };
        polygons
            .push(IndexedPolygon {
                id: 0,
                stippling,
                sides,
                front_surface: 0,
                back_surface: 0,
                vertex_ids: &[0, 1, 2, 3],
                front_uvs: uvs,
                back_uvs: &[],
            })
            .unwrap();
        let tree = threshold_dat::BspTree::default();
        GfxObj {
            id: RecordId(0x0100_0001),
            other_flags: 0,
            surfaces: vec![RecordId(0x0800_0001)],
            vertices,
            physics: None,
            sort_centre: Vec3::ZERO,
            drawing: Some(threshold_dat::BspMesh { polygons, tree }),
            degrade: None,
        }
    }

    const SOLID: RecordId = RecordId(0x0800_0001);
    const IMAGE: RecordId = RecordId(0x0800_0002);

    fn surfaces() -> threshold_dat::RecordSet {
        use threshold_dat::{Colour, Surface, SurfaceFill, surface_type};
        let image = SurfaceFill::Image { texture: RecordId(0x0500_0001), palette: RecordId::NONE };
        let solid = SurfaceFill::Colour(Colour(0));
        let mut set = threshold_dat::RecordSet::new();
        for (id, surface_type, fill) in
            [(SOLID, surface_type::SOLID, solid), (IMAGE, surface_type::IMAGE, image)]
        {
            let (translucency, luminosity, diffuse) = (0.0, 0.0, 1.0);
            let surface = Surface { surface_type, fill, translucency, luminosity, diffuse };
            set.put(id, &surface).unwrap();
        }
        set
    }

    fn mesh(model: &GfxObj, portals: PortalPolygons) -> Mesh {
        Mesh::read_model(model, portals, &mut Records::new(&surfaces()))
    }

    fn normals(mesh: &Mesh) -> Vec<f32> {
        let triangles = mesh.vertices.as_chunks::<3>().0;
        triangles
            .iter()
            .map(|[a, b, c]| (b.position - a.position).cross(c.position - a.position).normalize().z)
            .collect()
    }

    #[test]
    fn a_polygon_is_a_fan_and_its_back_faces_the_other_way() {
        let one = mesh(&model(PolygonSides::SINGLE, 0), PortalPolygons::Kept);
        assert_eq!(normals(&one), [1.0, 1.0]);
        let both = mesh(&model(PolygonSides::DOUBLE, 0), PortalPolygons::Kept);
        assert_eq!(normals(&both), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(both.vertices[6].normal, -Vec3::Z);
    }

    #[test]
    fn portals_of_buildings_are_left_out() {
        let untextured = model(PolygonSides::SINGLE, stippling::NO_FRONT_UVS);
        assert_eq!(mesh(&untextured, PortalPolygons::Omitted).vertices, []);
        assert_eq!(mesh(&untextured, PortalPolygons::Kept).vertices.len(), 6);
    }

    #[test]
    fn portals_whose_surface_has_no_texture_were_drawn_as_walls() {
        let mut shell = model(PolygonSides::SINGLE, 0);
        shell.surfaces = vec![SOLID, IMAGE];
        // The front has a solid colour; the back has the texture.
        let polygons = &mut shell.drawing.as_mut().unwrap().polygons;
        let polygon = polygons.iter().next().unwrap();
        let mut changed = Polygons::default();
        let (sides, back_uvs) = (PolygonSides::TWO_SURFACES, &[0; 4]);
        changed.push(IndexedPolygon { sides, back_surface: 1, back_uvs, ..polygon }).unwrap();
        *polygons = changed;
        assert_eq!(
            mesh(&shell, PortalPolygons::Kept).vertices.len(),
            12,
            "objects keep solid colours"
        );
        let shown = mesh(&shell, PortalPolygons::Omitted);
        assert_eq!(normals(&shown), [-1.0, -1.0]);
        assert!(shown.vertices.iter().all(|corner| corner.surface == 1));
        shell.surfaces = vec![SOLID, SOLID];
        assert_eq!(mesh(&shell, PortalPolygons::Omitted).vertices.len(), 12, "a world of colours");
    }

    #[test]
    fn portals_of_rooms_whose_surface_has_no_texture_were_drawn_as_walls() {
        let world = threshold_forge::samples::two_rooms().unwrap();
        let mut records = Records::new(&world);
        let room: EnvCell = records.get(RecordId(0x0102_0100)).unwrap().unwrap();
        let environment: threshold_dat::Environment =
            records.get(room.environment_id()).unwrap().unwrap();
        let mut structure = environment.structure(u32::from(room.structure)).unwrap().clone();
        // Without the list, only its surface distinguishes the portal from a wall.
        let portal = structure.portals.first().copied().unwrap();
        structure.portals = Box::default();
        let mut polygons = Polygons::default();
        for polygon in structure.drawing.iter() {
            let is_portal = polygon.id == portal;
            polygons
                .push(IndexedPolygon {
                    stippling: 0,
                    front_surface: i16::from(!is_portal),
                    front_uvs: &[0; 16][..polygon.vertex_ids.len()],
                    ..polygon
                })
                .unwrap();
        }
        structure.drawing = polygons;
        let set = surfaces();
        let walls = Mesh::read_walls(vec![SOLID, IMAGE], &structure, &mut Records::new(&set));
        assert!(!walls.vertices.is_empty());
        assert!(walls.vertices.iter().all(|corner| corner.polygon != portal));
    }

    #[test]
    fn normals_of_no_length_became_nan_and_turned_faces_black() {
        let mut model = model(PolygonSides::DOUBLE, 0);
        let odd = [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::splat(f32::INFINITY), Vec3::X * 3.0];
        let mut vertices = VertexArray::default();
        for (vertex, normal) in model.vertices.iter().zip(odd) {
            vertices.push(threshold_dat::Vertex { normal, ..vertex }).unwrap();
        }
        model.vertices = vertices;
        let normals: Vec<Vec3> = mesh(&model, PortalPolygons::Kept)
            .vertices
            .iter()
            .map(|corner| corner.normal)
            .collect();
        assert_eq!(normals[..3], [Vec3::Z; 3]);
        assert_eq!(normals[5], Vec3::X);
        assert!(normals[6..].contains(&Vec3::NEG_X) && normals[6..].contains(&Vec3::NEG_Z));
        assert!(normals.iter().all(|normal| normal.is_normalized()), "{normals:?}");
    }

    #[test]
    fn a_room_has_all_its_walls_and_no_portal() {
        let world = threshold_forge::samples::two_rooms().unwrap();
        let mut records = Records::new(&world);
        let room: EnvCell = records.get(RecordId(0x0102_0100)).unwrap().unwrap();
        let environment: threshold_dat::Environment =
            records.get(room.environment_id()).unwrap().unwrap();
        let structure = environment.structure(u32::from(room.structure)).unwrap();
        let mesh = Mesh::read_room(&room, structure, &mut records);
        // Floor, ceiling and three walls of two triangles each; the fourth wall is a portal.
        assert_eq!(mesh.vertices.len(), 5 * 2 * 3);
    }

    #[test]
    fn no_wall_of_the_sample_files_is_left_out() {
        use std::collections::BTreeSet;
        use threshold_dat::{DatFolder, Environment, FileKind, RecordKind, Source};
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
        for name in ["holt", "dungeon"] {
            let folder = DatFolder::open(&data.join(name)).unwrap();
            let mut records = Records::new(&folder);
            let is_room =
                |id: &RecordId| RecordKind::from_id(FileKind::Cell, *id) == RecordKind::EnvCell;
            for id in folder.ids(FileKind::Cell).into_iter().filter(is_room) {
                let room: EnvCell = records.get(id).unwrap().unwrap();
                let shapes: Environment = records.get(room.environment_id()).unwrap().unwrap();
                let structure = shapes.structure(u32::from(room.structure)).unwrap();
                let mesh = Mesh::read_room(&room, structure, &mut records);
                let shown: BTreeSet<u16> = mesh.vertices.iter().map(|it| it.polygon).collect();
                let all = structure.drawing.iter().map(|polygon| polygon.id);
                let walls: BTreeSet<u16> =
                    all.filter(|id| !structure.portals.contains(id)).collect();
                assert_eq!(shown, walls, "{name} {id}");
            }
        }
    }
}
