//! Vertices and polygons as records hold them.

use std::collections::BTreeMap;

use threshold_dat::{EncodeError, Polygon, Polygons, Sides, Vertex, VertexArray, stippling};
use threshold_geom::plane_of;
use threshold_land::glam::{Vec2, Vec3};

use crate::material::Material;
use crate::thing::Card;
use crate::tree::drawing::Drawing;
use crate::tree::physics::Physics;

/// Metres of a surface to one repeat of its texture.
const REPEAT: f32 = 2.0;

/// The vertices that the polygons of a model share.
#[derive(Default)]
pub(crate) struct Vertices {
    array: VertexArray,
    known: BTreeMap<[u32; 8], u16>,
    /// In the order polygons use them first.
    materials: Vec<Material>,
}

impl Vertices {
    /// The vertices, and the materials by the index that polygons use.
    pub(crate) fn finish(self) -> (VertexArray, Vec<Material>) {
        (self.array, self.materials)
    }

    fn surface(&mut self, material: Material) -> i16 {
        let known = self.materials.iter().position(|own| *own == material);
        let index = known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        });
        // There are far fewer materials.
        i16::try_from(index).unwrap_or(i16::MAX)
    }

    /// The vertex of a polygon that faces along `normal`, and shows its picture once if it is a card.
    fn vertex(
        &mut self,
        position: Vec3,
        normal: Vec3,
        card: Option<&Card>,
    ) -> Result<u16, EncodeError> {
        // Zero has two signs and one place.
        let (position, normal) = (position + Vec3::ZERO, normal + Vec3::ZERO);
        let [[x, y, z], [nx, ny, nz]] = [position, normal].map(|v| v.to_array().map(f32::to_bits));
        let uv = card.map_or_else(|| texture(position, normal), |card| card.texture(position));
        let [u, v] = uv.to_array().map(f32::to_bits);
        let key = [x, y, z, nx, ny, nz, u, v];
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let id = small("vertices", self.array.len())?;
        self.array.push(Vertex { id, position, normal, uvs: &[uv] })?;
        self.known.insert(key, id);
        Ok(id)
    }

    fn polygon(&mut self, outline: &[Vec3], card: Option<&Card>) -> Result<Vec<u16>, EncodeError> {
        let normal = plane_of(outline).map_or(Vec3::ZERO, |plane| plane.normal);
        outline.iter().map(|corner| self.vertex(*corner, normal, card)).collect()
    }

    /// Polygons for collision: no surface, no texture.
    pub(crate) fn physics(&mut self, physics: &Physics) -> Result<Polygons, EncodeError> {
        let mut out = Polygons::default();
        for outline in &physics.polygons {
            let vertex_ids = self.polygon(outline, None)?;
            let id = small("polygons", out.len())?;
            out.push(bare(id, -1, &vertex_ids))?;
        }
        Ok(out)
    }

    /// Polygons for drawing, openings last.
    pub(crate) fn drawing(&mut self, drawing: &Drawing) -> Result<Polygons, EncodeError> {
        let mut out = Polygons::default();
        for drawn in &drawing.polygons {
            let vertex_ids = self.polygon(&drawn.side.outline, drawn.card.as_ref())?;
            out.push(Polygon {
                id: small("polygons", out.len())?,
                stippling: stippling::NO_BACK_UVS,
                sides: if drawn.card.is_some() { Sides::DOUBLE } else { Sides::SINGLE },
                front_surface: self.surface(drawn.material),
                back_surface: -1,
                vertex_ids: &vertex_ids,
                front_uvs: &vec![0; vertex_ids.len()],
                back_uvs: &[],
            })?;
        }
        for port in &drawing.ports {
            let vertex_ids = self.polygon(&port.side.outline, None)?;
            let id = small("polygons", out.len())?;
            out.push(bare(id, 0, &vertex_ids))?;
        }
        Ok(out)
    }
}

impl Card {
    /// Where a point of it lies in the picture, whose first row is at the top.
    fn texture(&self, at: Vec3) -> Vec2 {
        let part = |way: Vec3| (at - self.corner).dot(way) / way.length_squared();
        Vec2::new(part(self.right), 1.0 - part(self.up))
    }
}

fn bare(id: u16, front_surface: i16, vertex_ids: &[u16]) -> Polygon<'_> {
    Polygon {
        id,
        stippling: stippling::NO_FRONT_UVS,
        sides: Sides::SINGLE,
        front_surface,
        back_surface: -1,
        vertex_ids,
        front_uvs: &[],
        back_uvs: &[],
    }
}

/// Textures lie flat on their surface: seen from the front, upright on walls, north up on floors.
fn texture(position: Vec3, normal: Vec3) -> Vec2 {
    let right = Vec3::Z.cross(normal).try_normalize().unwrap_or(Vec3::X);
    let up = normal.cross(right);
    Vec2::new(position.dot(right), -position.dot(up)) / REPEAT
}

fn small(what: &'static str, index: usize) -> Result<u16, EncodeError> {
    let most = usize::from(u16::MAX) + 1;
    u16::try_from(index).map_err(|_| EncodeError::TooMany { what, found: index + 1, most })
}
