use threshold_forge::samples;

use super::*;
use crate::Kind;

fn scenario(kind: Kind, rest: &str) -> Scenario {
    let line = format!(r#"{{"id":"x","kind":"{kind}","world":"made",{rest}}}"#);
    Scenario::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn two_rooms() -> Runner {
    Runner::new(samples::two_rooms().unwrap())
}

/// The record of a scenario in two rooms, without its id.
#[track_caller]
fn check(kind: Kind, rest: &str, want: &str) {
    let record = two_rooms().run(&scenario(kind, rest)).unwrap();
    assert_eq!(record.to_line().unwrap(), format!(r#"{{"id":"x","steps":[{want}]}}"#), "{rest}");
}

#[test]
fn questions_for_cells_are_answered_in_order() {
    let query = |x: f32| format!(r#"{{"cell":"0x01020100","pos":[{x},2,1],"radius":0.48}}"#);
    check(
        Kind::Cells,
        &format!(r#""queries":[{},{},{}]"#, query(1.0), query(4.1), query(50.0)),
        r#"{"ok":true,"cell":"0x01020100","cells":["0x01020100"]},{"ok":true,"cell":"0x01020101","cells":["0x01020100","0x01020101"]},{"ok":true,"cell":null,"cells":["0x01020100"]}"#,
    );
}

#[test]
fn coordinate_calls_answer_what_they_are_asked() {
    let calls = [
        (r#"["blockid_to_lcoord","0xA9B40031"]"#, r#"{"ok":true,"lcoord":[1352,1440]}"#),
        (r#"["gid_to_lcoord","0xA9B40031"]"#, r#"{"ok":true,"lcoord":[1358,1440]}"#),
        (r#"["lcoord_to_gid",1358,1439]"#, r#"{"ok":true,"cell":"0xA9B30038"}"#),
        (r#"["lcoord_to_gid",-1,0]"#, r#"{"ok":false}"#),
        (
            r#"["adjust_to_outside","0xA9B40031",[150,-109.65,0]]"#,
            r#"{"ok":true,"cell":"0xA9B30034","pos":[150,82.3499985,0]}"#,
        ),
        (
            r#"["get_outside_lcoord","0xA9B40031",[150,-1,0]]"#,
            r#"{"ok":true,"lcoord":[1358,1439]}"#,
        ),
        (r#"["get_block_offset","0xA9B40031","0xA9B30038"]"#, r#"{"ok":true,"pos":[0,-192,0]}"#),
        (r#"["inbound_valid_cellid","0xA9B40031"]"#, r#"{"ok":true}"#),
        (r#"["in_bounds",2040,0]"#, r#"{"ok":false}"#),
    ];
    for (call, want) in calls {
        check(Kind::Landdefs, &format!(r#""calls":[{call}]"#), want);
    }
}

const MOVER: &str = r#""mover":{"setup":"0x02000001","state":"0x00400408"}"#;

/// Fields of a mover in the air, and on the floor of the west room.
const AIR: &str = r#""contact":false,"walkable":false,"plane":null,"plane_cell":null"#;
const FLOOR: &str =
    r#""contact":true,"walkable":true,"plane":[0,0,1,-0],"plane_cell":"0x01020100""#;

/// The step of a mover in the west room without sliding normal; `met` holds the remaining fields.
fn said(pos: &str, stance: &str, met: &str) -> String {
    format!(r#"{{"ok":true,"cell":"0x01020100","pos":{pos},{stance},"slide":null,{met}}}"#)
}

#[test]
fn a_falling_mover_is_updated_to_the_ground() {
    let start = r#""start":{"cell":"0x01020100","pos":[2,2,0.25]}"#;
    let met = |env: bool, speed: &str, cells: &str| {
        format!(r#""hit":null,"env":{env},"vel":[0,0,{speed}],"cells":[{cells}]"#)
    };
    let here = r#""0x01020100""#;
    // What is at rest gets a velocity and goes nowhere: there is no sweep.
    let steps = [
        said("[2,2,0.25]", AIR, &met(false, "-0.980000019", "")),
        said("[2,2,0.102999985]", AIR, &met(false, "-1.96000004", here)),
        said("[2,2,0.00500001013]", FLOOR, &met(true, "-2.94000006", here)),
    ];
    let rest = format!(r#"{MOVER},{start},"velocity":[0,0,0],"dt":0.1,"ticks":3"#);
    check(Kind::Sim, &rest, &steps.join(","));
}

#[test]
fn a_placed_mover_is_moved_to_free_space_or_refused() {
    let place = |pos: &str, objects: &str| {
        let candidate = format!(r#"{{"cell":"0x01020100","pos":{pos}}}"#);
        format!(r#"{MOVER},"objects":[{objects}],"candidates":[{candidate}]"#)
    };
    let put = |pos: &str| said(pos, FLOOR, r#""hit":null,"env":true,"cells":["0x01020100"]"#);
    check(Kind::Place, &place("[2,2,0.1]", ""), &put("[2,2,0.00499999523]"));
    check(Kind::Place, &place("[2,0.3,0.1]", ""), &put("[2,0.479999989,0.00499999523]"));
    let other = r#"{"setup":"0x02000001","cell":"0x01020100","pos":[2,2,0],"state":"0x00000008"}"#;
    check(Kind::Place, &place("[2,2,0.1]", other), &put("[2,3.33333349,0.00499999523]"));
    let outside = r#""slide":null,"hit":null,"env":false,"cells":[]"#;
    check(
        Kind::Place,
        &place("[50,2,0]", ""),
        &format!(r#"{{"ok":false,"cell":"0x01020100","pos":[50,2,0],{AIR},{outside}}}"#),
    );
}

#[test]
fn a_mover_refused_over_the_land_is_in_the_frame_of_the_land_cell_below() {
    let candidate = r#"{"cell":"0x01020001","pos":[-1,2,0]}"#;
    let outside = r#""slide":null,"hit":null,"env":false,"cells":[]"#;
    check(
        Kind::Place,
        &format!(r#"{MOVER},"candidates":[{candidate}]"#),
        &format!(r#"{{"ok":false,"cell":"0x00020039","pos":[191,2,0],{AIR},{outside}}}"#),
    );
}

#[test]
fn a_camera_goes_as_far_as_nothing_is_in_its_way() {
    let to = |to: &str| {
        let from = r#"{"cell":"0x01020100","pos":[2,2,1.5]}"#;
        format!(r#"{MOVER},"from":{from},"to":{to},"radius":0.25"#)
    };
    let cells = r#""cells":["0x01020100"]"#;
    let free = said("[3,2,1.5]", AIR, &format!(r#""hit":null,"env":false,{cells}"#));
    check(Kind::Viewer, &to("[3,2,1.5]"), &free);
    let at_wall = said("[0.25,2,1.5]", AIR, &format!(r#""hit":[1,0,0],"env":true,{cells}"#));
    let at_wall = at_wall.replace(r#""slide":null"#, r#""slide":[1,0,0]"#);
    check(Kind::Viewer, &to("[-2,2,1.5]"), &at_wall);
}

/// The same whatever ran before, and the world is left as it was.
#[test]
fn a_scenario_leaves_nothing_behind() {
    let object = r#"{"setup":"0x02000001","cell":"0x01020100","pos":[2,2,0],"state":"0x00000008"}"#;
    let start = r#""start":{"cell":"0x01020100","pos":[1,1,0.25]}"#;
    let objects = format!(r#""objects":[{object}]"#);
    let sim = format!(r#"{MOVER},{start},{objects},"velocity":[1,1,0],"dt":0.1,"ticks":5"#);
    let place = r#""candidates":[{"cell":"0x01020100","pos":[2,2,0.1]}]"#;
    let all = [
        scenario(Kind::Walk, &format!(r#"{MOVER},{start},{objects},"moves":[[1,0,0]]"#)),
        scenario(Kind::Sim, &sim),
        scenario(Kind::Place, &format!(r#"{MOVER},{objects},{place}"#)),
        scenario(Kind::Place, &format!(r#"{MOVER},{place}"#)),
    ];
    let mut runner = two_rooms();
    for scenario in all.iter().chain(&all) {
        let alone = two_rooms().run(scenario).unwrap();
        assert_eq!(runner.run(scenario).unwrap(), alone, "{scenario:?}");
        let west = CellId(0x0102_0100);
        assert_eq!(runner.world().objects_in(west).count(), 0, "{scenario:?}");
    }
}

#[track_caller]
fn check_not_run(kind: Kind, rest: &str, want: &str) {
    let reason = two_rooms().run(&scenario(kind, rest)).unwrap_err();
    assert_eq!(reason.to_string(), want, "{rest}");
}

#[test]
fn what_is_not_there_cannot_be_run() {
    let stranger = MOVER.replace("0x02000001", "0x02000999");
    let object = r#"{"setup":"0x02000999","cell":"0x01020100","pos":[1,1,0],"state":"0x00000000"}"#;
    let absent = "setup 0x02000999 is not there";
    let kinds = [
        (Kind::Walk, r#""start":HERE,"moves":[]"#),
        (Kind::Sim, r#""start":HERE,"velocity":[0,0,1],"dt":0.1,"ticks":1"#),
        (Kind::Place, r#""candidates":[HERE]"#),
    ];
    for (kind, rest) in kinds {
        let rest = rest.replace("HERE", r#"{"cell":"0x01020100","pos":[2,2,0]}"#);
        check_not_run(kind, &format!("{stranger},{rest}"), absent);
        check_not_run(kind, &format!(r#"{MOVER},"objects":[{object}],{rest}"#), absent);
    }
}

#[test]
fn what_begins_in_no_cell_cannot_be_run() {
    let nowhere = r#"{"cell":"0x01020FFF","pos":[2,2,0]}"#;
    let kinds = [
        (Kind::Walk, format!(r#""start":{nowhere},"moves":[]"#)),
        (Kind::Sim, format!(r#""start":{nowhere},"velocity":[0,0,1],"dt":0.1,"ticks":1"#)),
        (Kind::Viewer, format!(r#""from":{nowhere},"to":[1,1,1],"radius":0.3"#)),
    ];
    for (kind, rest) in kinds {
        check_not_run(kind, &format!("{MOVER},{rest}"), "there is no cell 0x01020FFF");
    }
}

#[test]
fn what_had_to_be_left_out_is_kept() {
    let mut records = samples::two_rooms().unwrap().into_records();
    let east = CellId(0x0102_0101);
    records.put_bytes(threshold_dat::FileKind::Cell, east.into(), vec![1, 2, 3]);
    let runner = Runner::new(records);
    let faults: Vec<_> = runner.faults().iter().map(|fault| fault.piece).collect();
    assert_eq!(faults, [PieceId::Room(east)]);
    assert!(runner.world().is_resident(CellId(0x0102_0100)));
    assert!(two_rooms().faults().is_empty());
}
