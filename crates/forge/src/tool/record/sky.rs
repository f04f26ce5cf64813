//! Models of the sky, around the viewer.
//!
//! Models with a path start in the east and turn about the axis from south to north: up, over to the west and down.

use core::f32::consts::{PI, TAU};

use threshold_dat::{
    BspLeaf, BspMesh, BspNode, BspSplit, BspTag, BspTree, EncodeError, GfxObj, IndexedPolygon,
    PolygonSides, Polygons, RecordId, Surface, SurfaceFill, Vertex, VertexArray, stippling,
    surface_type,
};
use threshold_geom::plane_of;
use threshold_land::Sphere;
use threshold_land::vector::{Vec2, Vec3};

use crate::stock::texture::SkyTexture;
use crate::tool::tree::enclosing;

/// Distance of the dome from the viewer, in metres.
const DOME: f32 = 900.0;
/// Distance of sun and moon, in metres.
const BODY: f32 = 850.0;
/// Half the width of sun and moon, in metres.
const SIZE: f32 = 75.0;
/// Height of the clouds overhead and at their rim, in metres.
const CLOUDS: [f32; 2] = [300.0, 15.0];
/// Metres to one repeat of the cloud texture.
const CLOUD_REPEAT: f32 = 700.0;
/// Distance of the rain curtains, and their lower and upper edges, in metres.
const RAIN: [f32; 3] = [9.0, -6.0, 14.0];
/// Metres to one repeat of the rain texture.
const RAIN_REPEAT: f32 = 5.0;
/// Number of sides of round shapes.
const ROUND: u8 = 16;
/// Southward offset of sun and moon at the zenith, as a part of their eastward distance.
const SOUTH: f32 = -0.45;

/// First surface id of the sky.
const SURFACES: u32 = 0x0800_0200;

/// The surface of a sky texture.
pub(crate) fn surface_id(heaven: SkyTexture) -> RecordId {
    let place = SkyTexture::ALL.iter().position(|own| *own == heaven).unwrap_or(0);
    // Ten of them.
    RecordId(SURFACES + u32::try_from(place).unwrap_or(0))
}

pub(crate) fn surface(heaven: SkyTexture, texture: RecordId) -> Surface {
    let blend = match heaven {
        SkyTexture::Day | SkyTexture::Grey | SkyTexture::Night => 0,
        SkyTexture::Sun | SkyTexture::Stars => surface_type::ALPHA | surface_type::ADDITIVE,
        SkyTexture::Glow
        | SkyTexture::Moon
        | SkyTexture::Clouds
        | SkyTexture::Cover
        | SkyTexture::Rain => surface_type::ALPHA,
    };
    let fill = SurfaceFill::Image { texture, palette: RecordId::NONE };
    // The sky is self-luminous.
    let surface_type = surface_type::IMAGE | blend;
    Surface { surface_type, fill, translucency: 0.0, luminosity: 1.0, diffuse: 0.0 }
}

/// Returns the position of sun or moon on the path, from the viewer; `angle` in degrees, 0 in the east.
pub(crate) fn on_path(angle: f32) -> Vec3 {
    let angle = angle * PI / 180.0;
    Vec3::new(libm::cosf(angle), SOUTH, libm::sinf(angle)).normalize_or(Vec3::Z)
}

/// Returns the model of a sky object.
pub(crate) fn model(heaven: SkyTexture) -> Result<GfxObj, EncodeError> {
    let mut shell = Shell::default();
    match heaven {
        SkyTexture::Day | SkyTexture::Grey | SkyTexture::Night | SkyTexture::Glow => {
            let faces = dome(&[-8.0, 0.0, 8.0, 18.0, 32.0, 50.0, 70.0, 90.0]);
            shell.add(&faces, 0, |at| Vec2::new(0.5, 1.0 - elevation(at).max(0.0) / 90.0))?;
        }
        SkyTexture::Stars => {
            // Stars keep their shape all over the dome.
            let faces = dome(&[0.0, 15.0, 30.0, 50.0, 70.0, 90.0]);
            shell.add(&faces, stippling::FRONT_TILED, |at| 2.5 * at.truncate() / (DOME + at.z))?;
        }
        SkyTexture::Sun | SkyTexture::Moon => {
            let (middle, right) = (BODY * on_path(0.0), on_path(0.0).cross(Vec3::Z).normalize());
            let corner = |x: f32, z: f32| middle + SIZE * (x * right + z * Vec3::Z);
            let face =
                vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            shell.add(&[face], 0, |at| {
                let off = (at - middle) / (2.0 * SIZE);
                Vec2::new(0.5 + off.dot(right), 0.5 - off.z)
            })?;
        }
        SkyTexture::Clouds | SkyTexture::Cover => {
            let rings = [1.0, 0.7, 0.4, 0.0].map(|part: f32| {
                let [top, rim] = CLOUDS;
                (DOME * part, top + (rim - top) * part * part)
            });
            shell
                .add(&around(&rings), stippling::FRONT_TILED, |at| at.truncate() / CLOUD_REPEAT)?;
        }
        SkyTexture::Rain => {
            let [far, low, high] = RAIN;
            let faces = around(&[(far, low), (far, high)]);
            shell.add_around(&faces)?;
        }
    }
    shell.model(heaven)
}

/// Degrees above the horizon.
fn elevation(at: Vec3) -> f32 {
    libm::asinf((at.z / at.length().max(1.0)).clamp(-1.0, 1.0)) * 180.0 / PI
}

/// A part of a sphere around the viewer, between circles at these elevations.
fn dome(elevations: &[f32]) -> Vec<Vec<Vec3>> {
    let ring = |degrees: &f32| {
        let angle = degrees * PI / 180.0;
        let wide = if *degrees < 90.0 { DOME * libm::cosf(angle) } else { 0.0 };
        (wide, DOME * libm::sinf(angle))
    };
    around(&elevations.iter().map(ring).collect::<Vec<_>>())
}

/// Faces between circles around the viewer, given by radius and height; they face the viewer.
fn around(rings: &[(f32, f32)]) -> Vec<Vec<Vec3>> {
    let corner = |(wide, height): (f32, f32), step: u8| {
        let angle = TAU * f32::from(step % ROUND) / f32::from(ROUND);
        Vec3::new(wide * libm::sinf(angle), wide * libm::cosf(angle), height)
    };
    let mut faces = Vec::new();
    for pair in rings.windows(2) {
        for step in 0..ROUND {
            let (low, high) = (pair[0], pair[1]);
            let mut face = vec![corner(low, step), corner(low, step + 1)];
            // A circle with radius 0 is a point.
            match high.0 > 0.0 {
                true => face.extend([corner(high, step + 1), corner(high, step)]),
                false => face.push(corner(high, 0)),
            }
            faces.push(face);
        }
    }
    faces
}

/// Faces that all face each other, so that their tree needs no cuts.
#[derive(Default)]
struct Shell {
    vertices: VertexArray,
    polygons: Polygons,
    faces: Vec<Vec<Vec3>>,
}

impl Shell {
    fn add(
        &mut self,
        faces: &[Vec<Vec3>],
        bits: u8,
        uv: impl Fn(Vec3) -> Vec2,
    ) -> Result<(), EncodeError> {
        faces.iter().try_for_each(|face| self.face(face, bits, &uv))
    }

    /// The texture runs around the viewer.
    fn add_around(&mut self, faces: &[Vec<Vec3>]) -> Result<(), EncodeError> {
        for (step, face) in (0_u8..).zip(faces) {
            let width = face[0].distance(face[1]);
            let first = face[0];
            self.face(face, stippling::FRONT_TILED, &|at: Vec3| {
                let along = f32::from(step) * width + at.truncate().distance(first.truncate());
                Vec2::new(along, -at.z) / RAIN_REPEAT
            })?;
        }
        Ok(())
    }

    fn face(
        &mut self,
        face: &[Vec3],
        bits: u8,
        uv: &impl Fn(Vec3) -> Vec2,
    ) -> Result<(), EncodeError> {
        let normal = plane_of(face).map_or(Vec3::Z, |plane| plane.normal);
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let mut vertex_ids = Vec::with_capacity(face.len());
        for position in face {
            let id = count(self.vertices.len());
            self.vertices.push(Vertex {
                id,
                position: *position,
                normal,
                uvs: &[uv(*position)],
            })?;
            vertex_ids.push(id);
        }
        self.polygons.push(IndexedPolygon {
            id: count(self.polygons.len()),
            stippling: bits,
            sides: PolygonSides::SINGLE,
            front_surface: 0,
            back_surface: -1,
            vertex_ids: &vertex_ids,
            front_uvs: &vec![0; vertex_ids.len()],
            back_uvs: &[],
        })?;
        self.faces.push(face.to_vec());
        Ok(())
    }

    /// One face after the other, each in front of all others.
    fn tree(&self) -> BspTree {
        let mut tree = BspTree::default();
        let leaf = BspLeaf { index: 0, solid: 0, sphere: None, polygons: &[] };
        let mut below = tree.push(BspNode::Leaf(leaf));
        let mut corners = Vec::new();
        for (id, face) in (0_u16..).zip(&self.faces) {
            let Some(plane) = plane_of(face) else { continue };
            corners.extend(face.iter().copied());
            below = tree.push(BspNode::Split(BspSplit {
                tag: BspTag::split(true, false, true),
                plane,
                positive: Some(below),
                negative: None,
                sphere: Some(
                    enclosing(corners.iter().copied()).unwrap_or(Sphere::new(Vec3::ZERO, 0.0)),
                ),
                polygons: &[id],
                portals: &[],
            }));
        }
        tree.set_root(below);
        tree
    }

    fn model(self, heaven: SkyTexture) -> Result<GfxObj, EncodeError> {
        let tree = self.tree();
        Ok(GfxObj {
            id: RecordId::NONE,
            other_flags: 0,
            surfaces: vec![surface_id(heaven)],
            vertices: self.vertices,
            physics: None,
            sort_centre: Vec3::ZERO,
            drawing: Some(BspMesh { polygons: self.polygons, tree }),
            degrade: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_the_sky_faces_the_viewer_and_needs_no_cuts() {
        for heaven in SkyTexture::ALL {
            let model = model(heaven).unwrap();
            let drawing = model.drawing.unwrap();
            let corners: Vec<Vec3> = model.vertices.iter().map(|vertex| vertex.position).collect();
            for polygon in drawing.polygons.iter() {
                let face: Vec<Vec3> =
                    polygon.vertex_ids.iter().map(|id| corners[usize::from(*id)]).collect();
                let plane = plane_of(&face).unwrap();
                assert!(plane.distance(Vec3::ZERO) > 0.0, "{heaven:?}: {face:?}");
                let lowest = corners.iter().map(|at| plane.distance(*at)).fold(0.0, f32::min);
                assert!(lowest > -0.05, "{heaven:?}: {lowest}");
            }
        }
    }

    #[test]
    fn the_sun_stands_in_the_south_at_noon() {
        let noon = on_path(90.0);
        assert!(noon.x.abs() < 1e-6 && noon.y < 0.0 && noon.z > 0.9);
        assert!(on_path(10.0).x > 0.0 && on_path(170.0).x < 0.0);
    }
}
