//! Doors: a leaf with hinges on its left edge, and the motions that swing it.

use threshold_dat::{
    Animation, AnimationSpan, Motion, MotionLinks, MotionTable, Placement, RecordId, StanceDefault,
    motion_key,
};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation, Sphere};

use crate::stock::material::Material;
use crate::stock::thing::Thing;
use crate::tool::error::ForgeError;
use crate::tool::form::block;
use crate::tool::model::{Assembly, MotionRecords, ObjectRecords, thing_model, upright};

/// Angle in degrees by which the leaf of [`ObjectSpec::Door`](crate::ObjectSpec::Door) opens: positive to the right seen from above, so
/// negative to the left.
pub const DOOR_SWING: f32 = -100.0;

/// Length of the swing, in frames of 1/30 s.
const FRAMES: u32 = 25;
/// Retail: `Motion::On`, open, and `Motion::Off`.
const ON: u32 = 0x4000_000B;
const OFF: u32 = 0x4000_000C;
/// Retail: `Motion::NonCombat`.
const STANCE: u32 = 0x8000_003D;
/// The placement used by records of the world. Retail: `PlacementType`.
const AT_REST: u32 = 0x65;
/// Gap around the leaf, in metres, so that it does not scrape.
const GAP: f32 = 0.02;

pub(crate) fn make(
    [width, height]: [f32; 2],
    material: Material,
) -> Result<ObjectRecords, ForgeError> {
    let (model, leaf) = thing_model(&leaf(width, height, material))?;
    // The sphere holds the leaf at any angle.
    let reach = leaf.centre.truncate().length() + leaf.radius;
    let middle = Vec3::new(-width / 2.0, 0.0, leaf.centre.z);
    let mut setup = upright(width / 2.0, height, Sphere::new(middle, reach));
    let pose = |key, open| Placement { key, frames: [hung(width, open)].into(), hooks: [].into() };
    setup.placements = vec![pose(0, 0.0), pose(AT_REST, 1.0)];
    setup.says_physics_tree = model.physics.is_some();
    let moves = Some(MotionRecords { animations: vec![swing(width)], table: table() });
    Ok(ObjectRecords {
        models: vec![model],
        setup: Some(Assembly { setup, parts: vec![0], moves }),
    })
}

/// Returns the leaf, with its hinge at the origin.
fn leaf(width: f32, height: f32, material: Material) -> Thing {
    let middle = width / 2.0;
    let board = [width - 2.0 * GAP, 0.08, height - 2.0 * GAP];
    let band = |at: f32| block([middle - width * 0.05, 0.0, height * at], [width * 0.8, 0.1, 0.08]);
    Thing::new()
        .solid(material, block([middle, 0.0, GAP], board))
        .solid(Material::Iron, band(0.14))
        .solid(Material::Iron, band(0.8))
        .solid(Material::Iron, block([width - 0.14, 0.0, height * 0.45], [0.06, 0.2, 0.1]))
}

/// Returns the frame of the leaf for an opening from 0 to 1.
fn hung(width: f32, open: f32) -> Frame {
    let turn = Vec3::new(0.0, 0.0, -(DOOR_SWING * open).to_radians());
    let rotation = Rotation::from_scaled_axis(turn).unwrap_or(Rotation::IDENTITY);
    Frame { origin: Vec3::new(-width / 2.0, 0.0, 0.0), rotation }
}

/// Opening of the door over time; it starts and stops gently.
fn swing(width: f32) -> Animation {
    #[allow(clippy::cast_precision_loss, reason = "few frames")]
    let frame = |index: u32| {
        let part = index as f32 / (FRAMES - 1) as f32;
        hung(width, part * part * (3.0 - 2.0 * part))
    };
    Animation {
        id: RecordId::NONE,
        other_flags: 0,
        parts: 1,
        frames: FRAMES,
        root_motion: None,
        part_frames: (0..FRAMES).map(frame).collect(),
        hooks: Vec::new(),
    }
}

/// One swing: forwards to open, backwards to shut. Its ends are the two states.
fn table() -> MotionTable {
    let last = FRAMES.cast_signed() - 1;
    let motion = |key: u32, [low, high]: [i32; 2], framerate: f32| {
        let span = AnimationSpan { animation: RecordId(0), low, high, framerate };
        let animations = [span].into();
        Motion { key, behaviour: 0, other_bits: 0, animations, velocity: None, omega: None }
    };
    let link = |from: u32, to: u32, framerate: f32| MotionLinks {
        key: motion_key(STANCE, from),
        motions: vec![motion(to, [0, last], framerate)],
    };
    MotionTable {
        id: RecordId::NONE,
        default_stance: STANCE,
        stance_defaults: vec![StanceDefault { stance: STANCE, motion: ON }],
        cycles: vec![
            motion(motion_key(STANCE, ON), [last, last], 30.0),
            motion(motion_key(STANCE, OFF), [0, 0], 30.0),
        ],
        modifiers: Vec::new(),
        links: vec![link(ON, OFF, -30.0), link(OFF, ON, 30.0)],
    }
}
