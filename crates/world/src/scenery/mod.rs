//! Scenery: plants and stones placed by hashes of the map's corners, stored in no record.

mod hash;

use threshold_dat::SceneObject;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BLOCK_LENGTH, BlockId, EPSILON, Frame, Plane, Rotation};

use self::hash::{Corner, fraction};
use crate::model::Setup;

/// A scenery object before its height is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SceneryPlacement<'a> {
    pub(crate) object: &'a SceneObject,
    corner: (u32, u32),
    k: u32,
    /// Position in the landblock's frame, within the landblock.
    pub(crate) at: Vec2,
}

/// Returns which of `count` scenes is used at the corner `vertex` of a landblock; `None` if there
/// is none.
pub(crate) fn scene_index(block: BlockId, vertex: (u32, u32), count: usize) -> Option<usize> {
    let chosen = fraction(corner(block, vertex).scene()) * count as f64;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to below the count"
    )]
    let index = chosen.floor() as usize;
    (index < count).then_some(index)
}

fn corner(block: BlockId, (x, y): (u32, u32)) -> Corner {
    Corner { x: u32::from(block.x()) * 8 + x, y: u32::from(block.y()) * 8 + y }
}

impl<'a> SceneryPlacement<'a> {
    /// Returns object `k` of the scene at the corner `vertex`, if it exists and is inside the
    /// landblock.
    pub(crate) fn new(
        block: BlockId,
        vertex: (u32, u32),
        k: u32,
        object: &'a SceneObject,
    ) -> Option<Self> {
        let corner = corner(block, vertex);
        let there = fraction(corner.frequency(k)) < f64::from(object.frequency);
        // Objects that the server spawns are not scenery.
        if !there || object.weenie != 0 {
            return None;
        }
        let start = Vec2::new(vertex.0 as f32, vertex.1 as f32) * threshold_land::CELL_LENGTH;
        let at = start + displacement(corner, k, object);
        let inside = |v: f32| (0.0..BLOCK_LENGTH).contains(&v);
        (inside(at.x) && inside(at.y)).then_some(Self {
            object,
            corner: (corner.x, corner.y),
            k,
            at,
        })
    }

    fn corner(&self) -> Corner {
        Corner { x: self.corner.0, y: self.corner.1 }
    }

    /// Returns its frame on ground with this plane; `None` if the ground is too steep or too flat.
    pub(crate) fn frame(&self, ground: &Plane) -> Option<Frame> {
        let object = self.object;
        if !(object.min_slope..=object.max_slope).contains(&ground.normal.z) {
            return None;
        }
        let origin = self.at.extend(ground.height(self.at.x, self.at.y)?);
        let base = object.frame.rotation;
        let rotation = if object.align != 0 {
            set_heading(base, heading(-ground.normal.truncate()))
        } else if object.max_rotation > 0.0 {
            let turn = fraction(self.corner().rotation(self.k)) * f64::from(object.max_rotation);
            set_heading(base, to_f32(turn))
        } else {
            base
        };
        Some(Frame { origin, rotation })
    }

    /// Returns its scale; `None` if the bounds in the record give none.
    pub(crate) fn scale(&self) -> Option<f32> {
        let object = self.object;
        let (min, max) = (f64::from(object.min_scale), f64::from(object.max_scale));
        let scale = if object.min_scale == object.max_scale {
            object.max_scale
        } else {
            to_f32(min * libm::pow(max / min, fraction(self.corner().scale(self.k))))
        };
        scale.is_finite().then_some(scale)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
fn to_f32(v: f64) -> f32 {
    v as f32
}

fn displacement(corner: Corner, k: u32, object: &SceneObject) -> Vec2 {
    let axis = |base: f32, max: f32, hash: u32| {
        let shift = if max > 0.0 { fraction(hash) * f64::from(max) } else { 0.0 };
        to_f32(f64::from(base) + shift)
    };
    let base = object.frame.origin;
    let x = axis(base.x, object.displace_x, corner.displace_x(k));
    let y = axis(base.y, object.displace_y, corner.displace_y(k));
    // All objects of a corner turn together.
    match fraction(corner.quarter()) {
        q if q < 0.25 => Vec2::new(x, y),
        q if q < 0.5 => Vec2::new(-y, x),
        q if q < 0.75 => Vec2::new(-x, -y),
        _ => Vec2::new(y, -x),
    }
}

/// Returns the heading of a direction in degrees, 0 north and 90 east; 0 for the zero vector.
fn heading(direction: Vec2) -> f32 {
    if direction.length() < EPSILON {
        return 0.0;
    }
    (450.0 - libm::atan2f(direction.y, direction.x).to_degrees()) % 360.0
}

/// Turns a rotation to a heading. Keeps the pitch of its forward axis and drops its roll.
///
/// Retail: `Frame::set_heading`.
fn set_heading(base: Rotation, degrees: f32) -> Rotation {
    let radians = degrees.to_radians();
    let raised = base.rows().0[1].z;
    let forward = Vec3::new(libm::sinf(radians), libm::cosf(radians), raised).normalize_or_zero();
    let pitch = libm::asinf(forward.z) * 0.5;
    let raise = Rotation::new(libm::cosf(pitch), libm::sinf(pitch), 0.0, 0.0);
    Rotation::from_heading(degrees).product(raise)
}

/// Returns whether an object of natural size is wholly within its landblock, judged by its
/// collision shape. Retail: `CPhysicsObj::obj_within_block`.
pub(crate) fn is_within_block(setup: &Setup, frame: &Frame) -> bool {
    let clear = |centre: Vec3, radius: f32| {
        let at = frame.to_global(centre);
        let inside = |v: f32| v >= radius && v < BLOCK_LENGTH - radius;
        inside(at.x) && inside(at.y)
    };
    let sorting = || {
        setup
            .sorting_sphere
            .map_or_else(|| clear(Vec3::ZERO, 0.0), |sphere| clear(sphere.centre, sphere.radius))
    };
    if setup.has_physics_tree {
        sorting()
    } else if !setup.cylinders.is_empty() {
        setup.cylinders.iter().all(|cylinder| clear(cylinder.low, cylinder.radius))
    } else if !setup.spheres.is_empty() {
        sorting()
    } else {
        clear(Vec3::ZERO, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use threshold_dat::RecordId;
    use threshold_geom::Cylinder;
    use threshold_land::Sphere;

    fn example() -> SceneObject {
        SceneObject {
            object: RecordId(0x0200_0013),
            frame: Frame::at(Vec3::new(2.0, 3.0, 0.0)),
            frequency: 1.0,
            displace_x: 9.0,
            displace_y: 12.0,
            min_scale: 0.8,
            max_scale: 1.4,
            max_rotation: 360.0,
            min_slope: 0.0,
            max_slope: 1.0,
            align: 0,
            orient: 0,
            weenie: 0,
        }
    }

    const BLOCK: BlockId = BlockId(0xA9B4);
    const LEVEL: Plane = Plane { normal: Vec3::Z, d: -7.0 };

    #[track_caller]
    fn check(vertex: (u32, u32), k: u32, at: [f32; 2], heading: f32, scale: f32) {
        let object = example();
        let sprout = SceneryPlacement::new(BLOCK, vertex, k, &object).unwrap();
        assert!((sprout.at - Vec2::from(at)).length() < 2e-5, "{}", sprout.at);
        let frame = sprout.frame(&LEVEL).unwrap();
        assert_eq!(frame.origin.z, 7.0);
        assert!((frame.heading() - heading).abs() < 1e-3, "{}", frame.heading());
        let got = sprout.scale().unwrap();
        assert!((got - scale).abs() < 1e-6, "{got}");
    }

    #[test]
    fn worked_examples_of_scenery() {
        check((3, 5), 0, [63.810_57, 123.716_92], 261.197_48, 1.195_461_6);
        check((3, 5), 1, [66.978_58, 130.340_91], 166.157_29, 1.031_272_5);
        check((4, 4), 2, [105.983_39, 90.072_8], 110.256, 1.071_973_7);
        assert_eq!(
            SceneryPlacement::new(BLOCK, (0, 0), 1, &example()),
            None,
            "outside the landblock"
        );
    }

    #[test]
    fn the_hash_decides_whether_an_object_exists() {
        // Noise of corner (3, 5), object 0: 0.938655500.
        let at = |frequency| {
            SceneryPlacement::new(BLOCK, (3, 5), 0, &SceneObject { frequency, ..example() })
                .is_some()
        };
        assert!(at(0.938_656) && !at(0.938_655));
        let spawned = SceneObject { weenie: 1, ..example() };
        assert_eq!(SceneryPlacement::new(BLOCK, (3, 5), 0, &spawned), None);
    }

    #[test]
    fn worked_examples_of_the_choice_of_scenes() {
        let check = |vertex, count, want| {
            assert_eq!(scene_index(BLOCK, vertex, count), want, "{vertex:?} of {count}");
        };
        for (count, want) in [(3, 0), (5, 1), (7, 2), (1, 0)] {
            check((0, 0), count, Some(want));
        }
        check((3, 5), 3, Some(1));
        check((3, 5), 5, Some(2));
        check((0, 0), 0, None);
    }

    #[test]
    fn an_object_must_be_clear_of_the_border_by_the_shape_it_collides_with() {
        let mut setup = Setup::of_model(Model::absent(RecordId(1)).into());
        let at = |x: f32, y: f32| Frame::at(Vec3::new(x, y, 0.0));
        // Without a collision shape the origin counts.
        setup.sorting_sphere = Some(Sphere::new(Vec3::ZERO, 5.0));
        assert!(is_within_block(&setup, &at(0.0, 191.9)));
        // Spheres: the sorting sphere counts; touching the border is allowed in the south and west
        // only.
        setup.spheres = [Sphere::new(Vec3::ZERO, 1.0)].into();
        assert!(is_within_block(&setup, &at(5.0, 5.0)) && !is_within_block(&setup, &at(4.9, 5.0)));
        assert!(is_within_block(&setup, &at(186.9, 9.0)));
        assert!(
            !is_within_block(&setup, &at(187.0, 9.0)) && !is_within_block(&setup, &at(9.0, 187.0))
        );
        // Cylinders: each of them counts.
        let near = Cylinder { low: Vec3::ZERO, radius: 1.0, height: 2.0 };
        setup.cylinders = [near, Cylinder { low: Vec3::new(3.0, 0.0, 0.0), ..near }].into();
        assert!(is_within_block(&setup, &at(1.0, 1.0)) && is_within_block(&setup, &at(187.9, 9.0)));
        assert!(
            !is_within_block(&setup, &at(188.1, 9.0)) && !is_within_block(&setup, &at(0.9, 9.0))
        );
        // A physics tree: the sorting sphere counts.
        setup.has_physics_tree = true;
        assert!(!is_within_block(&setup, &at(1.0, 9.0)) && is_within_block(&setup, &at(5.0, 9.0)));
    }

    #[test]
    fn an_object_without_a_size_has_no_scale() {
        let object = SceneObject { min_scale: 0.0, max_scale: 1.0, ..example() };
        assert_eq!(SceneryPlacement::new(BLOCK, (3, 5), 0, &object).unwrap().scale(), None);
    }

    #[test]
    fn an_aligned_object_on_level_ground_faces_north() {
        let object = SceneObject { align: 1, ..example() };
        let sprout = SceneryPlacement::new(BLOCK, (3, 5), 0, &object).unwrap();
        assert!(sprout.frame(&LEVEL).unwrap().heading().abs() < 1e-3);
    }

    #[test]
    fn slopes_at_either_end_are_inside() {
        let object = SceneObject { min_slope: 0.8, max_slope: 0.9, ..example() };
        let sprout = SceneryPlacement::new(BLOCK, (3, 5), 0, &object).unwrap();
        let on = |z: f32| {
            let normal = Vec3::new((1.0 - z * z).sqrt(), 0.0, z);
            sprout.frame(&Plane { normal, d: 0.0 }).is_some()
        };
        assert!(on(0.8) && on(0.9) && on(0.85));
        assert!(!on(0.799) && !on(0.901));
    }

    #[test]
    fn an_aligned_object_faces_down_the_slope_and_keeps_its_pitch() {
        let half = 0.25_f32;
        let pitched = Rotation::new(libm::cosf(half), libm::sinf(half), 0.0, 0.0);
        let object = SceneObject {
            align: 1,
            frame: Frame { rotation: pitched, ..example().frame },
            ..example()
        };
        let sprout = SceneryPlacement::new(BLOCK, (3, 5), 0, &object).unwrap();
        let uphill_to_the_east = Plane { normal: Vec3::new(-0.6, 0.0, 0.8), d: 0.0 };
        let frame = sprout.frame(&uphill_to_the_east).unwrap();
        assert!((frame.heading() - 90.0).abs() < 1e-3, "{}", frame.heading());
        let raised = frame.rotation.rows().0[1].z;
        // The forward axis is (sin, cos, z), normalised.
        let z = libm::sinf(0.5);
        assert!((raised - z / (1.0 + z * z).sqrt()).abs() < 1e-5, "{raised}");
    }
}
