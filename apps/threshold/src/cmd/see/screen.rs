//! A drawing of the screen with all regions.

use std::collections::BTreeMap;

use threshold_land::CellId;
use threshold_land::vector::{DVec2, Vec2};
use threshold_map::drawing::{Drawing, Ink, Item, Outline, Paint, ShapeItem, TextItem};
use threshold_map::flat;
use threshold_map::labels::{LabelLayout, LabelText, PaperRect};
use threshold_map::legend::{self, HEAD_HEIGHT, LegendEntry, MARGIN, MIN_WIDTH};
use threshold_map::palette::{PAPER, QUIET, TEXT};
use threshold_view::{EntryPortal, Region, RegionContent, VisibleSet};
use threshold_why::words;

use super::See;

/// Area of the screen in the drawing.
const PAPER_AREA: f32 = 960.0 * 540.0;
/// Gap between the screen and the legend.
const GAP: f32 = 14.0;
/// Sizes tried for a label inside its region, the most readable first.
const SIZES: [f32; 4] = [12.0, 10.0, 8.0, 6.5];
/// Size of a label beside its region, and the distances that are tried.
const SMALL: f32 = 8.0;
const DISTANCES: [f32; 9] = [4.0, 12.0, 22.0, 34.0, 46.0, 60.0, 76.0, 94.0, 120.0];
/// Distance between the lines of a hatch.
const HATCH: f32 = 9.0;
/// Largest number of rooms listed in the legend; it counts the others.
const MAX_NAMED: usize = 60;

const LANDSCAPE: Ink = Ink::hex(0x1E_8A45);
const MISSING: Ink = Ink::hex(0xC2_2F7B);
const ROOT: Ink = Ink::hex(0x7A_828B);
/// Colours of the other rooms from near to far, used in turn.
const ROOMS: [Ink; 9] = [
    Ink::hex(0x2B_6CB0),
    Ink::hex(0xD0_7C1F),
    Ink::hex(0x7B_4FB5),
    Ink::hex(0xB8_3A3A),
    Ink::hex(0x1C_9AA8),
    Ink::hex(0x9A_7B1C),
    Ink::hex(0xC2_5BA0),
    Ink::hex(0x4F_5FC4),
    Ink::hex(0x8A_5A3C),
];

/// Place of the screen in the drawing.
#[derive(Clone, Copy)]
struct ScreenArea {
    corner: Vec2,
    size: Vec2,
}

impl ScreenArea {
    fn new(aspect: f32) -> Self {
        let size = Vec2::new((PAPER_AREA * aspect).sqrt(), (PAPER_AREA / aspect).sqrt());
        let aside = (MIN_WIDTH - 2.0 * MARGIN - size.x).max(0.0) / 2.0;
        Self { corner: Vec2::new(MARGIN + aside, HEAD_HEIGHT + 6.0), size }
    }

    /// Converts a point of the screen. The y axis of the screen points up.
    fn at(&self, point: DVec2) -> Vec2 {
        let part = (point * DVec2::new(0.5, -0.5) + 0.5).as_vec2();
        self.corner + part * self.size
    }

    fn rect(&self) -> PaperRect {
        PaperRect::new(self.corner + self.size / 2.0, self.size / 2.0)
    }
}

/// A region in the drawing.
struct DrawnRegion<'a> {
    region: Region<'a>,
    /// Counter-clockwise in the axes of the drawing.
    outline: Vec<Vec2>,
    name: String,
    id: String,
    ink: Ink,
}

/// Draws a visible set.
pub(super) fn draw(see: &See, seen: &VisibleSet) -> Drawing {
    let area = ScreenArea::new(see.drawn_aspect());
    let rooms = seen.cells().map(|cell| cell.id()).filter(|cell| *cell != seen.root());
    let mut inks: BTreeMap<CellId, Ink> = rooms.zip(ROOMS.into_iter().cycle()).collect();
    inks.insert(seen.root(), ROOT);
    let all = regions(seen, &area, &inks);
    let legend = entries(seen, &inks);
    let width = (area.size.x + 2.0 * MARGIN).max(MIN_WIDTH);
    let bottom = area.corner.y + area.size.y + GAP;
    let height = bottom + legend::height(width - 2.0 * MARGIN, &legend) + MARGIN;
    let title = format!("Visible from {}", words::cell(see.cell));
    let mut drawing = Drawing { size: Vec2::new(width, height), title, items: Vec::new() };
    legend::draw_head(&mut drawing, &subtitle(see, seen));
    drawing.group(Some("regions".into()), Paint::default(), |drawing| {
        all.iter().for_each(|drawn| fill(drawing, drawn));
        all.iter().for_each(|drawn| edge(drawing, drawn));
    });
    cross(&mut drawing, &area);
    drawing.group(Some("names".into()), Paint::default(), |drawing| names(drawing, &all, &area));
    legend::draw(&mut drawing, Vec2::new(MARGIN, bottom), &legend);
    drawing
}

fn subtitle(see: &See, seen: &VisibleSet) -> String {
    let (eye, look) = (words::vector(see.eye.as_vec3()), words::vector(see.look.as_vec3()));
    let rooms = match seen.cells().len() {
        1 => "1 room".to_owned(),
        count => format!("{count} rooms"),
    };
    let (fov, aspect) = (see.fov, words::number(see.drawn_aspect()));
    format!("eye {eye}, looking at {look}; {fov} degrees high, {aspect} : 1; {rooms}")
}

/// Returns all regions. Those seen through a portal come after the region on its near side.
fn regions<'a>(
    seen: &'a VisibleSet,
    area: &ScreenArea,
    inks: &BTreeMap<CellId, Ink>,
) -> Vec<DrawnRegion<'a>> {
    let drawn = seen.regions().map(|region| {
        let same: Vec<Region<'a>> = match region.content() {
            RegionContent::Room(cell) => {
                seen.cell(cell).into_iter().flat_map(|cell| cell.regions()).collect()
            }
            RegionContent::Landscape => seen.landscape().collect(),
            missing => seen.not_resident().filter(|other| other.content() == missing).collect(),
        };
        let number = same.iter().position(|other| *other == region).unwrap_or_default();
        let (name, ink) = match region.content() {
            RegionContent::Room(cell) => (format!("{:04X}", cell.low()), inks.get(&cell).copied()),
            RegionContent::Landscape => ("land".to_owned(), Some(LANDSCAPE)),
            RegionContent::NotResident(cell) => (format!("{:04X}?", cell.low()), Some(MISSING)),
        };
        let id = match region.content() {
            RegionContent::Room(cell) => format!("cell-{:08X}-{number}", cell.0),
            RegionContent::Landscape => format!("outside-{number}"),
            RegionContent::NotResident(cell) => format!("missing-{:08X}-{number}", cell.0),
        };
        DrawnRegion {
            region,
            // The y axis of the drawing points down, which reverses an outline.
            outline: region.corners().iter().rev().map(|corner| area.at(*corner)).collect(),
            name: if same.len() == 1 { name } else { format!("{name}.{number}") },
            id,
            ink: ink.unwrap_or(QUIET),
        }
    });
    drawn.collect()
}

fn fill(drawing: &mut Drawing, drawn: &DrawnRegion<'_>) {
    let what = match drawn.region.content() {
        RegionContent::Room(cell) => cell.to_string(),
        RegionContent::Landscape => "the landscape".to_owned(),
        RegionContent::NotResident(cell) => format!("{cell}, not resident"),
    };
    let share = 100.0 * drawn.region.coverage();
    let title = match drawn.region.entry() {
        None => format!("{}: {what}; {share:.1} % of the screen", drawn.name),
        Some(EntryPortal { cell, portal, outdoors, .. }) => {
            let from = if outdoors { ", from outdoors" } else { "" };
            format!(
                "{}: {what}; {share:.1} % of the screen, through portal {portal} of {cell}{from}",
                drawn.name
            )
        }
    };
    let is_room = matches!(drawn.region.content(), RegionContent::Room(_));
    let paint = Paint::fill(drawn.ink).faint(if is_room { 0.3 } else { 0.12 });
    drawing.items.push(Item::Shape(ShapeItem {
        outline: Outline::Areas(vec![drawn.outline.clone()]),
        paint,
        id: Some(drawn.id.clone()),
        title: Some(title),
    }));
    if !is_room {
        hatch(drawing, &drawn.outline, Paint::line(drawn.ink, 0.7).faint(0.4));
    }
}

/// Fills an area with slanting lines.
fn hatch(drawing: &mut Drawing, outline: &[Vec2], paint: Paint) {
    let (down, across) = (Vec2::new(-1.0, 1.0), Vec2::new(HATCH, 0.0));
    // Lines lie at multiples of the step, so those of neighbouring areas meet.
    let along = |point: &Vec2| (point.x + point.y) / HATCH;
    let low = outline.iter().map(along).fold(f32::INFINITY, f32::min).ceil();
    let high = outline.iter().map(along).fold(f32::NEG_INFINITY, f32::max);
    let starts = (0..2000_u16).map(|step| low + f32::from(step)).take_while(|at| *at <= high);
    let lines: Vec<flat::Segment> =
        starts.filter_map(|at| flat::chord(outline, across * at, down)).collect();
    drawing.segments(&lines, paint);
}

fn edge(drawing: &mut Drawing, drawn: &DrawnRegion<'_>) {
    let paint = Paint::line(drawn.ink, 1.4);
    let paint = match drawn.region.content() {
        RegionContent::Room(_) => paint,
        RegionContent::Landscape => paint.dashed("6 3"),
        RegionContent::NotResident(_) => paint.dashed("2 3"),
    };
    drawing.area(drawn.outline.clone(), paint);
}

/// Marks the middle of the screen.
fn cross(drawing: &mut Drawing, area: &ScreenArea) {
    let (middle, arm) = (area.at(DVec2::ZERO), 6.0);
    let arms = [Vec2::X, Vec2::Y].map(|axis| [middle - axis * arm, middle + axis * arm]);
    drawing.segments(&arms, Paint::line(TEXT, 0.8));
}

/// Labels the regions, the innermost first, each where no other region covers it. A region that is too small gets its label beside it.
fn names(drawing: &mut Drawing, all: &[DrawnRegion<'_>], area: &ScreenArea) {
    let mut labels = LabelLayout::framed(area.rect());
    labels.take(PaperRect::new(area.at(DVec2::ZERO), Vec2::splat(8.0)));
    let label =
        |drawn: &DrawnRegion<'_>, size| LabelText { text: drawn.name.clone(), size, ink: TEXT };
    let mut too_small = Vec::new();
    for drawn in all.iter().rev() {
        let mut fitting = SIZES.iter().map(|size| label(drawn, *size));
        match fitting.find_map(|label| labels.inside_unavoided(&label, &drawn.outline)) {
            Some(text) => drawing.text(text),
            None => too_small.push(drawn),
        }
        labels.avoid(PaperRect::around(&drawn.outline, 2.0));
    }
    labels.forget_avoided();
    let patches = all.iter().map(|drawn| PaperRect::around(&drawn.outline, 2.0));
    // Labels cannot avoid regions that fill much of the screen.
    let small = patches.filter(|rect| rect.half.cmplt(area.size / 8.0).all());
    small.for_each(|rect| labels.avoid(rect));
    let texts: Vec<TextItem> =
        too_small.iter().rev().filter_map(|drawn| beside(drawing, drawn, &mut labels)).collect();
    texts.into_iter().for_each(|text| drawing.text(text));
}

/// Labels a region from beside it, with a line to its nearest corner. Returns `None` if there is no free space.
fn beside(
    drawing: &mut Drawing,
    drawn: &DrawnRegion<'_>,
    labels: &mut LabelLayout,
) -> Option<TextItem> {
    let label = LabelText { text: drawn.name.clone(), size: SMALL, ink: TEXT };
    let region = PaperRect::around(&drawn.outline, 0.0);
    let Some((text, at)) = labels.beside(&label, &region, &DISTANCES) else {
        return labels.inside(&label, &drawn.outline);
    };
    let nearest = |a: &&Vec2, b: &&Vec2| a.distance_squared(at).total_cmp(&b.distance_squared(at));
    let corner = drawn.outline.iter().min_by(nearest).copied().unwrap_or(region.centre);
    drawing.line(vec![corner, at], Paint::line(QUIET, 0.6));
    drawing.circle(corner, 1.2, Paint::fill(QUIET));
    Some(text)
}

fn entries(seen: &VisibleSet, inks: &BTreeMap<CellId, Ink>) -> Vec<LegendEntry> {
    let room = |cell: CellId| {
        let ink = inks.get(&cell).copied().unwrap_or(QUIET);
        LegendEntry::area(cell.to_string(), Paint::both(ink.towards(PAPER, 0.7), ink, 1.4))
    };
    let mut all: Vec<LegendEntry> =
        seen.cells().take(MAX_NAMED).map(|cell| room(cell.id())).collect();
    let more = seen.cells().len().saturating_sub(MAX_NAMED);
    if more > 0 {
        all.push(LegendEntry::new(format!("{more} more rooms"), |_, _| {}));
    }
    if seen.landscape().len() > 0 {
        all.push(hatched("the landscape", LANDSCAPE, "6 3"));
    }
    if seen.not_resident().len() > 0 {
        all.push(hatched("not resident", MISSING, "2 3"));
    }
    all
}

fn hatched(text: &str, ink: Ink, dash: &'static str) -> LegendEntry {
    LegendEntry::new(text, move |drawing, at| {
        let half = Vec2::new(11.0, 6.0);
        let outline = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| at + half * Vec2::new(x, y));
        hatch(drawing, &outline, Paint::line(ink, 0.7).faint(0.4));
        drawing.area(outline.to_vec(), Paint::line(ink, 1.4).dashed(dash));
    })
}
