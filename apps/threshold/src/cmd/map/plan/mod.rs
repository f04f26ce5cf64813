//! Floor plans: rooms by level, each level a panel of the sheet.

mod draw;
mod layout;
mod level;
mod names;
pub(super) mod opening;
mod room;

use std::collections::BTreeMap;

use anyhow::bail;
use threshold_land::CellId;
use threshold_land::glam::Vec2;

use self::layout::{Panel, Sheet};
use self::level::Level;
use self::opening::Kind;
use self::room::Plan;
use super::Drawn;
use super::sheet;
use super::style;
use super::things::{self, Footprint};
use crate::drawing::flat::{self, Segment};
use crate::drawing::label::Labels;
use crate::drawing::legend::Entry;
use crate::drawing::scene::{Paint, Scene};
use crate::pieces::Pieces;
use crate::show::thousands;

/// Which rooms are shown, and how.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) rooms: Vec<CellId>,
    /// Only the level nearest to this height.
    pub(super) level: Option<f32>,
    /// The room that was asked for, and the point in it if one was said.
    pub(super) mark: Option<(CellId, Option<Vec2>)>,
    pub(super) ids: bool,
    pub(super) title: String,
}

/// Rooms seen from above.
struct Interior {
    plans: Vec<Plan>,
    objects: BTreeMap<CellId, Vec<Footprint>>,
    mark: Option<(CellId, Vec2)>,
    ids: bool,
}

impl Interior {
    fn new(pieces: &Pieces, view: &View) -> Self {
        let rooms = view.rooms.iter().filter_map(|id| pieces.world.room(*id));
        let mut objects: BTreeMap<CellId, Vec<Footprint>> = BTreeMap::new();
        for object in pieces.world.objects() {
            let cell = object.position().cell;
            if cell.is_indoor() {
                objects.entry(cell).or_default().push(things::footprint(object));
            }
        }
        let plans: Vec<Plan> = rooms.filter_map(Plan::of).collect();
        let middle = |id: CellId| {
            plans.iter().find(|plan| plan.id == id).map(|plan| flat::middle(&plan.outline))
        };
        let mark = view.mark.and_then(|(id, at)| Some((id, at.or_else(|| middle(id))?)));
        Self { plans, objects, mark, ids: view.ids }
    }

    fn index(&self, id: CellId) -> Option<usize> {
        self.plans.binary_search_by_key(&id, |plan| plan.id).ok()
    }
}

pub(super) fn draw(pieces: &Pieces, view: &View) -> anyhow::Result<Drawn> {
    let interior = Interior::new(pieces, view);
    if interior.plans.is_empty() {
        bail!("{}: no room can be drawn", view.title);
    }
    let levels = level::levels(&interior.plans);
    let count = levels.len();
    let shown = match view.level.and_then(|height| level::nearest(&levels, height)) {
        Some(index) => vec![levels[index].clone()],
        None => levels,
    };
    let legend = legend(&interior, &shown);
    let sheet = Sheet::of(&interior.plans, &shown, &legend);
    let mut scene = Scene { size: sheet.size, title: view.title.clone(), ..Scene::default() };
    for (number, (level, panel)) in shown.iter().zip(&sheet.panels).enumerate() {
        draw_panel(&mut scene, &interior, level, panel, number);
    }
    let rooms = shown.iter().map(|level| level.rooms.len()).sum::<usize>();
    let what = counted(rooms, shown.len(), count);
    let subtitle = format!("{what} · heights and coordinates in metres of the landblock");
    sheet::furnish(&mut scene, &subtitle, sheet.scale, &legend);
    Ok(Drawn { scene, what })
}

fn counted(rooms: usize, shown: usize, levels: usize) -> String {
    let room = if rooms == 1 { "room" } else { "rooms" };
    let rooms = thousands(rooms);
    match (shown, levels) {
        (1, 1) => format!("{rooms} {room} on one level"),
        (1, _) => format!("{rooms} {room} on one of {levels} levels"),
        _ => format!("{rooms} {room} on {levels} levels"),
    }
}

fn draw_panel(scene: &mut Scene, all: &Interior, level: &Level, panel: &Panel, number: usize) {
    let chart = panel.chart;
    let pair = |v: Vec2| format!("{} {}", v.x, v.y);
    let data = vec![
        ("height", level.height.to_string()),
        ("scale", chart.scale.to_string()),
        ("origin", pair(chart.origin)),
        ("corner", pair(chart.corner)),
    ];
    let id = Some(format!("level-{number}"));
    scene.group_with(id, data, Paint::default(), |scene| {
        layout::heading(scene, panel, &heading(all, level));
        layout::grid(scene, panel);
        draw::level(scene, all, level, &chart);
    });
}

/// What a panel shows: its level, and how far its floors are from it.
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

/// With a decimal where it says something.
fn metres(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "\u{2212}") }
}

/// What is on the sheet, in the order of the legend.
fn legend(all: &Interior, shown: &[Level]) -> Vec<Entry> {
    let rooms = || shown.iter().flat_map(|level| &level.rooms).map(|index| &all.plans[*index]);
    let any = |wanted: &dyn Fn(Kind) -> bool| {
        rooms().flat_map(|plan| &plan.openings).any(|opening| wanted(opening.kind))
    };
    let lost = |kind| matches!(kind, Kind::Doorway(other) if all.index(other).is_none());
    let climbs = rooms().any(|plan| plan.up.is_some());
    let steep = rooms().flat_map(|plan| &plan.slopes).any(|slope| slope.steep);
    let arriving = shown.iter().any(|level| !level.arriving.is_empty());
    let things = rooms().any(|plan| all.objects.contains_key(&plan.id));
    let faint = Paint::both(style::FLOOR, style::STEP, 0.6);
    let entries = [
        (true, Entry::line("wall", style::wall())),
        (any(&|kind| matches!(kind, Kind::Doorway(_))), Entry::line("doorway", style::threshold())),
        (any(&|kind| kind == Kind::Exit), Entry::new("way outdoors", across(draw::exit))),
        (any(&|kind| kind == Kind::Window), Entry::new("window", across(draw::window))),
        (any(&lost), Entry::line("to a room left out", style::lost())),
        (climbs, Entry::new("stairs, ramp", steps(style::step()))),
        (climbs, Entry::new("up", across(up))),
        (steep, Entry::new("too steep to walk", steps(style::steep()))),
        (arriving, Entry::area("from the level below", faint)),
        (any(&is_down), Entry::new("hole down", |scene, at| draw::hole(scene, at, true))),
        (any(&is_up), Entry::new("hole up", |scene, at| draw::hole(scene, at, false))),
        (things, Entry::new("object", |scene, at| scene.circle(at, 3.0, style::object()))),
        (all.mark.is_some(), sheet::mark_entry()),
    ];
    entries.into_iter().filter(|(there, _)| *there).map(|(_, entry)| entry).collect()
}

/// A sample of what is drawn along a segment.
fn across(draw: fn(&mut Scene, Segment)) -> impl Fn(&mut Scene, Vec2) {
    move |scene, at| draw(scene, [at - Vec2::new(11.0, 0.0), at + Vec2::new(11.0, 0.0)])
}

fn up(scene: &mut Scene, along: Segment) {
    draw::arrow(scene, along, &mut Labels::default());
}

/// A sample of a hatch.
fn steps(paint: Paint) -> impl Fn(&mut Scene, Vec2) {
    move |scene, at| {
        let step = |i: u8| at + Vec2::new(f32::from(i) * 4.0 - 10.0, 0.0);
        let line = |i| [step(i) - Vec2::new(0.0, 6.0), step(i) + Vec2::new(0.0, 6.0)];
        scene.segments(&[0, 1, 2, 3, 4, 5].map(line), paint.clone());
    }
}

fn is_down(kind: Kind) -> bool {
    matches!(kind, Kind::Down(_))
}

fn is_up(kind: Kind) -> bool {
    matches!(kind, Kind::Up(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_read_well() {
        let all = [0.0, -0.001, 40.15, -7.0, -5.6].map(metres);
        assert_eq!(all, ["0", "0", "40.15", "\u{2212}7", "\u{2212}5.6"]);
        assert_eq!(counted(1, 1, 1), "1 room on one level");
        assert_eq!(counted(82, 4, 4), "82 rooms on 4 levels");
        assert_eq!(counted(20, 1, 4), "20 rooms on one of 4 levels");
    }
}
