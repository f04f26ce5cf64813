//! A renderer that follows the manual of `threshold_view` alone: a depth buffer and a mask in memory, and a ray for each
//! pixel. It knows the draw list and the triangles of the world, and shares nothing else with the renderer on the device.
//! Both must show the same surface in every pixel.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::sync::Arc;

use studio::geometry::{Geometry, Stock};
use studio::{CLEAR, Studio, boxes, colour, keep, places};
use threshold_land::vector::{DVec2, DVec3, DVec4};
use threshold_land::{BlockId, CellId, block_offset_between};
use threshold_render::Style;
use threshold_testkit::{
    Random, lookout_cells, random_viewer_in, room_ids, soak_factor, viewers_at_portals,
};
use threshold_view::{
    DrawAction, DrawBudget, DrawList, DrawRegion, DrawSettings, DrawStep, PortalWalk,
    RegionContent, ViewScratch, Viewer,
};
use threshold_visuals::images::Image;

const SIZE: [u32; 2] = [96, 64];

/// Minimum depth of a pixel that is not empty.
const MIN_DEPTH: f64 = 4e-7;

/// One pixel of the target.
#[derive(Clone, Debug)]
struct Pixel {
    /// The colours that it may have; several where surfaces coincide.
    colours: Vec<[u8; 3]>,
    /// Whether a surface with holes or a transparent one is in front.
    is_unknown: bool,
    depth: f64,
    mask: u32,
}

const EMPTY: Pixel = Pixel { colours: Vec::new(), is_unknown: false, depth: 0.0, mask: 0 };

/// Difference in forward distance, in metres, within which single precision may show either of two surfaces.
fn tolerance(distance: f64) -> f64 {
    1e-4 + 2e-5 * distance
}

/// The renderer.
struct Rasteriser<'a> {
    geometry: &'a Geometry,
    viewer: &'a Viewer,
    near: f64,
    pixels: Vec<Pixel>,
}

/// Whether a point is in a convex outline.
fn contains(corners: &[DVec2], at: DVec2) -> bool {
    let next = corners.iter().cycle().skip(1);
    let side = |(a, b): (&DVec2, &DVec2)| (*b - *a).perp_dot(at - *a);
    let sides: Vec<f64> = corners.iter().zip(next).map(side).collect();
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

impl Rasteriser<'_> {
    fn execute(&mut self, step: DrawStep, region: &DrawRegion<'_>) {
        let (level, near) = (step.level, self.near);
        let seal = |at: DVec2| match region.portal() {
            Some(portal) => portal.seal_depth(near).dot(at.extend(1.0)).clamp(MIN_DEPTH, 1.0),
            None => MIN_DEPTH,
        };
        let [columns, rows] = region.scissor();
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let index = (y * SIZE[0] + x) as usize;
            let part = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of) * 2.0 - 1.0;
            let at = DVec2::new(part(x, SIZE[0]), -part(y, SIZE[1]));
            let is_in_mask = || region.mask().any(|corners| contains(corners, at));
            let pixel = &mut self.pixels[index];
            match step.action {
                DrawAction::Enter
                    if level > 0
                        && pixel.mask == level - 1
                        && seal(at) >= pixel.depth
                        && is_in_mask() =>
                {
                    *pixel = Pixel { mask: level, ..EMPTY };
                }
                DrawAction::Draw if pixel.mask == level => self.draw(index, at, region),
                DrawAction::Leave if level > 0 && pixel.mask == level && is_in_mask() => {
                    let is_resident = !matches!(region.content(), RegionContent::NotResident(_));
                    if pixel.depth > 0.0 || !is_resident {
                        pixel.depth = seal(at);
                    }
                    pixel.mask = level - 1;
                }
                _ => {}
            }
        }
    }

    /// Draws the content of a region in one pixel.
    fn draw(&mut self, index: usize, at: DVec2, region: &DrawRegion<'_>) {
        let clip = region.portal().map_or(DVec4::W, |portal| portal.clip_plane());
        let ray = self.viewer.direction(at);
        match region.content() {
            RegionContent::Room(cell) => {
                let stock = &self.geometry.rooms[&cell];
                self.draw_stock(index, stock, (cell.block(), ray, clip));
            }
            RegionContent::Landscape => {
                for (block, stock) in &self.geometry.lands {
                    self.draw_stock(index, stock, (*block, ray, clip));
                }
                // The sky: it has no colour here.
                let pixel = &mut self.pixels[index];
                pixel.depth = pixel.depth.max(MIN_DEPTH);
            }
            RegionContent::NotResident(_) => {}
        }
    }

    fn draw_stock(
        &mut self,
        index: usize,
        stock: &Stock,
        (block, ray, clip): (BlockId, DVec3, DVec4),
    ) {
        let offset = block_offset_between(self.viewer.cell(), block.as_cell()).as_dvec3();
        let eye = self.viewer.eye() - offset;
        let pixel = &mut self.pixels[index];
        for group in stock.groups.iter().filter(|group| group.may_meet(eye, ray)) {
            for triangle in &group.triangles {
                let Some(distance) = triangle.meets(eye, ray) else { continue };
                if distance < self.near || clip.dot((ray * distance).extend(1.0)) < 0.0 {
                    continue;
                }
                let before = self.near / pixel.depth - distance;
                if before < -tolerance(distance) {
                    continue;
                }
                if !triangle.is_plain {
                    pixel.is_unknown = true;
                    continue;
                }
                if before > tolerance(distance) {
                    pixel.colours.clear();
                }
                pixel.colours.push(triangle.colour);
                pixel.depth = pixel.depth.max(self.near / distance);
            }
        }
    }
}

/// Pixels by how they compare.
#[derive(Debug, Default)]
struct Tally {
    pixels: usize,
    /// Another surface, which the other image has in a pixel beside it.
    edges: usize,
    unknown: usize,
    wrong: usize,
    unmasked: usize,
}

/// What is compared: a world by name, and the budget of the draw lists.
#[derive(Clone, Copy)]
struct Subject<'a> {
    name: &'a str,
    budget: DrawBudget,
}

fn check_viewer(
    studio: &mut Studio,
    geometry: &Geometry,
    viewer: &Viewer,
    subject: Subject<'_>,
    tally: &mut Tally,
) {
    let image = studio.draw(viewer, Style::Ids, SIZE).image;
    let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new());
    let walk = PortalWalk { world: &studio.world, rules: studio.rules };
    let visible = walk.run(&mut scratch, &mut (), viewer);
    let settings = DrawSettings { budget: subject.budget, ..DrawSettings::new(viewer, SIZE) };
    list.build(&studio.world, viewer, visible, &settings);
    tally.unmasked += list.unmasked();
    let pixels = vec![EMPTY; (SIZE[0] * SIZE[1]) as usize];
    let mut drawn = Rasteriser { geometry, viewer, near: settings.near, pixels };
    for step in list.steps() {
        drawn.execute(*step, &list.region(step.region));
    }
    compare(&image, &drawn.pixels, geometry, (subject, viewer), tally);
}

/// Compares the two images pixel by pixel.
fn compare(
    image: &Image,
    pixels: &[Pixel],
    geometry: &Geometry,
    (subject, viewer): (Subject<'_>, &Viewer),
    tally: &mut Tally,
) {
    let pixel = |[x, y]: [u32; 2]| &pixels[(y * SIZE[0] + x) as usize];
    let shows = |pixel: &Pixel, colour: [u8; 3]| match &pixel.colours[..] {
        [] => colour == CLEAR,
        colours => colours.contains(&colour),
    };
    for place in places(image) {
        tally.pixels += 1;
        let (own, shown) = (pixel(place), colour(image, place));
        if own.is_unknown {
            tally.unknown += 1;
            continue;
        }
        if shows(own, shown) {
            continue;
        }
        let near = |side: u32, count: u32| side.saturating_sub(1)..(side + 2).min(count);
        let mut beside =
            near(place[1], SIZE[1]).flat_map(|y| near(place[0], SIZE[0]).map(move |x| [x, y]));
        if beside.any(|it| shows(pixel(it), shown) || shows(own, colour(image, it))) {
            tally.edges += 1;
            continue;
        }
        tally.wrong += 1;
        let kept = keep("pictures", &format!("manual {}", subject.name), image);
        let own = own.colours.first().map_or(CLEAR, |colour| *colour);
        println!(
            "{}: {} instead of {} at {place:?} of {}\n{viewer:?}",
            subject.name,
            geometry.name(shown),
            geometry.name(own),
            kept.display()
        );
    }
}

/// Looks around in cells and at portals, and compares.
///
/// Both sample the middle of a pixel, so only rounding decides which side of an edge a pixel is on: at most one pixel of 500 may
/// differ, and must have a neighbour that does not. The device rounds corners to 1/256 of a pixel, so of surfaces seen edge-on
/// it may show slivers that no ray meets: one pixel of 50,000.
#[track_caller]
fn check(studio: &mut Studio, subject: Subject<'_>, cells: &[CellId]) -> Tally {
    let geometry = Geometry::new(&studio.world, &*studio.source);
    let (mut random, mut tally) = (Random(21), Tally::default());
    for cell in cells {
        let viewer = random_viewer_in(&studio.world, *cell, &mut random);
        check_viewer(studio, &geometry, &viewer, subject, &mut tally);
    }
    println!("{}: {tally:?}", subject.name);
    assert!(tally.edges * 500 < tally.pixels, "{tally:?}");
    assert!(tally.wrong * 50_000 <= tally.pixels, "{tally:?}");
    assert!(tally.unknown * 3 < tally.pixels, "{tally:?}");
    tally
}

/// Every cell at this distance in the list; ten times as many with `THRESHOLD_SOAK`.
fn every(cells: Vec<CellId>, step: usize) -> Vec<CellId> {
    cells.into_iter().step_by((step / soak_factor()).max(1)).collect()
}

const DEFAULT: DrawBudget = DrawBudget { levels: 255, buildings: 3, repeats: 4 };

#[test]
fn a_renderer_by_the_manual_shows_the_built_in_world_as_ours_does() {
    let mut studio = Studio::builtin(1);
    let rooms = every(room_ids(&studio.world), 16);
    let streets = every(lookout_cells(&studio.world), 40);
    let subject = Subject { name: "built-in", budget: DEFAULT };
    check(&mut studio, subject, &[rooms, streets].concat());
}

#[test]
fn a_renderer_by_the_manual_shows_the_dungeon_as_ours_does() {
    let mut studio = Studio::fixture("dungeon");
    let cells = every(room_ids(&studio.world), 2);
    check(&mut studio, Subject { name: "dungeon", budget: DEFAULT }, &cells);
}

#[test]
fn a_renderer_by_the_manual_keeps_rooms_apart_that_overlap() {
    let boxes = boxes::larger_inside();
    let mut studio = Studio::new(Arc::new(boxes.records()), 1);
    check(&mut studio, Subject { name: "overlapping", budget: DEFAULT }, &boxes.cells().repeat(3));
}

/// Rooms of a house do not overlap: without enough levels clip planes and depth keep them apart.
#[test]
fn a_renderer_that_runs_out_of_levels_still_shows_the_right_surfaces() {
    let mut studio = Studio::builtin(1);
    let cells = every(room_ids(&studio.world), 4);
    let budget = DrawBudget { levels: 1, ..DEFAULT };
    let tally = check(&mut studio, Subject { name: "one level", budget }, &cells);
    assert!(tally.unmasked > 20, "{tally:?}");
}

#[test]
fn a_renderer_by_the_manual_shows_the_same_from_portals() {
    let mut studio = Studio::fixture("holt");
    let geometry = Geometry::new(&studio.world, &*studio.source);
    let subject = Subject { name: "portals", budget: DEFAULT };
    let (mut random, mut tally) = (Random(22), Tally::default());
    for cell in every(room_ids(&studio.world), 40) {
        let room = studio.world.room(cell).unwrap();
        for viewer in viewers_at_portals(&studio.world, room, &mut random).iter().step_by(3) {
            check_viewer(&mut studio, &geometry, viewer, subject, &mut tally);
        }
    }
    println!("portals: {tally:?}");
    assert!(tally.edges * 500 < tally.pixels && tally.wrong * 2000 < tally.pixels, "{tally:?}");
}
