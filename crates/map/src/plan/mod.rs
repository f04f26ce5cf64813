//! Floor plans: rooms by level, with a panel for each level.

mod draw;
mod level;
mod names;
mod panels;
pub(crate) mod portal;
mod room;

use std::collections::BTreeMap;

use threshold_land::CellId;
use threshold_land::vector::Vec2;

use self::level::Level;
use self::panels::{Panel, PlanLayout};
use self::portal::PortalKind;
use self::room::RoomPlan;
use super::footprint::{self, Footprint};
use crate::Pieces;
use crate::drawing::{Drawing, Paint};
use crate::flat::{self, Segment};
use crate::labels::LabelLayout;
use crate::legend::LegendEntry;
use crate::sheet;
use crate::style;
use crate::text::thousands;
use crate::{DrawnMap, MapError};

/// The rooms of a floor plan, and how they are drawn.
#[derive(Clone, Debug)]
pub(super) struct PlanView {
    pub(super) rooms: Vec<CellId>,
    /// Draws only the level nearest to this height.
    pub(super) level: Option<f32>,
    /// The marked room, and the point in it if one is given.
    pub(super) mark: Option<(CellId, Option<Vec2>)>,
    pub(super) ids: bool,
    pub(super) title: String,
}

/// Rooms from above, with their objects.
struct Interior {
    plans: Vec<RoomPlan>,
    objects: BTreeMap<CellId, Vec<Footprint>>,
    mark: Option<(CellId, Vec2)>,
    ids: bool,
}

impl Interior {
    fn new(pieces: &Pieces, view: &PlanView) -> Self {
        let rooms = view.rooms.iter().filter_map(|id| pieces.world.room(*id));
        let mut objects: BTreeMap<CellId, Vec<Footprint>> = BTreeMap::new();
        for object in pieces.world.objects() {
            let cell = object.position().cell;
            if cell.is_indoor() {
                objects.entry(cell).or_default().push(footprint::of_object(object));
            }
        }
        let plans: Vec<RoomPlan> = rooms.filter_map(RoomPlan::new).collect();
        let centre = |id: CellId| {
            plans.iter().find(|plan| plan.id == id).map(|plan| flat::centroid(&plan.outline))
        };
        let mark = view.mark.and_then(|(id, at)| Some((id, at.or_else(|| centre(id))?)));
        Self { plans, objects, mark, ids: view.ids }
    }

    fn index(&self, id: CellId) -> Option<usize> {
        self.plans.binary_search_by_key(&id, |plan| plan.id).ok()
    }
}

pub(super) fn draw(pieces: &Pieces, view: &PlanView) -> Result<DrawnMap, MapError> {
    let interior = Interior::new(pieces, view);
    if interior.plans.is_empty() {
        return Err(MapError::NoPlan(view.title.clone()));
    }
    let levels = level::levels(&interior.plans);
    let count = levels.len();
    let shown = match view.level.and_then(|height| level::nearest(&levels, height)) {
        Some(index) => vec![levels[index].clone()],
        None => levels,
    };
    let legend = legend(&interior, &shown);
    let layout = PlanLayout::new(&interior.plans, &shown, &legend);
    let mut drawing =
        Drawing { size: layout.size, title: view.title.clone(), ..Drawing::default() };
    for (number, (level, panel)) in shown.iter().zip(&layout.panels).enumerate() {
        draw_panel(&mut drawing, &interior, level, panel, number);
    }
    let rooms = shown.iter().map(|level| level.rooms.len()).sum::<usize>();
    let summary = describe(rooms, shown.len(), count);
    let subtitle = format!("{summary} · heights and coordinates in metres of the landblock");
    sheet::draw_margins(&mut drawing, &subtitle, layout.scale, &legend);
    Ok(DrawnMap { drawing, summary })
}

/// Describes the number of rooms and levels.
fn describe(rooms: usize, shown: usize, levels: usize) -> String {
    let room = if rooms == 1 { "room" } else { "rooms" };
    let rooms = thousands(rooms);
    match (shown, levels) {
        (1, 1) => format!("{rooms} {room} on one level"),
        (1, _) => format!("{rooms} {room} on one of {levels} levels"),
        _ => format!("{rooms} {room} on {levels} levels"),
    }
}

fn draw_panel(drawing: &mut Drawing, all: &Interior, level: &Level, panel: &Panel, number: usize) {
    let chart = panel.chart;
    let pair = |v: Vec2| format!("{} {}", v.x, v.y);
    let data = vec![
        ("height", level.height.to_string()),
        ("scale", chart.scale.to_string()),
        ("origin", pair(chart.origin)),
        ("corner", pair(chart.corner)),
    ];
    let id = Some(format!("level-{number}"));
    drawing.group_with(id, data, Paint::default(), |drawing| {
        panels::draw_heading(drawing, panel, &heading(all, level));
        panels::draw_grid(drawing, panel);
        draw::draw_level(drawing, all, level, &chart);
    });
}

/// Returns the heading of a panel: its level, and the heights of its floors.
fn heading(all: &Interior, level: &Level) -> String {
    let floors = level.rooms.iter().map(|index| all.plans[*index].floor);
    let (low, high) =
        floors.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let count = level.rooms.len();
    let rooms = if count == 1 { "1 room".to_owned() } else { format!("{count} rooms") };
    let height = metres(level.height);
    if high - low < 0.25 {
        format!("Level z = {height} m, {rooms}")
    } else {
        format!("Level z = {height} m, {rooms}, floors {} to {}", metres(low), metres(high))
    }
}

/// Writes a length with up to two decimals and a true minus sign.
fn metres(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "\u{2212}") }
}

/// Returns entries for everything on the plan.
fn legend(all: &Interior, shown: &[Level]) -> Vec<LegendEntry> {
    let rooms = || shown.iter().flat_map(|level| &level.rooms).map(|index| &all.plans[*index]);
    let any = |is_wanted: &dyn Fn(PortalKind) -> bool| {
        rooms().flat_map(|plan| &plan.portals).any(|portal| is_wanted(portal.kind))
    };
    let leads_to_missing_room =
        |kind| matches!(kind, PortalKind::Doorway(other) if all.index(other).is_none());
    let climbs = rooms().any(|plan| plan.up.is_some());
    let steep = rooms().flat_map(|plan| &plan.slopes).any(|slope| slope.steep);
    let arriving = shown.iter().any(|level| !level.arriving.is_empty());
    let has_objects = rooms().any(|plan| all.objects.contains_key(&plan.id));
    let faint = Paint::both(style::FLOOR, style::STEP, 0.6);
    let entries = [
        (true, LegendEntry::line("wall", style::wall())),
        (
            any(&|kind| matches!(kind, PortalKind::Doorway(_))),
            LegendEntry::line("doorway", style::threshold()),
        ),
        (
            any(&|kind| kind == PortalKind::Exit),
            LegendEntry::new("way outdoors", along_segment(draw::draw_exit)),
        ),
        (
            any(&|kind| kind == PortalKind::Window),
            LegendEntry::new("window", along_segment(draw::draw_window)),
        ),
        (any(&leads_to_missing_room), LegendEntry::line("to a room left out", style::lost())),
        (climbs, LegendEntry::new("stairs, ramp", hatch_sample(style::step()))),
        (climbs, LegendEntry::new("up", along_segment(draw_up_arrow))),
        (steep, LegendEntry::new("too steep to walk", hatch_sample(style::steep()))),
        (arriving, LegendEntry::area("from the level below", faint)),
        (
            any(&is_down),
            LegendEntry::new("hole down", |drawing, at| draw::draw_hole(drawing, at, true)),
        ),
        (
            any(&is_up),
            LegendEntry::new("hole up", |drawing, at| draw::draw_hole(drawing, at, false)),
        ),
        (
            has_objects,
            LegendEntry::new("object", |drawing, at| drawing.circle(at, 3.0, style::object())),
        ),
        (all.mark.is_some(), sheet::mark_entry()),
    ];
    entries.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, entry)| entry).collect()
}

/// Returns a sample of a shape that is drawn along a segment.
fn along_segment(draw: fn(&mut Drawing, Segment)) -> impl Fn(&mut Drawing, Vec2) {
    move |drawing, at| draw(drawing, [at - Vec2::new(11.0, 0.0), at + Vec2::new(11.0, 0.0)])
}

fn draw_up_arrow(drawing: &mut Drawing, along: Segment) {
    draw::draw_arrow(drawing, along, &mut LabelLayout::default());
}

/// Returns a sample of a hatch.
fn hatch_sample(paint: Paint) -> impl Fn(&mut Drawing, Vec2) {
    move |drawing, at| {
        let step = |i: u8| at + Vec2::new(f32::from(i) * 4.0 - 10.0, 0.0);
        let line = |i| [step(i) - Vec2::new(0.0, 6.0), step(i) + Vec2::new(0.0, 6.0)];
        drawing.segments(&[0, 1, 2, 3, 4, 5].map(line), paint.clone());
    }
}

fn is_down(kind: PortalKind) -> bool {
    matches!(kind, PortalKind::Down(_))
}

fn is_up(kind: PortalKind) -> bool {
    matches!(kind, PortalKind::Up(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_read_well() {
        let all = [0.0, -0.001, 40.15, -7.0, -5.6].map(metres);
        assert_eq!(all, ["0", "0", "40.15", "\u{2212}7", "\u{2212}5.6"]);
        assert_eq!(describe(1, 1, 1), "1 room on one level");
        assert_eq!(describe(82, 4, 4), "82 rooms on 4 levels");
        assert_eq!(describe(20, 1, 4), "20 rooms on one of 4 levels");
    }
}
