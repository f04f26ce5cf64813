//! Models and rooms as triangles.

mod lips;
mod seams;

use threshold_dat::{
    CellStructure, EnvCell, GfxObj, Polygon, Polygons, RecordId, Sides, VertexArray, stippling,
};
use threshold_land::glam::{Vec2, Vec3};

use self::seams::Face;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// In metres.
    pub position: Vec3,
    /// Of unit length, for lighting.
    pub normal: Vec3,
    /// Where in the picture, which may repeat.
    pub uv: Vec2,
    /// What it shows, by its place in [`Mesh::surfaces`].
    pub surface: u16,
    /// Whether the picture repeats; otherwise it ends at its edges.
    pub tiled: bool,
    /// The polygon it belongs to, by its id.
    pub polygon: u16,
}

/// Triangles, counter-clockwise seen from the side that shows. Faces that meet in a record have whole edges in common here, so that
/// nothing shows between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Three in a row are a triangle.
    pub vertices: Vec<Vertex>,
    /// What they show.
    pub surfaces: Vec<RecordId>,
}

/// Which polygons of a model are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openings {
    /// None.
    Drawn,
    /// Those without a picture: the openings of a building.
    LeftOut,
}

impl Mesh {
    /// A model.
    pub fn of_model(model: &GfxObj, openings: Openings) -> Self {
        let mut mesh = Self { vertices: Vec::new(), surfaces: model.surfaces.clone() };
        if let Some(drawing) = &model.drawing {
            mesh.add_all(&model.vertices, &drawing.polygons, |polygon| {
                openings == Openings::Drawn || polygon.stippling & stippling::NO_FRONT_UVS == 0
            });
        }
        mesh
    }

    /// A room, without its openings.
    pub fn of_room(room: &EnvCell, structure: &CellStructure) -> Self {
        Self::of_walls(room.surface_ids().collect(), structure)
    }

    /// The walls of a room that has these surfaces.
    pub(crate) fn of_walls(surfaces: Vec<RecordId>, structure: &CellStructure) -> Self {
        let mut mesh = Self { vertices: Vec::new(), surfaces };
        mesh.add_all(&structure.vertices, &structure.drawing, |polygon| {
            let is_bare = polygon.stippling & stippling::NO_FRONT_UVS != 0;
            !is_bare && !structure.portals.contains(&polygon.id)
        });
        mesh
    }

    /// Lets everything that ends at an opening of a room go on a little beyond it, for those who draw one room after the other: no pixel
    /// is left between them.
    pub fn reach_through(&mut self, structure: &CellStructure) {
        let opening = |id: &u16| -> Option<Vec<Vec3>> {
            let polygon = structure.drawing.by_id(*id)?;
            let corner = |id: &u16| Some(structure.vertices.by_id(*id)?.position);
            polygon.vertex_ids.iter().map(corner).collect()
        };
        let ids: std::collections::BTreeSet<&u16> = structure.portals.iter().collect();
        let openings: Vec<Vec<Vec3>> = ids.into_iter().filter_map(opening).collect();
        let lips = lips::lips(&self.vertices, &openings);
        self.vertices.extend(lips);
    }

    fn add_all(
        &mut self,
        vertices: &VertexArray,
        polygons: &Polygons,
        is_drawn: impl Fn(&Polygon<'_>) -> bool,
    ) {
        let mut faces = Vec::new();
        for polygon in polygons.iter().filter(is_drawn) {
            faces.extend(self.face(vertices, &polygon, Side::Front));
            if polygon.sides != Sides::SINGLE {
                faces.extend(self.face(vertices, &polygon, Side::Back));
            }
        }
        seams::mend(&mut faces);
        faces.iter().for_each(|face| seams::triangles(face, &mut self.vertices));
    }

    /// One side of a polygon; `None` if it names vertices or surfaces that are not there.
    fn face(&self, vertices: &VertexArray, polygon: &Polygon<'_>, side: Side) -> Option<Face> {
        let (surface, uvs, tiled) = match side {
            Side::Front => (polygon.front_surface, polygon.front_uvs, stippling::FRONT_TILED),
            Side::Back => {
                let own = polygon.sides == Sides::TWO_SURFACES;
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
            Some(Vertex {
                position: vertex.position,
                normal: if side == Side::Back { -vertex.normal } else { vertex.normal },
                uv: uv.copied().unwrap_or_default(),
                surface,
                tiled: tiles,
                polygon: polygon.id,
            })
        };
        let corners: Option<Vec<Vertex>> =
            polygon.vertex_ids.iter().enumerate().map(corner).collect();
        let mut corners = corners.filter(|corners| corners.len() > 2)?;
        // Beyond its edge a picture that does not repeat would smear, which nobody means.
        let is_beyond = |corner: &Vertex| {
            corner.uv.min_element() < -BEYOND || corner.uv.max_element() > 1.0 + BEYOND
        };
        if corners.iter().any(is_beyond) {
            corners.iter_mut().for_each(|corner| corner.tiled = true);
        }
        if side == Side::Back {
            corners.reverse();
        }
        Some(Face::new(corners))
    }
}

/// How far beyond its edge a picture may be used before it repeats.
const BEYOND: f32 = 0.01;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::Records;

    /// A square with two sides, of 2 m and one picture a metre.
    fn model(sides: Sides, stippling: u8) -> GfxObj {
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
            .push(Polygon {
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
            drawing: Some(threshold_dat::Mesh { polygons, tree }),
            degrade: None,
        }
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
        let one = Mesh::of_model(&model(Sides::SINGLE, 0), Openings::Drawn);
        assert_eq!(normals(&one), [1.0, 1.0]);
        let both = Mesh::of_model(&model(Sides::DOUBLE, 0), Openings::Drawn);
        assert_eq!(normals(&both), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(both.vertices[6].normal, -Vec3::Z);
    }

    #[test]
    fn openings_of_buildings_are_left_out() {
        let bare = model(Sides::SINGLE, stippling::NO_FRONT_UVS);
        assert_eq!(Mesh::of_model(&bare, Openings::LeftOut).vertices, []);
        assert_eq!(Mesh::of_model(&bare, Openings::Drawn).vertices.len(), 6);
    }

    #[test]
    fn a_room_has_all_its_walls_and_no_opening() {
        let world = threshold_forge::samples::two_rooms().unwrap();
        let mut records = Records::new(&world);
        let room: EnvCell = records.get(RecordId(0x0102_0100)).unwrap().unwrap();
        let environment: threshold_dat::Environment =
            records.get(room.environment_id()).unwrap().unwrap();
        let structure = environment.structure(u32::from(room.structure)).unwrap();
        let mesh = Mesh::of_room(&room, structure);
        // Floor, ceiling and three walls of two triangles each; the fourth wall is open.
        assert_eq!(mesh.vertices.len(), 5 * 2 * 3);
    }
}
