//! Light changes gradually where cells meet, nights are dark, and lamps are out by day.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use studio::{Studio, colour, keep, places};
use threshold_dat::{Records, RegionDesc};
use threshold_land::CellId;
use threshold_land::vector::Vec3;
use threshold_render::Style;
use threshold_testkit::{Random, random_viewer_in, room_ids};
use threshold_view::{Lens, Viewer};
use threshold_visuals::day::{Daylight, Fog, Moment, daylight, fraction_of, group_named, linear};
use threshold_visuals::images::Image;
use threshold_world::{Portal, PortalSide, REGION, Room};

const SIZE: [u32; 2] = [96, 64];
const KINDS: [&str; 4] = ["clear", "fair", "overcast", "rain"];

fn region(studio: &Studio) -> RegionDesc {
    Records::new(&*studio.source).get(REGION).unwrap().unwrap()
}

fn at(region: &RegionDesc, clock: &str, kind: &str) -> Daylight {
    let moment = Moment::new(0, fraction_of(clock).unwrap());
    daylight(region, &moment, Some(group_named(region, kind).unwrap()))
}

#[test]
fn street_lamps_shone_at_noon() {
    let studio = Studio::builtin(1);
    let region = region(&studio);
    for kind in KINDS {
        let darkness = |clock: &str| at(&region, clock, kind).darkness();
        for clock in ["11:00", "12:00", "13:00"] {
            assert_eq!(darkness(clock), 0.0, "{kind} at {clock}");
        }
        for clock in ["22:00", "00:00", "03:00"] {
            assert!(darkness(clock) > 0.8, "{kind} at {clock}: {}", darkness(clock));
        }
        let minutes = (0..=1440_u16).map(|minute| Moment::new(0, f32::from(minute) / 1440.0));
        let group = group_named(&region, kind);
        let all: Vec<f32> =
            minutes.map(|minute| daylight(&region, &minute, group).darkness()).collect();
        let jump = all.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(jump < 0.08, "{kind}: {jump}");
    }
}

/// Returns the mean light, 0 to 1, of the pixels that do not show the landscape.
fn brightness(studio: &mut Studio, viewer: &Viewer) -> Option<f32> {
    let lit = studio.draw(viewer, Style::Lit, SIZE);
    // An image that shows the landscape is as bright as that.
    if lit.seen.landscape().len() > 0 {
        return None;
    }
    let light = places(&lit.image).map(|place| luminance(colour(&lit.image, place)));
    Some(light.sum::<f32>() / lit.image.pixels.len() as f32)
}

fn luminance(colour: [u8; 3]) -> f32 {
    let light = linear(Vec3::from(colour.map(|part| f32::from(part) / 255.0)));
    light.dot(Vec3::new(0.3, 0.5, 0.2))
}

#[test]
fn unlit_rooms_were_as_bright_at_night_as_by_day() {
    let mut studio = Studio::builtin(1);
    let region = region(&studio);
    let days = ["13:00", "22:00"].map(|clock| at(&region, clock, "fair"));
    let rooms = room_ids(&studio.world);
    let sees = |cell: &CellId| studio.world.room(*cell).unwrap().seen_outside();
    let (open, buried): (Vec<CellId>, Vec<CellId>) = rooms.into_iter().partition(sees);
    let mut random = Random(5);
    let mut parts = Vec::new();
    for cell in open.into_iter().step_by(2) {
        let viewer = random_viewer_in(&studio.world, cell, &mut random);
        let [day, night] = days.each_ref().map(|day| {
            studio.daylight = day.clone();
            brightness(&mut studio, &viewer)
        });
        let (Some(day), Some(night)) = (day, night) else { continue };
        assert!(night > 0.004, "{cell} is too dark at night: {night}");
        parts.push(night / day);
    }
    parts.sort_by(f32::total_cmp);
    println!("night by day: {parts:?}");
    assert!(parts.len() > 10);
    assert!(parts[parts.len() / 4] < 0.55, "unlit rooms: {parts:?}");
    assert!(parts[parts.len() / 2] < 0.8, "{parts:?}");
    for cell in buried.into_iter().step_by(9) {
        let viewer = random_viewer_in(&studio.world, cell, &mut random);
        let [day, night] = days.each_ref().map(|day| {
            studio.daylight = day.clone();
            let shot = studio.draw(&viewer, Style::Lit, SIZE);
            let cells: Vec<CellId> = shot.seen.cells().map(|seen| seen.id()).collect();
            let image = shot.image;
            let mut rooms = cells.into_iter().filter_map(|cell| studio.world.room(cell));
            rooms.all(|room| !room.seen_outside()).then_some(image)
        });
        assert!(day == night, "{cell} never sees the day: {viewer:?}");
    }
}

/// Red light outdoors, much brighter than all lamps, or white light of the same brightness.
fn sky(light: Vec3) -> Daylight {
    let plain = Daylight::plain();
    let fog = Fog { colour: light, near: 1e6, far: 2e6 };
    Daylight { sun: Vec3::ZERO, ambient: light, fog, objects: Vec::new(), ..plain }
}

/// Returns a viewer in a room that looks down at the sill of a door, and points of the floor from the sill inwards.
fn at_the_sill(room: &Room, portal: &Portal) -> Option<(Viewer, Vec<Vec3>)> {
    let corners = room.portal_polygon(portal).vertices.iter().map(|at| room.to_block(*at));
    let corners: Vec<Vec3> = corners.collect();
    let heights = || corners.iter().map(|at| at.z);
    let low = heights().fold(f32::INFINITY, f32::min);
    let high = heights().fold(f32::NEG_INFINITY, f32::max);
    let middle = (corners.iter().sum::<Vec3>() / corners.len() as f32).with_z(low);
    let normal = room.space().rows.to_global(portal.plane.normal);
    let inward = if portal.side == PortalSide::Front { -normal } else { normal };
    let (eye, floor) = (middle + inward * 2.5 + Vec3::Z * 1.5, middle + inward * 1.2);
    let is_door = high - low > 1.6 && normal.z.abs() < 0.1;
    // There is a floor just below, and room for a head.
    let inside = |at: Vec3| room.contains(at);
    let is_level = inside(floor + Vec3::Z * 0.1) && !inside(floor - Vec3::Z * 0.15);
    if !is_door || !is_level || !inside(eye) {
        return None;
    }
    let lens = Lens { fov: 80.0, aspect: 1.5, ..Lens::default() };
    let viewer = Viewer::looking_at(room.id(), eye, floor, lens).ok()?;
    let points = (1..=20_u8).map(|step| middle + inward * (0.1 * f32::from(step))).collect();
    Some((viewer, points))
}

/// Returns the green light of the pixel at a point.
fn green(image: &Image, viewer: &Viewer, at: Vec3) -> Option<f32> {
    let screen = viewer.project(at.as_dvec3())?;
    let place = |at: f64, size: u32| {
        let pixel = (at * 0.5 + 0.5) * f64::from(size);
        (0.0..f64::from(size)).contains(&pixel).then_some(pixel as u32)
    };
    let place = [place(screen.x, image.width)?, place(-screen.y, image.height)?];
    Some(linear(Vec3::from(colour(image, place).map(|part| f32::from(part) / 255.0))).y)
}

/// Under a red sky only the room's own light is green: none at the sill, and more further in.
#[test]
fn daylight_ended_abruptly_at_exits() {
    let mut studio = Studio::builtin(1);
    let rooms = room_ids(&studio.world);
    let doors = rooms.iter().filter_map(|cell| {
        let room = studio.world.room(*cell).filter(|room| room.seen_outside())?;
        let mut exits = room.portals().iter().filter(|portal| portal.other.is_none());
        Some((*cell, exits.find_map(|portal| at_the_sill(room, portal))?))
    });
    let doors: Vec<(CellId, (Viewer, Vec<Vec3>))> = doors.step_by(2).collect();
    assert!(doors.len() >= 5, "{}", doors.len());
    let mut checked = 0;
    for (cell, (viewer, points)) in doors {
        let [red, white] = [Vec3::new(2.0, 0.0, 0.0), Vec3::splat(0.7)].map(|light| {
            studio.daylight = sky(light);
            studio.draw(&viewer, Style::Lit, SIZE).image
        });
        let part = |at: &Vec3| {
            let [red, white] = [green(&red, &viewer, *at)?, green(&white, &viewer, *at)?];
            (white > 0.01).then(|| red / white)
        };
        let parts: Vec<f32> = points.iter().filter_map(part).collect();
        println!("{cell}: {parts:.2?}");
        let Some((first, last)) = parts.first().zip(parts.last()) else { continue };
        let jump = parts.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        if *first > 0.12 || *last < 0.05 || jump > 0.12 {
            let kept = keep("pictures", "daylight at a sill", &red);
            panic!("{cell}: {parts:.2?} from the sill inwards: {}\n{viewer:?}", kept.display());
        }
        checked += 1;
    }
    assert!(checked >= 5, "{checked}");
}
