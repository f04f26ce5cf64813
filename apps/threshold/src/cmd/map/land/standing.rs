//! Buildings and objects on the land.

use threshold_land::BlockId;
use threshold_land::glam::Vec2;
use threshold_world::{Building, Land, Object, ObjectId};

use super::Atlas;
use crate::cmd::map::plan::opening;
use crate::cmd::map::style::{self, OBJECT, TEXT};
use crate::cmd::map::things;
use crate::drawing::flat::Segment;
use crate::drawing::label::{Label, Labels, Patch};
use crate::drawing::legend::Entry;
use crate::drawing::scene::{Outline, Paint, Scene};
use crate::pieces::Pieces;
use crate::show::thousands;

/// Below this scale, in paper units a metre, doors are not seen.
const DOORS: f32 = 1.2;
const ID: f32 = 7.0;

/// Loads the rooms that the openings of a landblock's buildings lead into: they know where.
pub(super) fn load_doorways(pieces: &mut Pieces, block: BlockId) {
    let buildings = pieces.world.land(block).map_or(&[][..], Land::buildings);
    let rooms: Vec<_> =
        buildings.iter().flat_map(|one| &one.portals).map(|portal| portal.other).collect();
    for room in rooms {
        pieces.room(room);
    }
}

/// Draws them and says how many there are.
pub(super) fn draw(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) -> String {
    let size = atlas.view.size();
    let corners = [atlas.chart.at(Vec2::ZERO), atlas.chart.at(size)];
    let mut labels = Labels::framed(Patch::round(&corners, -1.0));
    let mut texts = Vec::new();
    let buildings = buildings(scene, atlas, legend, &mut labels, &mut texts);
    let (objects, plants) = objects(scene, atlas, legend, &mut labels, &mut texts);
    if atlas.view.ids {
        scene.group(Some("ids".into()), Paint::default(), |scene| {
            for (label, thing) in &texts {
                if let Some((text, _)) = labels.beside(label, thing, &[0.5, 4.0, 10.0, 18.0]) {
                    scene.text(text);
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

/// An id and what it names.
type Wish = (Label, Patch);

fn buildings(
    scene: &mut Scene,
    atlas: &Atlas<'_>,
    legend: &mut Vec<Entry>,
    labels: &mut Labels,
    texts: &mut Vec<Wish>,
) -> usize {
    let (mut outlines, mut doors, mut count) = (Vec::new(), Vec::new(), 0);
    for land in &atlas.lands {
        let offset = atlas.offset(land);
        for building in land.buildings() {
            count += 1;
            let place = |point: &Vec2| atlas.chart.at(*point + offset);
            let shell = things::shell(building);
            let shell: Vec<Vec<Vec2>> =
                shell.iter().map(|part| part.iter().map(place).collect()).collect();
            let corners: Vec<Vec2> = shell.iter().flatten().copied().collect();
            let patch = Patch::round(&corners, 1.0);
            if let Some(first) = building.portals.first() {
                let text = format!("{:04X}", first.other.low());
                let label = Label { text, size: ID + 1.0, ink: TEXT };
                texts.push((label, patch));
            }
            labels.take(patch);
            doors.extend(openings(atlas, building).map(|door| door.map(|point| place(&point))));
            outlines.extend(shell);
        }
    }
    if count > 0 {
        draw_buildings(scene, atlas, legend, outlines, &doors);
    }
    count
}

fn draw_buildings(
    scene: &mut Scene,
    atlas: &Atlas<'_>,
    legend: &mut Vec<Entry>,
    outlines: Vec<Vec<Vec2>>,
    doors: &[Segment],
) {
    let close = atlas.chart.scale >= DOORS;
    let edge = if close { 2.2 } else { 1.2 };
    scene.group(Some("buildings".into()), Paint::default(), |scene| {
        scene.shape(Outline::Areas(outlines.clone()), Paint::line(style::BUILDING_EDGE, edge));
        scene.shape(Outline::Areas(outlines), Paint::both(style::BUILDING, style::BUILDING, 0.5));
        if close {
            draw_doors(scene, doors);
        }
    });
    let sample = Paint::both(style::BUILDING, style::BUILDING_EDGE, 1.1);
    legend.push(Entry::area("building", sample));
    if close && !doors.is_empty() {
        legend.push(Entry::new("door", |scene, at| {
            draw_doors(scene, &[[at - Vec2::new(4.0, 0.0), at + Vec2::new(4.0, 0.0)]]);
        }));
    }
}

fn draw_doors(scene: &mut Scene, doors: &[Segment]) {
    scene.segments(doors, Paint::line(style::BUILDING_EDGE, 4.2));
    scene.segments(doors, Paint::line(style::DOOR, 2.6));
}

/// The doors of a building seen from above, in its landblock; windows are not doors.
fn openings<'a>(
    atlas: &'a Atlas<'_>,
    building: &'a Building,
) -> impl Iterator<Item = Segment> + 'a {
    building.portals.iter().filter_map(move |portal| {
        let room = atlas.pieces.world.room(portal.other)?;
        let opening = room.portals().get(usize::from(portal.other_portal?))?;
        let found = opening::seen(room, opening)?;
        (found.kind == opening::Kind::Exit).then_some(found.segment)
    })
}

fn objects(
    scene: &mut Scene,
    atlas: &Atlas<'_>,
    legend: &mut Vec<Entry>,
    labels: &mut Labels,
    texts: &mut Vec<Wish>,
) -> (usize, usize) {
    let (mut things, mut plants) = (Vec::new(), Vec::new());
    for object in atlas.pieces.world.objects().filter(|one| one.position().cell.is_outdoor()) {
        let grown = object.id() >= ObjectId::scenery(object.position().cell.block(), 0);
        if grown { &mut plants } else { &mut things }.push(object);
    }
    scene.group(Some("plants".into()), style::plant(), |scene| {
        for plant in &plants {
            draw_object(scene, atlas, plant);
        }
    });
    scene.group(Some("objects".into()), style::object(), |scene| {
        for (object, number) in things.iter().zip(numbers(&things)) {
            let patch = draw_object(scene, atlas, object);
            labels.take(patch);
            let label = Label { text: format!("#{number}"), size: ID, ink: OBJECT.lit(0.7) };
            texts.push((label, patch));
        }
    });
    if !things.is_empty() {
        legend.push(Entry::new("object", |scene, at| scene.circle(at, 3.0, style::object())));
    }
    if !plants.is_empty() {
        legend.push(Entry::new("plant, stone", |scene, at| scene.circle(at, 3.0, style::plant())));
    }
    (things.len(), plants.len())
}

fn draw_object(scene: &mut Scene, atlas: &Atlas<'_>, object: &Object) -> Patch {
    let print = things::footprint(object);
    let offset = atlas.view.offset(object.position().cell.block());
    things::draw(scene, &atlas.chart, &print, offset, &Paint::default());
    things::patch(&atlas.chart, &print, offset)
}

/// The numbers of objects in their landblocks' records; the objects come by name.
fn numbers(objects: &[&Object]) -> Vec<u32> {
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
