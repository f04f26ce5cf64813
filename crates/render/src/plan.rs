//! Data of a frame, computed before anything is uploaded.

use std::collections::BTreeMap;
use std::ops::Range;

use threshold_land::vector::{DVec3, DVec4, Vec2, Vec3};
use threshold_land::{BlockId, CellId};
use threshold_view::{DrawList, DrawRegion, RegionContent};
use threshold_visuals::day::Daylight;
use threshold_visuals::debug_draw::DebugLine;
use threshold_visuals::light::{LAMP_BRIGHTNESS, OWN_LIGHT, RoomLight};

use super::bodies::Bodies;
use super::eye::Eye;
use super::frame::DrawResources;
use super::instance_transform::split;
use super::stage::Stage;
use super::{RenderScene, Style};

/// Size of a place in bytes, and the distance from one place to the next.
pub(super) const PLACE: u64 = 80;
pub(super) const STRIDE: u32 = 256;

/// Size of a clip plane in bytes; the next one is a stride later.
pub(super) const OPENING: u64 = 16;

/// Seal depth of regions with several portals: behind everything and in front of the sky.
const SEAL_BEHIND_ALL: [f32; 3] = [0.0, 0.0, 4e-7];

/// Light that fills a room that is not resident.
const DARK: Vec3 = Vec3::new(0.012, 0.011, 0.010);

/// Greatest number of lines. Every device can hold a buffer of them; no real frame comes near.
pub(super) const MAX_LINES: usize = 1_000_000;

/// Unit of lighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlaceKey {
    /// Rooms that are not resident.
    Nowhere,
    Land(BlockId),
    Room(CellId),
    /// Around the eye: an object of the sky, by its index.
    Sky(usize),
}

/// A landblock in a frame.
#[derive(Clone, Copy)]
pub(super) struct VisibleLand<'a> {
    pub(super) block: BlockId,
    pub(super) stage: &'a Stage,
    /// Vector from the eye to its origin.
    pub(super) offset: DVec3,
    /// Distance of its nearest point, in metres.
    pub(super) far: f64,
}

/// Data of a frame.
pub(super) struct Plan<'a> {
    pub(super) resources: &'a DrawResources<'a>,
    pub(super) scene: &'a RenderScene<'a>,
    pub(super) eye: Eye,
    pub(super) draws: &'a DrawList,
    /// All landblocks if the landscape shows, the nearest first.
    pub(super) lands: Vec<VisibleLand<'a>>,
    places: BTreeMap<PlaceKey, u32>,
    pub(super) place_words: Vec<u8>,
    /// For each region the range of its mask corners: first those for entering, then those for leaving.
    pub(super) corners: Vec<Range<u32>>,
    pub(super) corner_words: Vec<[f32; 5]>,
    pub(super) bodies: Bodies,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        resources: &'a DrawResources<'a>,
        scene: &'a RenderScene<'a>,
        draws: &'a DrawList,
    ) -> Self {
        let mut plan = Self {
            resources,
            scene,
            eye: Eye::new(scene.viewer),
            draws,
            lands: Vec::new(),
            places: BTreeMap::new(),
            place_words: Vec::new(),
            corners: Vec::new(),
            corner_words: Vec::new(),
            bodies: Bodies::new(scene, resources.store),
        };
        plan.add_place(PlaceKey::Nowhere);
        plan.add_lands();
        draws.regions().for_each(|region| plan.add_region(&region));
        plan
    }

    fn add_lands(&mut self) {
        let is_outside = |region: DrawRegion<'_>| region.content() == RegionContent::Landscape;
        if !self.draws.regions().any(is_outside) {
            return;
        }
        let near = |(block, stage): (&BlockId, &'a Stage)| {
            let offset = self.eye.offset(block.as_cell());
            let [low, high] = stage.bounds.map(|bound| bound.as_dvec3() + offset);
            let far = DVec3::ZERO.clamp(low.min(high), high.max(low)).length();
            VisibleLand { block: *block, stage, offset, far }
        };
        let mut lands: Vec<VisibleLand<'a>> = self.resources.store.lands.iter().map(near).collect();
        lands.sort_by(|a, b| a.far.total_cmp(&b.far));
        self.lands = lands;
        for place in 0..self.lands.len() {
            self.add_place(PlaceKey::Land(self.lands[place].block));
        }
        for number in 0..self.scene.daylight.objects.len() {
            self.add_place(PlaceKey::Sky(number));
        }
    }

    /// Returns the ends of the debug lines, relative to the eye.
    pub(super) fn lines(&self) -> Vec<[f32; 6]> {
        let end = |at: Vec3, [r, g, b]: [f32; 3]| [at.x, at.y, at.z, r, g, b];
        let ends = |line: &DebugLine| {
            let offset = self.eye.offset(line.cell);
            line.ends.map(|at| end((at.as_dvec3() + offset).as_vec3(), line.colour))
        };
        self.scene.lines.iter().flat_map(ends).collect()
    }

    /// Returns the offset of a place in the buffer; that of `Nowhere` for an unknown place.
    pub(super) fn place_of(&self, at: PlaceKey) -> u32 {
        self.places.get(&at).copied().unwrap_or(0)
    }

    fn add_place(&mut self, at: PlaceKey) {
        if self.places.contains_key(&at) {
            return;
        }
        let Some(words) = self.place(at) else { return };
        // A few hundred places.
        let offset = u32::try_from(self.place_words.len()).unwrap_or(0);
        self.places.insert(at, offset);
        self.place_words.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self.place_words.resize((offset + STRIDE) as usize, 0);
    }

    fn place(&self, at: PlaceKey) -> Option<Vec<u32>> {
        let (store, daylight) = (self.resources.store, self.scene.daylight);
        let mut light =
            Light { ambient: Vec3::ONE, sun: 1.0, fog: 0.0, lamps: 0.0, own: 0.0, fill: DARK };
        let (mut offset, mut drift) = (DVec3::ZERO, Vec2::ZERO);
        match at {
            PlaceKey::Nowhere => {}
            PlaceKey::Land(_) => {
                offset = self.eye.offset(at.cell());
                (light.ambient, light.fog) = (daylight.ambient, 1.0);
                // Street lamps are not visible by day.
                light.lamps = LAMP_BRIGHTNESS * daylight.darkness();
            }
            PlaceKey::Room(room) => {
                let stage = store.rooms.get(&room)?;
                offset = self.eye.offset(room);
                let own = RoomLight::of(daylight, stage.sees_outside);
                (light.ambient, light.own) = (own.ambient, own.soft);
                (light.sun, light.fog, light.lamps) = (0.0, self.fog_indoors(), LAMP_BRIGHTNESS);
                light.fill = stage.mean * light.ambient;
            }
            PlaceKey::Sky(number) => {
                let thing = daylight.objects.get(number)?;
                let bright = thing.brightness.or(thing.luminosity).unwrap_or(1.0);
                light.ambient = Vec3::splat(bright);
                light.sun = 1.0 - thing.transparency.unwrap_or(0.0);
                // Rain falls near and far; other weather is directly in front of the eye.
                light.lamps = f32::from(u8::from(thing.rain() > 0.0));
                drift = thing.texture_offset;
            }
        }
        Some(light.words(offset, drift, at.cell()))
    }

    /// Rooms visible from outdoors are in the same fog as their buildings.
    fn fog_indoors(&self) -> f32 {
        f32::from(u8::from(self.scene.viewer.cell().is_outdoor()))
    }

    /// Adds the mask of a region as triangles: first with a depth of 0, then with the depth of its portal.
    fn add_region(&mut self, region: &DrawRegion<'_>) {
        if let RegionContent::Room(cell) = region.content() {
            self.add_place(PlaceKey::Room(cell));
        }
        #[allow(clippy::cast_possible_truncation, reason = "some thousand corners")]
        let start = self.corner_words.len() as u32;
        let depth = region.portal().map_or(SEAL_BEHIND_ALL, |portal| {
            portal.seal_depth(self.eye.near()).as_vec3().to_array()
        });
        for depth in [[0.0; 3], depth] {
            for corners in region.mask() {
                for pair in corners.get(1..).unwrap_or_default().windows(2) {
                    for corner in [corners[0], pair[0], pair[1]] {
                        #[allow(clippy::cast_possible_truncation, reason = "on the screen")]
                        let (x, y) = (corner.x as f32, corner.y as f32);
                        self.corner_words.push([x, y, depth[0], depth[1], depth[2]]);
                    }
                }
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "some thousand corners")]
        self.corners.push(start..self.corner_words.len() as u32);
    }

    /// Returns the clip planes of the regions, each at its stride. That of a region without a portal clips nothing.
    pub(super) fn clip_plane_words(&self) -> Vec<u8> {
        let mut words = Vec::new();
        for region in self.draws.regions() {
            let end = words.len() + STRIDE as usize;
            let plane = region.portal().map_or(DVec4::W, |portal| portal.clip_plane());
            words.extend(plane.as_vec4().to_array().into_iter().flat_map(f32::to_le_bytes));
            words.resize(end, 0);
        }
        words
    }
}

/// Light of a place.
struct Light {
    ambient: Vec3,
    /// Part of the sunlight, strength of the fog, and brightness of lamps.
    sun: f32,
    fog: f32,
    lamps: f32,
    /// Strength of its own soft light.
    own: f32,
    /// Colour that fills gaps.
    fill: Vec3,
}

impl Light {
    fn words(&self, offset: DVec3, drift: Vec2, cell: CellId) -> Vec<u32> {
        let four = |v: Vec3, w: f32| v.extend(w).to_array().map(f32::to_bits);
        let (whole, rest) = split(offset);
        let mut words = Vec::with_capacity(20);
        words.extend(four(whole, self.fog));
        words.extend(four(rest, self.lamps));
        words.extend(four(self.ambient, self.sun));
        words.extend(four(self.fill, self.own));
        let [u, v] = drift.to_array().map(f32::to_bits);
        words.extend([u, v, cell.0, 0]);
        words
    }
}

/// Size in bytes of the data of the whole frame.
pub(super) const FRAME: u64 = 14 * 16;

pub(super) fn frame_words(eye: &Eye, scene: &RenderScene<'_>) -> [[f32; 4]; 14] {
    let four = |v: Vec3, w: f32| v.extend(w).to_array();
    let [a, b, c, d] = eye.matrix();
    let [right, up, ahead] = eye.look();
    let Daylight { sun_direction, sun, ambient, fog, .. } = scene.daylight;
    let is_flat = f32::from(u8::from(scene.style == Style::Ids));
    // Overhead the sky is bluer than at the horizon, and as bright as the day.
    let zenith = Vec3::new(0.22, 0.42, 0.8) * (*ambient + *sun * 0.5).max_element();
    [
        a,
        b,
        c,
        d,
        right,
        up,
        ahead,
        four(*sun_direction, scene.seconds),
        four(*sun, 0.0),
        four(fog.colour, fog.far),
        four(zenith, fog.near),
        [is_flat, 0.0, 0.0, 0.0],
        four(*ambient, LAMP_BRIGHTNESS * scene.daylight.darkness()),
        four(OWN_LIGHT, LAMP_BRIGHTNESS),
    ]
}
