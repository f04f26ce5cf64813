//! Buildings and objects on the land.

use threshold_land::BlockId;
use threshold_land::vector::Vec2;
use threshold_world::{Building, Land, Object, ObjectId};

use super::LandscapeInput;
use crate::Pieces;
use crate::drawing::{Drawing, Outline, Paint};
use crate::flat::Segment;
use crate::footprint;
use crate::labels::{LabelLayout, LabelText, PaperRect};
use crate::legend::LegendEntry;
use crate::plan::portal;
use crate::style::{self, OBJECT, TEXT};
use crate::text::thousands;

/// Least scale at which doors are visible, in paper units per metre.
const MIN_DOOR_SCALE: f32 = 1.2;
/// Size of an id.
const ID_SIZE: f32 = 7.0;

/// Loads the rooms behind the building portals of a landblock, which have the exact positions of doors.
pub(super) fn load_doorways(pieces: &mut Pieces, block: BlockId) {
    let buildings = pieces.world.land(block).map_or(&[][..], Land::buildings);
    let rooms: Vec<_> =
        buildings.iter().flat_map(|one| &one.portals).map(|portal| portal.other).collect();
    for room in rooms {
        pieces.room(room);
    }
}

/// Draws buildings and objects; returns their numbers as text.
pub(super) fn draw(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
) -> String {
    let size = input.view.size();
    let corners = [input.chart.at(Vec2::ZERO), input.chart.at(size)];
    let mut labels = LabelLayout::framed(PaperRect::around(&corners, -1.0));
    let mut texts = Vec::new();
    let buildings = draw_buildings(drawing, input, legend, &mut labels, &mut texts);
    let (objects, plants) = draw_objects(drawing, input, legend, &mut labels, &mut texts);
    if input.view.ids {
        drawing.group(Some("ids".into()), Paint::default(), |drawing| {
            for (label, subject) in &texts {
                if let Some((text, _)) = labels.beside(label, subject, &[0.5, 4.0, 10.0, 18.0]) {
                    drawing.text(text);
                }
            }
        });
    }
    let count = |number: usize, one: &str, many: &str| {
        format!("{} {}", thousands(number), if number == 1 { one } else { many })
    };
    let mut all =
        vec![count(buildings, "building", "buildings"), count(objects, "object", "objects")];
    if plants > 0 {
        all.push(count(plants, "plant or stone", "plants and stones"));
    }
    all.join(", ")
}

/// An id, and the rectangle of its subject.
type PendingLabel = (LabelText, PaperRect);

fn draw_buildings(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
    labels: &mut LabelLayout,
    texts: &mut Vec<PendingLabel>,
) -> usize {
    let (mut outlines, mut doors, mut count) = (Vec::new(), Vec::new(), 0);
    for land in &input.lands {
        let offset = input.offset(land);
        for building in land.buildings() {
            count += 1;
            let place = |point: &Vec2| input.chart.at(*point + offset);
            let shell = footprint::shell_outlines(building);
            let shell: Vec<Vec<Vec2>> =
                shell.iter().map(|part| part.iter().map(place).collect()).collect();
            let corners: Vec<Vec2> = shell.iter().flatten().copied().collect();
            let rect = PaperRect::around(&corners, 1.0);
            if let Some(first) = building.portals.first() {
                let text = format!("{:04X}", first.other.low());
                let label = LabelText { text, size: ID_SIZE + 1.0, ink: TEXT };
                texts.push((label, rect));
            }
            labels.take(rect);
            doors.extend(doors_of(input, building).map(|door| door.map(|point| place(&point))));
            outlines.extend(shell);
        }
    }
    if count > 0 {
        draw_shells(drawing, input, legend, outlines, &doors);
    }
    count
}

fn draw_shells(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
    outlines: Vec<Vec<Vec2>>,
    doors: &[Segment],
) {
    let close = input.chart.scale >= MIN_DOOR_SCALE;
    let edge = if close { 2.2 } else { 1.2 };
    drawing.group(Some("buildings".into()), Paint::default(), |drawing| {
        drawing.shape(Outline::Areas(outlines.clone()), Paint::line(style::BUILDING_EDGE, edge));
        drawing.shape(Outline::Areas(outlines), Paint::both(style::BUILDING, style::BUILDING, 0.5));
        if close {
            draw_doors(drawing, doors);
        }
    });
    let sample = Paint::both(style::BUILDING, style::BUILDING_EDGE, 1.1);
    legend.push(LegendEntry::area("building", sample));
    if close && !doors.is_empty() {
        legend.push(LegendEntry::new("door", |drawing, at| {
            draw_doors(drawing, &[[at - Vec2::new(4.0, 0.0), at + Vec2::new(4.0, 0.0)]]);
        }));
    }
}

fn draw_doors(drawing: &mut Drawing, doors: &[Segment]) {
    drawing.segments(doors, Paint::line(style::BUILDING_EDGE, 4.2));
    drawing.segments(doors, Paint::line(style::DOOR, 2.6));
}

/// Returns the doors of a building from above, in the frame of its landblock; windows are not doors.
fn doors_of<'a>(
    input: &'a LandscapeInput<'_>,
    building: &'a Building,
) -> impl Iterator<Item = Segment> + 'a {
    building.portals.iter().filter_map(move |portal| {
        let room = input.pieces.world.room(portal.other)?;
        let portal = room.portals().get(usize::from(portal.other_portal?))?;
        let plan_portal = portal::from_above(room, portal)?;
        (plan_portal.kind == portal::PortalKind::Exit).then_some(plan_portal.segment)
    })
}

fn draw_objects(
    drawing: &mut Drawing,
    input: &LandscapeInput<'_>,
    legend: &mut Vec<LegendEntry>,
    labels: &mut LabelLayout,
    texts: &mut Vec<PendingLabel>,
) -> (usize, usize) {
    let (mut placed, mut plants) = (Vec::new(), Vec::new());
    for object in input.pieces.world.objects().filter(|one| one.position().cell.is_outdoor()) {
        let is_scenery = object.id() >= ObjectId::scenery(object.position().cell.block(), 0);
        if is_scenery { &mut plants } else { &mut placed }.push(object);
    }
    drawing.group(Some("plants".into()), style::plant(), |drawing| {
        for plant in &plants {
            draw_object(drawing, input, plant);
        }
    });
    drawing.group(Some("objects".into()), style::object(), |drawing| {
        for (object, number) in placed.iter().zip(record_numbers(&placed)) {
            let rect = draw_object(drawing, input, object);
            labels.take(rect);
            let label =
                LabelText { text: format!("#{number}"), size: ID_SIZE, ink: OBJECT.lit(0.7) };
            texts.push((label, rect));
        }
    });
    if !placed.is_empty() {
        legend.push(LegendEntry::new("object", |drawing, at| {
            drawing.circle(at, 3.0, style::object())
        }));
    }
    if !plants.is_empty() {
        legend.push(LegendEntry::new("plant, stone", |drawing, at| {
            drawing.circle(at, 3.0, style::plant())
        }));
    }
    (placed.len(), plants.len())
}

fn draw_object(drawing: &mut Drawing, input: &LandscapeInput<'_>, object: &Object) -> PaperRect {
    let print = footprint::of_object(object);
    let offset = input.view.offset(object.position().cell.block());
    footprint::draw(drawing, &input.chart, &print, offset, &Paint::default());
    footprint::paper_rect(&input.chart, &print, offset)
}

/// Returns the numbers of objects in the records of their landblocks. `objects` are sorted by id.
fn record_numbers(objects: &[&Object]) -> Vec<u32> {
    let mut next = 0;
    let number = |object: &&Object| {
        let block = object.position().cell.block();
        if ObjectId::outdoor(block, next) > object.id() {
            next = 0;
        }
        while ObjectId::outdoor(block, next) < object.id() {
            next += 1;
        }
        next
    };
    objects.iter().map(number).collect()
}
