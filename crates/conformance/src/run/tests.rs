use threshold_forge::samples;

use super::*;

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

#[track_caller]
fn check_not_run(kind: Kind, rest: &str, broken: bool, want: &str) {
    let reason = two_rooms().run(&scenario(kind, rest)).unwrap_err();
    assert_eq!((reason.to_string().as_str(), reason.is_broken()), (want, broken), "{rest}");
}

const MOVER: &str = r#""mover":{"setup":"0x02000001","state":"0x00400408"}"#;

#[test]
fn what_cannot_be_run_says_why() {
    let point = r#"{"cell":"0x01020100","pos":[2,2,0]}"#;
    let not_yet = |kind, rest: &str| {
        check_not_run(kind, rest, false, &format!("{kind} scenarios cannot be run yet"));
    };
    not_yet(
        Kind::Sim,
        &format!(r#"{MOVER},"start":{point},"velocity":[0,0,1],"dt":0.1,"ticks":1"#),
    );
    not_yet(Kind::Place, &format!(r#"{MOVER},"candidates":[{point}]"#));
    not_yet(Kind::Viewer, &format!(r#"{MOVER},"from":{point},"to":[1,1,1],"radius":0.3"#));
}

#[test]
fn a_walk_needs_its_setups_and_its_first_cell() {
    let walk = |mover: &str, cell: &str, objects: &str| {
        let start = format!(r#""start":{{"cell":"{cell}","pos":[2,2,0]}}"#);
        format!(r#"{mover},{start},"objects":[{objects}],"moves":[]"#)
    };
    let (here, nowhere) = ("0x01020100", "0x01020FFF");
    let absent = "setup 0x02000999: setup 0x02000999 is not there";
    let stranger = MOVER.replace("0x02000001", "0x02000999");
    check_not_run(Kind::Walk, &walk(&stranger, here, ""), true, absent);
    let object = r#"{"setup":"0x02000999","cell":"0x01020100","pos":[1,1,0],"state":"0x00000000"}"#;
    check_not_run(Kind::Walk, &walk(MOVER, here, object), true, absent);
    check_not_run(Kind::Walk, &walk(MOVER, nowhere, ""), true, "there is no cell 0x01020FFF");
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
