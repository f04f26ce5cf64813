//! Rain falls outdoors, wherever the eye is, and never in a room.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use studio::{Studio, compare, keep, places};
use threshold_dat::{Records, RegionDesc};
use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, adjust_to_outside};
use threshold_render::Style;
use threshold_testkit::{Random, random_viewer_in, room_ids, soak_factor};
use threshold_view::{Lens, Viewer, VisibleSet};
use threshold_visuals::day::{Daylight, Moment, SkyProperties, daylight, group_named};
use threshold_visuals::images::Image;
use threshold_world::{Portal, PortalSide, REGION, Room, World};

const SIZE: [u32; 2] = [96, 64];
/// Distance of the eye from the plane of a portal, on either side, in metres.
const BESIDE: f32 = 1e-3;
/// Difference of a colour value above which it is visible.
const SEEN: u8 = 16;
/// Number of pixels of a thousand that may change more in the rain than without it, while the eye crosses a sill.
const CHANGED: usize = 10;

/// Returns noon of a rainy day, with rain and without it.
fn wet_and_dry(studio: &Studio) -> [Daylight; 2] {
    let region: RegionDesc = Records::new(&*studio.source).get(REGION).unwrap().unwrap();
    let wet = daylight(&region, &Moment::new(0, 0.5), group_named(&region, "rain"));
    assert!(wet.is_raining());
    let mut dry = wet.clone();
    dry.objects.retain(|object| !object.properties.contains(SkyProperties::AFTER_LAND));
    assert!(dry.objects.len() < wet.objects.len());
    [wet, dry]
}

fn draw(studio: &mut Studio, day: &Daylight, viewer: &Viewer) -> Image {
    studio.daylight = day.clone();
    studio.draw(viewer, Style::Lit, SIZE).image
}

/// Returns the number of pixels that differ visibly.
fn differing(one: &Image, other: &Image, seen: u8) -> Vec<[u32; 2]> {
    let is_apart = |[x, y]: &[u32; 2]| {
        let pairs = one.at(*x, *y).into_iter().zip(other.at(*x, *y));
        pairs.into_iter().any(|(a, b)| a.abs_diff(b) > seen)
    };
    places(one).filter(is_apart).collect()
}

/// Returns all exit portals: doors, windows and mouths of caves.
fn exits(world: &World) -> Vec<(&Room, &Portal)> {
    let rooms = room_ids(world).into_iter().map(|cell| world.room(cell).unwrap());
    let exits = rooms.flat_map(|room| room.portals().iter().map(move |portal| (room, portal)));
    exits.filter(|(_, portal)| portal.other.is_none()).collect()
}

/// Returns viewers just outside and just inside a portal that look in or out.
fn beside(world: &World, room: &Room, portal: &Portal, looks_in: bool) -> Option<[Viewer; 2]> {
    let corners = room.portal_polygon(portal).vertices;
    let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
    let normal = room.space().rows.to_global(portal.plane.normal);
    let outward = if portal.side == PortalSide::Front { normal } else { -normal };
    let ahead = outward * if looks_in { -5.0 } else { 5.0 } - Vec3::Z * 0.5;
    let lens = Lens { fov: 90.0, aspect: 1.5, ..Lens::default() };
    let viewer = |cell: CellId, eye: Vec3| Viewer::looking_at(cell, eye, eye + ahead, lens).ok();
    let (cell, outside) = adjust_to_outside(room.id(), middle + outward * BESIDE)?;
    let inside = middle - outward * BESIDE;
    if !world.is_resident(cell) || !room.contains(inside) {
        return None;
    }
    Some([viewer(cell, outside)?, viewer(room.id(), inside)?])
}

#[test]
fn rain_fell_in_rooms_until_the_eye_crossed_the_sill() {
    let mut studio = Studio::builtin(1);
    let days = wet_and_dry(&studio);
    let exits = exits(&studio.world);
    let step = (3 / soak_factor()).max(1);
    let pairs = exits.iter().enumerate().filter(|(number, _)| number % step == 0);
    let pairs = pairs.filter_map(|(number, (room, portal))| {
        let eyes = beside(&studio.world, room, portal, (number / step).is_multiple_of(2))?;
        Some((format!("opening {number}, of {}", room.id()), eyes))
    });
    let pairs: Vec<(String, [Viewer; 2])> = pairs.collect();
    assert!(pairs.len() > 20, "{}", pairs.len());
    let (mut worst, mut wet_pixels) = (0, 0);
    for (name, eyes) in pairs {
        let [wet, dry] =
            days.each_ref().map(|day| eyes.each_ref().map(|eye| draw(&mut studio, day, eye)));
        let changed = |images: &[Image; 2]| differing(&images[0], &images[1], SEEN).len();
        let more = changed(&wet).saturating_sub(changed(&dry));
        worst = worst.max(more);
        wet_pixels += differing(&wet[0], &dry[0], 0).len();
        if more * 1000 > wet[0].pixels.len() * CHANGED {
            let [outside, inside] = ["outside", "inside"].map(|side| format!("rain {side}"));
            let kept = [keep("pictures", &outside, &wet[0]), keep("pictures", &inside, &wet[1])];
            panic!("{name}: {more} pixels more change in the rain: {kept:?}\n{eyes:?}");
        }
    }
    println!("at worst {worst} pixels more; {wet_pixels} with rain");
    assert!(wet_pixels > 1000, "there is rain to be seen: {wet_pixels}");
}

/// Whether a pixel, or one beside it, lies in a region of the landscape.
fn is_outside(seen: &VisibleSet, middle: DVec2) -> bool {
    let pixel = DVec2::new(2.0 / f64::from(SIZE[0]), 2.0 / f64::from(SIZE[1]));
    let around = [-1.0, 0.0, 1.0];
    let mut asides = around.into_iter().flat_map(|x| around.map(|y| DVec2::new(x, y)));
    asides.any(|aside| seen.landscape().any(|region| region.contains(middle + aside * pixel)))
}

#[test]
fn from_rooms_rain_shows_only_in_landscape_regions() {
    let mut studio = Studio::builtin(1);
    let [wet, dry] = wet_and_dry(&studio);
    let exits = exits(&studio.world);
    let mut rooms: Vec<CellId> = exits.iter().map(|(room, _)| room.id()).collect();
    rooms.dedup();
    let (mut random, mut wet_pixels) = (Random(4), 0);
    for cell in rooms.into_iter().step_by((2 / soak_factor()).max(1)) {
        let viewer = random_viewer_in(&studio.world, cell, &mut random);
        let without = draw(&mut studio, &dry, &viewer);
        studio.daylight = wet.clone();
        let shot = studio.draw(&viewer, Style::Lit, SIZE);
        for place in differing(&shot.image, &without, 0) {
            wet_pixels += 1;
            let middle = compare::screen(&shot.image, place, DVec2::ZERO);
            assert!(is_outside(shot.seen, middle), "rain in a room at {place:?}: {viewer:?}");
        }
    }
    println!("{wet_pixels} pixels with rain");
    assert!(wet_pixels > 500, "there is rain to be seen: {wet_pixels}");
}

/// Rain falls between the eye and a house, in front of its doors and windows, too.
#[test]
fn rain_in_front_of_a_portal_grows_with_the_distance_to_it() {
    let mut studio = Studio::builtin(1);
    let days = wet_and_dry(&studio);
    let mut counts = [0; 3];
    let names: Vec<(CellId, usize)> = {
        let all = exits(&studio.world);
        let number = |(room, portal): &(&Room, &Portal)| {
            let place = room.portals().iter().position(|own| std::ptr::eq(own, *portal));
            (room.id(), place.unwrap())
        };
        all.iter().map(number).step_by(7).collect()
    };
    for (cell, number) in names {
        for (count, far) in counts.iter_mut().zip([0.05, 2.0, 8.0]) {
            let room = studio.world.room(cell).unwrap();
            let Some(viewer) = before(&studio.world, room, &room.portals()[number], far) else {
                continue;
            };
            let [wet, dry] = days.each_ref().map(|day| draw(&mut studio, day, &viewer));
            *count += differing(&wet, &dry, 0).len();
        }
    }
    println!("{counts:?}");
    let [near, further, far] = counts;
    // Rain behind a house shows through it from the sill, too.
    assert!(near * 5 < far && near < further && further < far, "{counts:?}");
}

/// Returns a viewer outdoors at a distance in front of a portal that sees little else.
fn before(world: &World, room: &Room, portal: &Portal, far: f32) -> Option<Viewer> {
    let corners = room.portal_polygon(portal).vertices;
    let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
    let normal = room.space().rows.to_global(portal.plane.normal);
    let outward = if portal.side == PortalSide::Front { normal } else { -normal };
    let (cell, eye) = adjust_to_outside(room.id(), middle + outward * far)?;
    let fov = f64::from(40.0 / far.max(1.0));
    let lens = Lens { fov, aspect: 1.5, ..Lens::default() };
    Viewer::looking_at(cell, eye, eye - outward, lens).ok().filter(|_| world.is_resident(cell))
}
