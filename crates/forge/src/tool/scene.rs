//! Scenes: the plants and stones of the land.

use threshold_dat::region::SceneType;
use threshold_dat::{RecordId, Scene, SceneObject};
use threshold_land::Frame;
use threshold_land::vector::Vec3;

/// The id of the first scene.
const FIRST: u32 = 0x1200_0001;

/// Maximum number of scenes in a world: a corner has five bits for its scene, and 0 is none.
pub(crate) const MAX_SCENES: usize = 31;

/// A kind of plant or stone that a scene scatters over the land, at most one for every corner of land cells. Retail:
/// `ObjectDesc`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneryKind {
    /// The id from [`Forge::object`](crate::Forge::object).
    pub object: RecordId,
    /// Share of the corners, 0 to 1.
    pub share: f32,
    /// Maximum distance from the corner to the east and to the north, in metres.
    pub spread: [f32; 2],
    /// Smallest and largest scale.
    pub scale: [f32; 2],
    /// Steepest ground: the smallest upward part of its normal.
    pub steepest: f32,
}

/// Returns the id of a scene by its slot, which counts from 1.
pub(crate) fn id(slot: usize) -> RecordId {
    // At most 31.
    RecordId(FIRST + u32::try_from(slot).unwrap_or(1) - 1)
}

/// Returns the record of a scene.
pub(crate) fn record(slot: usize, growths: &[SceneryKind]) -> Scene {
    let object = |growth: &SceneryKind| SceneObject {
        object: growth.object,
        // From half a metre up to the spread away from the corner.
        frame: Frame::at(Vec3::new(0.5, 0.5, 0.0)),
        frequency: growth.share,
        displace_x: growth.spread[0],
        displace_y: growth.spread[1],
        min_scale: growth.scale[0],
        max_scale: growth.scale[1],
        max_rotation: 360.0,
        min_slope: growth.steepest,
        max_slope: 1.0,
        align: 0,
        orient: 0,
        weenie: 0,
    };
    Scene { id: id(slot), objects: growths.iter().map(object).collect() }
}

/// Returns one scene type for each scene, in the order of slots.
pub(crate) fn types(scenes: usize) -> Vec<SceneType> {
    let of = |slot: usize| SceneType { sounds: -1, scenes: [id(slot)].into() };
    (1..=scenes).map(of).collect()
}

/// Returns the scene types of a kind of ground, by slot: the same for all kinds, and none for slot 0.
pub(crate) fn slots(scenes: usize) -> Box<[i32]> {
    let of = |slot: usize| {
        let shown = (1..=scenes).contains(&slot);
        i32::try_from(slot).ok().filter(|_| shown).map_or(-1, |slot| slot - 1)
    };
    (0..32).map(of).collect()
}
