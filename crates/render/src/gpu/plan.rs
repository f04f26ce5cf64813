//! What a picture shows, worked out before anything is told to the device.

use std::collections::BTreeMap;
use std::ops::Range;

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Frame, Plane};
use threshold_view::{Region, Target};
use threshold_world::PortalSide;
use wgpu::RenderPass;

use super::bodies::Bodies;
use super::eye::Eye;
use super::frame::On;
use super::growth::{cut, grown};
use super::lamps::Lamp;
use super::store::rows;
use super::{Scene, Style};
use crate::day::{Celestial, Daylight, Properties};
use crate::layers::Line;

/// Lamps of a place that are drawn with: the nearest ones.
const LAMPS: usize = 8;
/// Bytes of a place, and of where the next one begins.
pub(super) const PLACE: u64 = 48 + LAMPS as u64 * 32;
pub(super) const PLACE_STRIDE: u32 = 512;

/// A landblock or a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Where {
    Land(BlockId),
    Room(CellId),
    /// Round the eye: one of the things in the sky.
    Sky(usize),
}

/// A picture that is being prepared.
pub(super) struct Plan<'a> {
    pub(super) on: &'a On<'a>,
    pub(super) scene: &'a Scene<'a>,
    pub(super) eye: Eye,
    pub(super) regions: Vec<Region<'a>>,
    places: BTreeMap<Where, u32>,
    pub(super) place_words: Vec<u8>,
    /// For each region where its corners begin: those for going in, then those for coming out.
    pub(super) corners: Vec<Range<u32>>,
    pub(super) corner_words: Vec<[f32; 5]>,
    pub(super) bodies: Bodies,
}

impl Where {
    /// The cell whose landblock it is in; of the sky, none.
    pub(super) fn cell(self) -> CellId {
        match self {
            Self::Land(block) => block.itself(),
            Self::Room(room) => room,
            Self::Sky(_) => CellId(0),
        }
    }
}

impl<'a> Plan<'a> {
    pub(super) fn new(on: &'a On<'a>, scene: &'a Scene<'a>) -> Self {
        let mut plan = Self {
            on,
            scene,
            eye: Eye::new(scene.viewer),
            regions: scene.seen.regions().collect(),
            places: BTreeMap::new(),
            place_words: Vec::new(),
            corners: Vec::new(),
            corner_words: Vec::new(),
            bodies: Bodies::new(scene),
        };
        for place in plan.wanted() {
            plan.add_place(place);
        }
        for number in 0..plan.regions.len() {
            plan.add_region(number);
        }
        plan
    }

    /// The places that are drawn.
    fn wanted(&self) -> Vec<Where> {
        let mut wanted: Vec<Where> = Vec::new();
        let mut sees_land = false;
        for region in &self.regions {
            match region.target() {
                Target::Cell(cell) => wanted.push(Where::Room(cell)),
                Target::Outside => sees_land = true,
                Target::Missing(_) => {}
            }
        }
        if sees_land {
            wanted.extend(self.on.store.lands.keys().map(|block| Where::Land(*block)));
            wanted.extend((0..self.scene.daylight.objects.len()).map(Where::Sky));
        }
        wanted
    }

    /// The ends of lines, as the eye has them.
    pub(super) fn lines(&self) -> Vec<[f32; 6]> {
        let end = |at: Vec3, [r, g, b]: [f32; 3]| [at.x, at.y, at.z, r, g, b];
        let ends = |line: &Line| {
            let offset = self.eye.offset(line.cell);
            line.ends.map(|at| end(at + offset, line.colour))
        };
        self.scene.lines.iter().flat_map(ends).collect()
    }

    pub(super) fn place_of(&self, at: Where) -> Option<u32> {
        self.places.get(&at).copied()
    }

    fn add_place(&mut self, at: Where) {
        if self.places.contains_key(&at) {
            return;
        }
        let Some(words) = self.place(at) else { return };
        // A few hundred places.
        let offset = u32::try_from(self.place_words.len()).unwrap_or(0);
        self.places.insert(at, offset);
        self.place_words.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self.place_words.resize((offset + PLACE_STRIDE) as usize, 0);
    }

    fn place(&self, at: Where) -> Option<Vec<u32>> {
        let store = self.on.store;
        let cell = at.cell();
        let stage = match at {
            Where::Land(block) => Some(store.lands.get(&block)?),
            Where::Room(room) => Some(store.rooms.get(&room)?),
            Where::Sky(_) => None,
        };
        let daylight = self.scene.daylight;
        let offset = if stage.is_some() { self.eye.offset(cell) } else { Vec3::ZERO };
        let (ambient, sun, fog) = match at {
            Where::Land(_) => (daylight.ambient, 1.0, 1.0),
            Where::Room(_) => {
                let from_outside = stage.is_some_and(|stage| stage.sees_outside);
                (indoors(daylight, from_outside), 0.0, self.fog_indoors())
            }
            Where::Sky(number) => {
                let thing = daylight.objects.get(number)?;
                let bright = thing.brightness.or(thing.luminosity).unwrap_or(1.0);
                (Vec3::splat(bright), 1.0 - thing.transparency.unwrap_or(0.0), 0.0)
            }
        };
        // By day nobody sees a lamp in the street.
        let shine = match at {
            Where::Land(_) => {
                (1.0 - 1.5 * (daylight.ambient + daylight.sun).max_element()).clamp(0.0, 1.0)
            }
            _ => 0.6,
        };
        let lamps = nearest(stage.map(|stage| &stage.lamps[..]).unwrap_or_default(), -offset);
        let mut words = Vec::with_capacity(12 + 8 * LAMPS);
        words.extend(four(offset, fog));
        words.extend(four(ambient, sun));
        let drift = match at {
            Where::Sky(number) => daylight.objects.get(number)?.texture_offset,
            _ => Vec2::ZERO,
        };
        let [u, v] = drift.to_array().map(f32::to_bits);
        words.extend([cell.0, u32::try_from(lamps.len()).unwrap_or(0), u, v]);
        for lamp in lamps {
            words.extend(four(lamp.at, lamp.reach));
            words.extend(four(lamp.colour * shine, 0.0));
        }
        Some(words)
    }

    /// Rooms that are seen from outdoors lie in the same fog as their houses.
    fn fog_indoors(&self) -> f32 {
        f32::from(u8::from(self.scene.viewer.cell().is_outdoor()))
    }

    /// The corners of a region, as triangles: with nothing but distance, then as deep as its opening; far away where several
    /// were merged, as what lies round them does.
    fn add_region(&mut self, number: usize) {
        let region = self.regions[number];
        #[allow(clippy::cast_possible_truncation, reason = "some thousand corners")]
        let start = self.corner_words.len() as u32;
        let mut corners = region.corners().to_vec();
        let mut depth = [0.0; 3];
        if let Some((plane, cell)) = self.opening_plane(&region) {
            corners = cut(&corners, self.eye.onward(plane));
            depth = self.eye.depth_of(plane, cell);
        }
        let corners = grown(&corners, self.on.sheet.size);
        for depth in [[0.0; 3], depth] {
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                for corner in [corners[0], pair[0], pair[1]] {
                    #[allow(clippy::cast_possible_truncation, reason = "on the screen")]
                    let (x, y) = (corner.x as f32, corner.y as f32);
                    self.corner_words.push([x, y, depth[0], depth[1], depth[2]]);
                }
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "some thousand corners")]
        self.corners.push(start..self.corner_words.len() as u32);
    }

    /// The plane of the one opening of a region, facing where it is looked through from, in the frame of a cell's landblock.
    fn opening_plane(&self, region: &Region<'_>) -> Option<(Plane, CellId)> {
        let mut openings = region.openings();
        let (Some(via), None) = (openings.next(), openings.next()) else { return None };
        let room = self.scene.world.room(via.cell)?;
        let portal = room.portals().get(usize::from(via.portal))?;
        let frame = room.position().frame;
        let normal = frame.rotation.rows().to_global(portal.plane.normal);
        let d = portal.plane.d - normal.dot(frame.origin);
        let sign = if (portal.side == PortalSide::Front) == via.outdoors { 1.0 } else { -1.0 };
        Some((Plane { normal: normal * sign, d: d * sign }, via.cell))
    }

    /// Only what may be in a region is drawn at all.
    pub(super) fn scissor(&self, pass: &mut RenderPass<'_>, region: usize) {
        let Some(region) = self.regions.get(region) else { return };
        let [width, height] = self.on.sheet.size;
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in region.corners() {
            for (axis, value) in corner.to_array().into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        // y runs down on the device. A pixel more on every side: which ones are covered is for the device to say.
        let x = pixels([low[0], high[0]], width);
        let y = pixels([-high[1], -low[1]], height);
        pass.set_scissor_rect(x.start, y.start, x.end - x.start, y.end - y.start);
    }
}

/// The pixels between two places of the screen.
fn pixels([low, high]: [f64; 2], count: u32) -> Range<u32> {
    let place = |at: f64| (at * 0.5 + 0.5).clamp(0.0, 1.0) * f64::from(count);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to count")]
    let (start, end) =
        ((place(low).floor() as u32).saturating_sub(1), place(high).ceil() as u32 + 1);
    start.min(count)..end.clamp(start, count)
}

/// Light in a room: a little by itself, and some of the day where it looks out.
fn indoors(daylight: &Daylight, sees_outside: bool) -> Vec3 {
    let day = (daylight.ambient + daylight.sun * 0.35) * 0.45;
    Vec3::new(0.085, 0.08, 0.075) + if sees_outside { day } else { Vec3::ZERO }
}

/// The nearest lamps to a point.
fn nearest(lamps: &[Lamp], eye: Vec3) -> Vec<Lamp> {
    let mut lamps = lamps.to_vec();
    lamps.sort_by(|a, b| a.at.distance_squared(eye).total_cmp(&b.at.distance_squared(eye)));
    lamps.truncate(LAMPS);
    lamps
}

fn four(v: Vec3, w: f32) -> [u32; 4] {
    v.extend(w).to_array().map(f32::to_bits)
}

/// Where something in the sky stands, as seen by an eye of this height.
pub(super) fn sky_rows(thing: &Celestial, eye: f32) -> [[f32; 4]; 3] {
    let stays =
        thing.properties.has(Properties::WEATHER) && !thing.properties.has(Properties::AT_VIEWER);
    let up = if stays { Properties::WEATHER_HEIGHT - eye } else { 0.0 };
    let frame = Frame { origin: Vec3::Z * up, rotation: thing.rotation() };
    rows(&frame, Vec3::ONE)
}

pub(super) fn frame_words(eye: &Eye, scene: &Scene<'_>) -> [[f32; 4]; 10] {
    let four = |v: Vec3, w: f32| v.extend(w).to_array();
    let [a, b, c, d] = eye.matrix();
    let Daylight { sun_direction, sun, ambient, fog, .. } = scene.daylight;
    let is_flat = f32::from(u8::from(scene.style == Style::Ids));
    // Overhead the sky is bluer than at the horizon, and as bright as the day.
    let zenith = Vec3::new(0.22, 0.42, 0.8) * (*ambient + *sun * 0.5).max_element();
    [
        a,
        b,
        c,
        d,
        four(*sun_direction, scene.seconds),
        four(*sun, 0.0),
        four(*ambient, 0.0),
        four(fog.colour, fog.far),
        [fog.near, is_flat, 0.0, 0.0],
        four(zenith, 0.0),
    ]
}
