//! The JSON output, compared with the visible set of the library.

use serde_json::Value;
use threshold_conformance::Runner;
use threshold_land::vector::{DVec2, DVec3};
use threshold_land::{BlockId, CellId};
use threshold_motion::Rules;
use threshold_testkit::sample_source;
use threshold_view::{PortalLog, PortalWalk, Region, ViewScratch, VisibleSet};
use threshold_world::{PieceId, World};

use super::{HALL, INN, SQUARE, View, numbers, polygon, regions};

/// Views from rooms, a doorway and a street, with other lenses, and one from an eye outside its cell.
const VIEWS: [View; 9] = [
    INN,
    SQUARE,
    HALL,
    View("holt", 0xA9B4_0164, [115.0, 60.0, 41.7], [125.0, 61.0, 41.5], &["--fov", "100"]),
    View("holt", 0xA9B4_0031, [156.0, 2.0, 41.5], [156.0, 9.0, 41.5], &["--aspect", "1.25"]),
    View("holt", 0xA9B3_0038, [156.0, 191.9, 41.5], [156.0, 185.0, 41.5], &["--near", "0.5"]),
    View("holt", 0xA9B4_0167, [132.0, 156.0, 46.0], [134.0, 153.0, 40.0], &["--fov", "120"]),
    View("dungeon", 0x0102_0116, [0.0, 0.0, 0.0], [1.0, 2.0, -5.0], &["--aspect", "9:16"]),
    View("dungeon", 0x0102_0100, [70.0, -70.0, 1.7], [70.0, -70.0, -5.0], &["--fov", "170"]),
];

/// Walks the portals of a view with the library.
fn walk_portals(view: View) -> (ViewScratch, PortalLog) {
    let world = neighbourhood(view.0, CellId(view.1).block());
    let (mut scratch, mut log) = (ViewScratch::new(), PortalLog::default());
    PortalWalk::new(&world).run(&mut scratch, &mut log, &view.viewer());
    (scratch, log)
}

/// Loads a landblock and its neighbours.
fn neighbourhood(world: &str, block: BlockId) -> World {
    let mut runner = Runner::empty(sample_source(world), Rules::default());
    let near = |piece: &PieceId| {
        let other = piece.block();
        other.x().abs_diff(block.x()) <= 1 && other.y().abs_diff(block.y()) <= 1
    };
    runner.pieces().into_iter().filter(near).for_each(|piece| runner.load(piece));
    runner.into_world()
}

fn planes(region: &Value) -> Vec<DVec3> {
    region["planes"].as_array().unwrap().iter().map(|plane| numbers(plane).into()).collect()
}

/// The region of the library must be in the report. Numbers read from text may differ in the last bit.
#[track_caller]
fn check_region(json: &Value, region: &Region<'_>, seen: &VisibleSet) {
    let (planes, corners) = (planes(json), polygon(json));
    let count = region.corners().len();
    assert_eq!((planes.len(), corners.len()), (count, count));
    assert!(planes.iter().zip(region.planes()).all(|(a, b)| a.abs_diff_eq(*b, 1e-15)));
    assert!(corners.iter().zip(region.corners()).all(|(a, b)| a.abs_diff_eq(*b, 1e-15)));
    let Some(via) = region.entry() else {
        return assert_eq!(json["via"], Value::Null);
    };
    assert_eq!(json["via"]["cell"], via.cell.to_string());
    assert_eq!(json["via"]["portal"], via.portal);
    assert_eq!(json["via"]["region"], via.region);
    let near = match via.outdoors {
        true => seen.landscape().len(),
        false => seen.cell(via.cell).unwrap().regions().len(),
    };
    assert!(via.region < near, "{via:?}");
}

#[track_caller]
fn check(view: View) {
    let (json, (scratch, _)) = (view.json(&[]), walk_portals(view));
    let seen = scratch.visible();
    assert_eq!(json["root"], seen.root().to_string());
    let cells = json["cells"].as_array().unwrap();
    assert_eq!(cells.len(), seen.cells().len(), "{view:?}");
    for (json, cell) in cells.iter().zip(seen.cells()) {
        assert_eq!(json["id"], cell.id().to_string(), "{view:?}");
        assert_eq!(json["regions"].as_array().unwrap().len(), cell.regions().len());
        for (json, region) in json["regions"].as_array().unwrap().iter().zip(cell.regions()) {
            check_region(json, &region, seen);
        }
    }
    let outside = json["outside"].as_array().unwrap();
    assert_eq!(outside.len(), seen.landscape().len(), "{view:?}");
    outside
        .iter()
        .zip(seen.landscape())
        .for_each(|(json, region)| check_region(json, &region, seen));
    assert_eq!(json["budget_hit"], seen.budget_hit());
    assert_eq!(json["refused"].as_array().unwrap().len(), seen.unlisted().len());
    let stats = seen.stats();
    let want = serde_json::json!({
        "walks": stats.walks,
        "eligible": stats.eligible,
        "visits": stats.visits,
        "openings": stats.portals,
        "doors": stats.building_portals,
        "doors_missing": stats.unusable_building_portals,
        "near": stats.whole_portals,
        "merged": stats.merges,
        "landblocks": json["stats"]["landblocks"],
    });
    assert_eq!(json["stats"], want, "{view:?}");
}

#[test]
fn json_is_the_visible_set_of_the_library() {
    VIEWS.into_iter().for_each(check);
}

#[test]
fn json_has_the_documented_keys_in_order() {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let json = INN.json(&[]);
    let documented = ["root", "cells", "outside", "missing", "refused", "budget_hit", "stats"];
    assert_eq!(keys(&json), documented);
    assert_eq!(keys(&json["cells"][0]), ["id", "regions"]);
    assert_eq!(keys(&json["outside"][0]), ["planes", "polygon", "via"]);
    assert_eq!(keys(&json["outside"][0]["via"]), ["cell", "portal", "region"]);
    assert_eq!(json["cells"][0]["regions"][0]["via"], Value::Null);
    assert_eq!(keys(&INN.json(&["--why"]))[7..], ["why", "given_up"]);
}

#[test]
fn polygons_and_planes_describe_the_same_regions() {
    let mut count = 0;
    for view in VIEWS {
        let json = view.json(&[]);
        for region in regions(&json) {
            let (corners, planes) = (polygon(region), planes(region));
            assert!(corners.len() >= 3, "{view:?} {region}");
            assert_eq!(corners.len(), planes.len(), "{view:?} {region}");
            for (index, corner) in corners.iter().enumerate() {
                assert!(corner.abs().max_element() <= 1.0 + 1e-9, "{view:?} {corner}");
                let depth = |plane: &DVec3| plane.dot(corner.extend(1.0));
                assert!(planes.iter().all(|plane| depth(plane) >= -1e-9), "{view:?} {region}");
                // Each side ends where the next one begins.
                let next = (index + 1) % corners.len();
                assert!(depth(&planes[index]).abs() < 1e-9, "{view:?} {region}");
                assert!(planes[index].dot(corners[next].extend(1.0)).abs() < 1e-9, "{region}");
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count} regions");
}

/// Projects a point onto the screen, independently of the library. `tangent` is that of half the field of view.
fn project(view: View, tangent: f64, aspect: f64, at: [f64; 3]) -> DVec2 {
    let [eye, look] = [view.2, view.3].map(DVec3::from);
    let forward = (look - eye).normalize();
    let right = forward.cross(DVec3::new(0.0, 0.0, 1.0)).normalize();
    let (up, from) = (right.cross(forward), DVec3::from(at) - eye);
    let ahead = from.dot(forward) * tangent;
    DVec2::new(from.dot(right) / (ahead * aspect), from.dot(up) / ahead)
}

/// The portal from the inn's hall to its vestibule, from the description of the world.
const OPENING: [[f64; 3]; 4] =
    [[114.0, 58.8, 40.2], [114.0, 58.8, 42.8], [114.0, 61.2, 42.8], [114.0, 61.2, 40.2]];

#[test]
fn a_portal_is_on_the_screen_where_the_projection_puts_it() {
    let (eye, look) = ([108.5, 61.0, 41.2], [115.0, 58.0, 42.4]);
    let views: [(&[&str], f64, f64); 3] = [
        (&[], 1.0 / 3.0_f64.sqrt(), 16.0 / 9.0),
        (&["--fov", "90", "--aspect", "4:3"], 1.0, 4.0 / 3.0),
        (&["--fov", "120", "--aspect", "0.75"], 3.0_f64.sqrt(), 0.75),
    ];
    for (options, tangent, aspect) in views {
        let view = View("holt", 0xA9B4_0157, eye, look, options);
        let json = view.json(&[]);
        let seen = json["cells"].as_array().unwrap();
        let room = seen.iter().find(|cell| cell["id"] == "0xA9B40164").unwrap();
        let shown = polygon(&room["regions"][0]);
        let wanted = OPENING.map(|corner| project(view, tangent, aspect, corner));
        assert!(wanted.iter().all(|at| at.abs().max_element() < 1.0), "{wanted:?}");
        // The world stores its rooms rotated, in single precision.
        let near = |at: &DVec2, all: &[DVec2]| all.iter().any(|other| at.distance(*other) < 1e-4);
        assert!(wanted.iter().all(|at| near(at, &shown)), "{wanted:?} {shown:?}");
        assert!(shown.iter().all(|at| near(at, &wanted)), "{wanted:?} {shown:?}");
        // To the left of and below the point looked at: x grows to the right and y up.
        let middle = shown.iter().sum::<DVec2>() / 4.0;
        assert!(middle.x < 0.0 && middle.y < 0.0, "{middle}");
        assert_eq!(room["regions"][0]["via"]["cell"], "0xA9B40157");
        assert_eq!(room["regions"][0]["via"]["portal"], 0);
    }
}

#[test]
fn every_reason_is_that_of_the_library() {
    for view in [INN, SQUARE, HALL] {
        let (json, (scratch, log)) = (view.json(&["--why"]), walk_portals(view));
        let unseen = log.unseen_rooms(scratch.visible());
        let why = json["why"].as_array().unwrap();
        assert_eq!(why.len(), unseen.len());
        for (json, (cell, trials)) in why.iter().zip(unseen) {
            assert_eq!(json["id"], cell.to_string());
            let openings = json["openings"].as_array().unwrap();
            assert_eq!(openings.len(), trials.len());
            for (json, trial) in openings.iter().zip(trials) {
                assert_eq!(json["cell"], trial.cell.to_string());
                assert_eq!(json["portal"], trial.portal);
                assert_eq!(json["outdoors"], trial.outdoors);
                assert_eq!(json["reason"], trial.outcome.text());
            }
        }
    }
    let text = INN.text(&["--why"]);
    assert!(
        text.contains("  0xA9B40158\n    portal 1 of 0xA9B40157 is off the screen\n"),
        "{text}"
    );
    assert!(!INN.text(&[]).contains("Not seen"));
}
