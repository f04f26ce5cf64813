//! Vertices and polygons in record form.

use std::collections::BTreeMap;

use threshold_dat::{
    EncodeError, IndexedPolygon, PolygonSides, Polygons, Vertex, VertexArray, stippling,
};
use threshold_geom::plane_of;
use threshold_land::vector::{Vec2, Vec3};

use crate::stock::material::Material;
use crate::stock::thing::Card;
use crate::tool::shape::Boards;
use crate::tool::solid::Side;
use crate::tool::tree::drawing::Drawing;
use crate::tool::tree::physics::Physics;

/// The vertices shared by the polygons of a model.
#[derive(Default)]
pub(crate) struct Vertices {
    array: VertexArray,
    known: BTreeMap<[u32; 8], u16>,
    /// By position alone, for polygons without a texture.
    places: BTreeMap<[u32; 3], u16>,
    /// In the order polygons use them first.
    materials: Vec<Material>,
}

impl Vertices {
    /// Returns the vertices, and the materials by the index that polygons use.
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

    /// Returns the vertex of a polygon that faces along `normal` and has texture coordinates `uv`.
    fn vertex(&mut self, position: Vec3, normal: Vec3, uv: Vec2) -> Result<u16, EncodeError> {
        // Zero has two signs and one position.
        let (position, normal, uv) = (position + Vec3::ZERO, normal + Vec3::ZERO, uv + Vec2::ZERO);
        let [[x, y, z], [nx, ny, nz]] = [position, normal].map(|v| v.to_array().map(f32::to_bits));
        let [u, v] = uv.to_array().map(f32::to_bits);
        let key = [x, y, z, nx, ny, nz, u, v];
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let id = small("vertices", self.array.len())?;
        self.array.push(Vertex { id, position, normal, uvs: &[uv] })?;
        self.known.insert(key, id);
        self.places.entry([x, y, z]).or_insert(id);
        Ok(id)
    }

    /// Returns the corners of a polygon without a texture: any existing vertex at the position will do.
    fn corners(&mut self, outline: &[Vec3]) -> Result<Vec<u16>, EncodeError> {
        let normal = plane_of(outline).map_or(Vec3::ZERO, |plane| plane.normal);
        let corner = |corner: &Vec3| {
            let place = (*corner + Vec3::ZERO).to_array().map(f32::to_bits);
            let known = self.places.get(&place).copied();
            known.map_or_else(|| self.vertex(*corner, normal, Vec2::ZERO), Ok)
        };
        outline.iter().map(corner).collect()
    }

    /// Returns polygons for collision: no surface, no texture.
    pub(crate) fn physics(&mut self, physics: &Physics) -> Result<Polygons, EncodeError> {
        let mut out = Polygons::default();
        for outline in &physics.polygons {
            let vertex_ids = self.corners(outline)?;
            let id = small("polygons", out.len())?;
            out.push(bare(id, -1, &vertex_ids))?;
        }
        Ok(out)
    }

    /// Returns polygons for drawing, openings last.
    pub(crate) fn drawing(&mut self, drawing: &Drawing) -> Result<Polygons, EncodeError> {
        let mut out = Polygons::default();
        for drawn in &drawing.polygons {
            let Side { outline, plane } = &drawn.side;
            let card = drawn.card.unwrap_or_else(|| Card::upright(drawn.material, plane.normal));
            let vertex = |corner: &Vec3| self.vertex(*corner, plane.normal, card.texture(*corner));
            let vertex_ids: Vec<u16> = outline.iter().map(vertex).collect::<Result<_, _>>()?;
            // The space behind a hole may show the far side of the same thing.
            let both = !card.repeats || drawn.material.has_holes();
            out.push(IndexedPolygon {
                id: small("polygons", out.len())?,
                stippling: if card.repeats { stippling::FRONT_TILED } else { 0 },
                sides: if both { PolygonSides::DOUBLE } else { PolygonSides::SINGLE },
                front_surface: self.surface(drawn.material),
                back_surface: -1,
                vertex_ids: &vertex_ids,
                front_uvs: &vec![0; vertex_ids.len()],
                back_uvs: &[],
            })?;
        }
        for port in &drawing.ports {
            let vertex_ids = self.corners(&port.side.outline)?;
            let id = small("polygons", out.len())?;
            out.push(bare(id, 0, &vertex_ids))?;
        }
        Ok(out)
    }
}

/// Minimum cosine between the normal and the grain for a face to count as an end face.
const ACROSS: f32 = 0.9;

impl Card {
    /// A texture laid flat on a face: upright on walls, north up on floors, as seen from the front.
    fn upright(material: Material, normal: Vec3) -> Self {
        let right = Vec3::Z.cross(normal).try_normalize().unwrap_or(Vec3::X);
        Self::tiled(material, right, normal.cross(right))
    }

    /// A texture on a face of a solid with boards, if the material has a grain that runs along them.
    pub(crate) fn with_grain(material: Material, normal: Vec3, boards: Boards) -> Option<Self> {
        let Boards { from, along } = boards;
        if !material.has_grain() || normal.dot(along).abs() > ACROSS {
            return None;
        }
        let up = along.reject_from_normalized(normal).try_normalize()?;
        Some(Self { corner: from, ..Self::tiled(material, up.cross(normal), up) })
    }

    fn tiled(material: Material, right: Vec3, up: Vec3) -> Self {
        let size = material.repeat();
        Self { corner: Vec3::ZERO, right: right * size, up: up * size, repeats: true }
    }

    /// Returns the texture coordinates of a point; the first row is at the top.
    fn texture(&self, at: Vec3) -> Vec2 {
        let Self { corner, right, up, .. } = *self;
        let off = at - corner;
        // The sides of the texture need not be at right angles.
        let (wide, lean, high) = (right.dot(right), right.dot(up), up.dot(up));
        let area = wide * high - lean * lean;
        let x = (off.dot(right) * high - off.dot(up) * lean) / area;
        let y = (off.dot(up) * wide - off.dot(right) * lean) / area;
        Vec2::new(x, 1.0 - y)
    }
}

fn bare(id: u16, front_surface: i16, vertex_ids: &[u16]) -> IndexedPolygon<'_> {
    IndexedPolygon {
        id,
        stippling: stippling::NO_FRONT_UVS,
        sides: PolygonSides::SINGLE,
        front_surface,
        back_surface: -1,
        vertex_ids,
        front_uvs: &[],
        back_uvs: &[],
    }
}

fn small(what: &'static str, index: usize) -> Result<u16, EncodeError> {
    let max = usize::from(u16::MAX) + 1;
    u16::try_from(index).map_err(|_| EncodeError::TooMany { what, found: index + 1, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(card: &Card, at: [f32; 3], want: [f32; 2]) {
        let got = card.texture(at.into());
        assert!(got.distance(want.into()) < 1e-6, "{at:?}: {got} instead of {want:?}");
    }

    #[test]
    fn pictures_are_upright_on_walls_and_never_mirrored() {
        // A wall that faces south: east is to the right, and 2 m up is one repeat up.
        let south = Card::upright(Material::Brick, Vec3::NEG_Y);
        check(&south, [0.0, 7.0, 0.0], [0.0, 1.0]);
        check(&south, [2.0, 7.0, 2.0], [1.0, 0.0]);
        check(&Card::upright(Material::Brick, Vec3::Y), [2.0, 7.0, 2.0], [-1.0, 0.0]);
        check(&Card::upright(Material::Plank, Vec3::Z), [2.0, 2.0, 5.0], [1.0, 0.0]);
        check(&Card::upright(Material::Linen, Vec3::NEG_Y), [2.0, 0.0, 2.0], [2.0, -1.0]);
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_Z, Vec3::new(0.6, 0.0, 0.8)] {
            let Card { right, up, .. } = Card::upright(Material::Brick, normal);
            assert!(right.cross(up).normalize().distance(normal) < 1e-6, "{normal}");
        }
    }

    #[test]
    fn boards_run_along_a_beam_and_not_across_it() {
        // The top of a beam that lies from west to east: its length is the height of the picture.
        let beam = Boards { from: Vec3::ZERO, along: Vec3::X };
        let top = Card::with_grain(Material::Timber, Vec3::Z, beam).unwrap();
        check(&top, [2.0, 0.0, 0.0], [0.0, 0.0]);
        check(&top, [0.0, 2.0, 0.0], [-1.0, 1.0]);
        assert_eq!(Card::with_grain(Material::Timber, Vec3::X, beam), None, "the end of it");
        assert_eq!(Card::with_grain(Material::Brick, Vec3::Z, beam), None);
    }

    /// The boards of a tread continued down the riser below it, as one texture covered both.
    #[test]
    fn a_board_begins_at_the_edge_between_tread_and_riser() {
        let edge = Boards { from: Vec3::new(0.3, 1.7, 0.9), along: Vec3::X };
        for normal in [Vec3::Z, Vec3::NEG_Y] {
            let card = Card::with_grain(Material::Plank, normal, edge).unwrap();
            for along in [0.0, 0.5, 1.3] {
                let across = card.texture(edge.from + Vec3::X * along).x;
                assert!(across.abs() < 1e-6, "{normal}: {across} at {along}");
            }
        }
    }

    #[test]
    fn a_leaning_card_shows_its_picture_once_from_corner_to_corner() {
        let [corner, right, up] = [Vec3::ONE, Vec3::new(2.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 3.0)];
        let card = Card { corner, right, up, repeats: false };
        check(&card, corner.into(), [0.0, 1.0]);
        check(&card, (corner + right).into(), [1.0, 1.0]);
        check(&card, (corner + right + up).into(), [1.0, 0.0]);
        check(&card, (corner + up).into(), [0.0, 0.0]);
    }
}
