//! What a picture shows, worked out before anything is told to the device.

use std::collections::BTreeMap;
use std::ops::Range;

use threshold_land::glam::{DVec2, DVec3, Vec2, Vec3};
use threshold_land::{BlockId, CellId, Plane, block_offset_between};
use threshold_view::{EntryPortal, Region, RegionContent};
use threshold_world::{Portal, PortalSide, Room};

use super::bodies::Bodies;
use super::eye::{Cone, Eye};
use super::frame::DrawResources;
use super::growth::{cut, grown};
use super::instance_transform::split;
use super::stage::Stage;
use super::{RegionMasks, RenderScene, Style};
use crate::day::Daylight;
use crate::debug_overlay::Line;

/// Bytes of a place, and of where the next one begins.
pub(super) const PLACE: u64 = 80;
pub(super) const STRIDE: u32 = 256;

/// An opening so little before a plane is beyond it, in metres.
const IN_PLANE: f32 = 1e-3;

/// An eye nearer to an opening than this is in it, in metres.
const AT_THE_EYE: f64 = 1e-3;

/// Bytes of the plane of an opening; the next one begins a stride later.
pub(super) const OPENING: u64 = 16;

/// How far before an opening things still show, in metres: rooms reach through it by less, and rounding is nothing to either.
pub(super) const SLACK: f64 = 0.025;

/// How deep regions are that came through several openings: behind everything, and before the sky.
const BEHIND: [f32; 3] = [0.0, 0.0, 4e-7];

/// What shows of a room that is not resident, as light: nobody has lit it yet.
const DARK: Vec3 = Vec3::new(0.012, 0.011, 0.010);

/// Lines that are drawn at the most: as many as a buffer of any device holds. No real picture comes near.
pub(super) const MAX_LINES: usize = 1_000_000;

/// Something that has light of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Where {
    /// What is not resident.
    Nowhere,
    Land(BlockId),
    Room(CellId),
    /// Round the eye: one of the things in the sky.
    Sky(usize),
}

/// A landblock in a picture.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    pub(super) block: BlockId,
    pub(super) stage: &'a Stage,
    /// From the eye to its origin.
    pub(super) offset: DVec3,
    /// How far away its nearest point is, in metres.
    pub(super) far: f64,
}

/// A picture that is being prepared.
pub(super) struct Plan<'a> {
    pub(super) on: &'a DrawResources<'a>,
    pub(super) scene: &'a RenderScene<'a>,
    pub(super) eye: Eye,
    pub(super) regions: Vec<Region<'a>>,
    /// What can be seen in each region.
    pub(super) cones: Vec<Cone>,
    /// All landblocks if the landscape is seen, the nearest first.
    pub(super) lands: Vec<Near<'a>>,
    places: BTreeMap<Where, u32>,
    pub(super) place_words: Vec<u8>,
    /// For each region where its corners begin: those for going in, then those for coming out.
    pub(super) corners: Vec<Range<u32>>,
    pub(super) corner_words: Vec<[f32; 5]>,
    pub(super) bodies: Bodies,
}

impl<'a> Plan<'a> {
    pub(super) fn new(on: &'a DrawResources<'a>, scene: &'a RenderScene<'a>) -> Self {
        let mut plan = Self {
            on,
            scene,
            eye: Eye::new(scene.viewer),
            regions: shown(scene),
            cones: Vec::new(),
            lands: Vec::new(),
            places: BTreeMap::new(),
            place_words: Vec::new(),
            corners: Vec::new(),
            corner_words: Vec::new(),
            bodies: Bodies::new(scene, on.store),
        };
        plan.add_place(Where::Nowhere);
        plan.add_lands();
        for number in 0..plan.regions.len() {
            plan.add_region(number);
        }
        plan
    }

    fn add_lands(&mut self) {
        let is_outside = |region: &Region<'_>| region.content() == RegionContent::Landscape;
        if !self.regions.iter().any(is_outside) {
            return;
        }
        let near = |(block, stage): (&BlockId, &'a Stage)| {
            let offset = self.eye.offset(block.as_cell());
            let [low, high] = stage.bounds.map(|bound| bound.as_dvec3() + offset);
            let far = DVec3::ZERO.clamp(low.min(high), high.max(low)).length();
            Near { block: *block, stage, offset, far }
        };
        let mut lands: Vec<Near<'a>> = self.on.store.lands.iter().map(near).collect();
        lands.sort_by(|a, b| a.far.total_cmp(&b.far));
        self.lands = lands;
        for place in 0..self.lands.len() {
            self.add_place(Where::Land(self.lands[place].block));
        }
        for number in 0..self.scene.daylight.objects.len() {
            self.add_place(Where::Sky(number));
        }
    }

    /// The ends of lines, as the eye has them; the scene has no more of them than [`MAX_LINES`].
    pub(super) fn lines(&self) -> Vec<[f32; 6]> {
        let end = |at: Vec3, [r, g, b]: [f32; 3]| [at.x, at.y, at.z, r, g, b];
        let ends = |line: &Line| {
            let offset = self.eye.offset(line.cell);
            line.ends.map(|at| end((at.as_dvec3() + offset).as_vec3(), line.colour))
        };
        self.scene.lines.iter().flat_map(ends).collect()
    }

    /// Where the words of a place are; those of nowhere if there are none.
    pub(super) fn place_of(&self, at: Where) -> u32 {
        self.places.get(&at).copied().unwrap_or(0)
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
        self.place_words.resize((offset + STRIDE) as usize, 0);
    }

    fn place(&self, at: Where) -> Option<Vec<u32>> {
        let (store, daylight) = (self.on.store, self.scene.daylight);
        let mut light =
            Light { ambient: Vec3::ONE, sun: 1.0, fog: 0.0, lamps: 0.0, own: 0.0, fill: DARK };
        let (mut offset, mut drift) = (DVec3::ZERO, Vec2::ZERO);
        match at {
            Where::Nowhere => {}
            Where::Land(_) => {
                offset = self.eye.offset(at.cell());
                (light.ambient, light.fog) = (daylight.ambient, 1.0);
                // By day nobody sees a lamp in the street.
                light.lamps = LAMPS * daylight.darkness();
            }
            Where::Room(room) => {
                let stage = store.rooms.get(&room)?;
                offset = self.eye.offset(room);
                (light.ambient, light.own) = indoors(daylight, stage.sees_outside);
                (light.sun, light.fog, light.lamps) = (0.0, self.fog_indoors(), LAMPS);
                light.fill = stage.mean * light.ambient;
            }
            Where::Sky(number) => {
                let thing = daylight.objects.get(number)?;
                let bright = thing.brightness.or(thing.luminosity).unwrap_or(1.0);
                light.ambient = Vec3::splat(bright);
                light.sun = 1.0 - thing.transparency.unwrap_or(0.0);
                // What falls does so near and far; other weather is right before the eye.
                light.lamps = f32::from(u8::from(thing.rain() > 0.0));
                drift = thing.texture_offset;
            }
        }
        Some(light.words(offset, drift, at.cell()))
    }

    /// Rooms that are seen from outdoors lie in the same fog as their houses.
    fn fog_indoors(&self) -> f32 {
        f32::from(u8::from(self.scene.viewer.cell().is_outdoor()))
    }

    /// The corners of a region, as triangles: with nothing but distance, then as deep as its opening; and what is seen in it.
    fn add_region(&mut self, number: usize) {
        let region = self.regions[number];
        if let RegionContent::Room(cell) = region.content() {
            self.add_place(Where::Room(cell));
        }
        #[allow(clippy::cast_possible_truncation, reason = "some thousand corners")]
        let start = self.corner_words.len() as u32;
        let mut outlines = vec![region.corners().to_vec()];
        let mut depth = BEHIND;
        let opening = self.opening_plane(&region);
        if self.scene.masks == RegionMasks::Ignored {
            outlines = vec![SCREEN.to_vec()];
        } else if let Some((plane, cell)) = opening {
            outlines = self.seen_through(&region, plane);
            depth = self.eye.depth_of(plane, cell);
        }
        self.cones.push(match self.scene.masks {
            RegionMasks::Applied => self.eye.cone(&region, opening),
            RegionMasks::Ignored => self.eye.whole(),
        });
        for depth in [[0.0; 3], depth] {
            for corners in outlines.iter().map(|corners| grown(corners, self.on.sheet.size)) {
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

    /// Whether the opening of a region lies wholly beyond that of another.
    pub(super) fn is_beyond(&self, inner: usize, outer: usize) -> bool {
        let opening = self.regions.get(outer).and_then(|region| self.opening_plane(region));
        let via = self.regions.get(inner).and_then(Region::entry);
        let portal = via.and_then(|via| self.portal(&via));
        let (Some((plane, cell)), Some((room, portal))) = (opening, portal) else { return false };
        let offset = block_offset_between(cell, room.id());
        let corners = room.portal_polygon(portal).vertices.iter();
        let before = |corner: &Vec3| plane.distance(room.to_block(*corner) + offset);
        corners.map(before).fold(f32::NEG_INFINITY, f32::max) < IN_PLANE
    }

    /// Outlines of a region that came through an opening. One right before the eye is passed whole, as the walls beside it may be nearer
    /// than drawing begins; where they are farther away nothing but themselves is seen: the outline of the opening and of those
    /// beside it that lead to the same place, and round them where the plane is too near to be drawn.
    fn seen_through(&self, region: &Region<'_>, plane: Plane) -> Vec<Vec<DVec2>> {
        let whole = cut(region.corners(), self.eye.onward(plane));
        let Some((room, portal)) = region.entry().and_then(|via| self.portal(&via)) else {
            return vec![whole];
        };
        let before = self.eye.before(plane, room.id());
        if !(AT_THE_EYE..self.eye.reach()).contains(&before) {
            return vec![whole];
        }
        let offset = self.eye.offset(room.id());
        let near = cut(&whole, self.eye.too_near(plane, before));
        let mut outlines = Vec::new();
        let is_beside = |other: &&Portal| {
            let turn = portal.plane.normal.dot(other.plane.normal);
            let is_level = turn > 0.9999 && (portal.plane.d - other.plane.d).abs() < IN_PLANE;
            other.other == portal.other && is_level
        };
        for portal in room.portals().iter().filter(is_beside) {
            let corners = room.portal_polygon(portal).vertices.iter();
            let corners: Vec<DVec3> =
                corners.map(|at| room.to_block(*at).as_dvec3() + offset).collect();
            for (outline, growth) in [(&whole, 0.0), (&near, self.eye.reach())] {
                let sides = self.eye.sides(&corners, plane.normal.as_dvec3(), growth);
                outlines
                    .push(sides.into_iter().fold(outline.clone(), |left, side| cut(&left, side)));
            }
        }
        outlines
    }

    /// The planes of openings, each where its region finds it.
    pub(super) fn opening_words(&self) -> Vec<u8> {
        let mut words = Vec::with_capacity(self.cones.len() * STRIDE as usize);
        for cone in &self.cones {
            let end = words.len() + STRIDE as usize;
            words.extend(cone.opening(SLACK).into_iter().flat_map(f32::to_le_bytes));
            words.resize(end, 0);
        }
        words
    }

    /// An opening and its room.
    fn portal(&self, via: &EntryPortal) -> Option<(&'a Room, &'a Portal)> {
        let room = self.scene.world.room(via.cell)?;
        Some((room, room.portals().get(usize::from(via.portal))?))
    }

    /// The plane of the one opening of a region, facing where it is looked through from, in the frame of a cell's landblock.
    fn opening_plane(&self, region: &Region<'_>) -> Option<(Plane, CellId)> {
        let mut openings = region.entries();
        let (Some(via), None) = (openings.next(), openings.next()) else { return None };
        let (room, portal) = self.portal(&via)?;
        let frame = room.position().frame;
        let normal = frame.rotation.rotate(portal.plane.normal);
        let d = portal.plane.d - normal.dot(frame.origin);
        let sign = if (portal.side == PortalSide::Front) == via.outdoors { 1.0 } else { -1.0 };
        Some((Plane { normal: normal * sign, d: d * sign }, via.cell))
    }

    /// The pixels that a region may be in, as columns and rows.
    pub(super) fn pixels(&self, region: usize) -> [Range<u32>; 2] {
        let [width, height] = self.on.sheet.size;
        if self.scene.masks == RegionMasks::Ignored {
            return [0..width, 0..height];
        }
        let corners = self.regions.get(region).map(|region| region.corners()).unwrap_or_default();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in corners {
            for (axis, value) in corner.to_array().into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        // y runs down on the device.
        [pixels([low[0], high[0]], width), pixels([-high[1], -low[1]], height)]
    }
}

/// The regions that are drawn: without masks, each room and the landscape once.
fn shown<'a>(scene: &RenderScene<'a>) -> Vec<Region<'a>> {
    let mut regions: Vec<Region<'a>> = scene.seen.regions().collect();
    if scene.masks == RegionMasks::Ignored {
        let mut known = Vec::new();
        regions.retain(|region| {
            let target = region.content();
            let is_new =
                !known.contains(&target) && !matches!(target, RegionContent::NotResident(_));
            known.push(target);
            is_new
        });
    }
    regions
}

/// The corners of the screen.
const SCREEN: [DVec2; 4] =
    [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(1.0, 1.0), DVec2::new(-1.0, 1.0)];

/// The pixels between two places of the screen. One more on every side: which ones are covered is for the device to say.
fn pixels([low, high]: [f64; 2], count: u32) -> Range<u32> {
    let place = |at: f64| (at * 0.5 + 0.5).clamp(0.0, 1.0) * f64::from(count);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to count")]
    let (start, end) =
        ((place(low).floor() as u32).saturating_sub(1), place(high).ceil() as u32 + 1);
    start.min(count)..end.clamp(start, count)
}

/// How a place is lit.
struct Light {
    ambient: Vec3,
    /// How much of the sun comes in, how much fog there is, and how bright lamps are.
    sun: f32,
    fog: f32,
    lamps: f32,
    /// How much soft light of its own it has.
    own: f32,
    /// What shows where nothing else does.
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

/// How bright lamps are in rooms, and outdoors at night.
const LAMPS: f32 = 0.6;

/// The light that a room has by itself.
const OWN_LIGHT: Vec3 = Vec3::new(0.085, 0.08, 0.075);

/// What is left at night of a room's own light, and of its soft light, where it looks out. With less a room without lamps is too dark to read;
/// with more, nights are as bright as days there.
const LEFT_AT_NIGHT: f32 = 0.4;

/// Light in a room, and the part of its soft light: a little by itself, and some of the day where it looks out. There the night takes its
/// own light, too; a room that never sees the day is always the same.
fn indoors(daylight: &Daylight, sees_outside: bool) -> (Vec3, f32) {
    if !sees_outside {
        return (OWN_LIGHT, 1.0);
    }
    let own = 1.0 - (1.0 - LEFT_AT_NIGHT) * daylight.darkness();
    (OWN_LIGHT * own + (daylight.ambient + daylight.sun * 0.35) * 0.45, own)
}

/// Bytes of what is the same all over a picture.
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
        four(*ambient, LAMPS * scene.daylight.darkness()),
        four(OWN_LIGHT, LAMPS),
    ]
}
