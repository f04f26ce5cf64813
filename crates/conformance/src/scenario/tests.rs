use super::*;

#[track_caller]
fn job(rest: &str) -> Job {
    let line = format!("{{\"id\":\"x\",\"world\":\"holt\",{rest}}}");
    let scenario =
        Scenario::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!((scenario.id.as_str(), scenario.world.as_str()), ("x", "holt"));
    scenario.job
}

#[track_caller]
fn check_bad(rest: &str, want: &str) {
    let line = format!("{{\"id\":\"x\",\"world\":\"holt\",{rest}}}");
    let error = Scenario::parse(line.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(want), "{line}: {error}");
}

const MOVER: &str =
    r#""mover":{"setup":"0x02000001","state":"0x00400408","scale":1.5,"player":true}"#;
const START: &str =
    r#""start":{"cell":"0xA9B40164","pos":[1,-2.5,3],"rot":[0.6,0,0,0.8],"contact":true}"#;

fn mover() -> MoverSpec {
    let state = State::REPORT_COLLISIONS.with(State::GRAVITY, true).with(State::EDGE_SLIDE, true);
    MoverSpec { setup: RecordId(0x0200_0001), state, scale: 1.5, player: true }
}

fn start() -> Start {
    let rot = Rotation::new(0.6, 0.0, 0.0, 0.8);
    Start { cell: CellId(0xA9B4_0164), pos: Vec3::new(1.0, -2.5, 3.0), rot, contact: true }
}

#[test]
fn a_walk_has_a_mover_a_start_objects_and_moves() {
    let object = r#"{"setup":"0x02000021","cell":"0xA9B40031","pos":[4,5,6],"state":"0x00000001"}"#;
    let read = job(&format!(
        r#""kind":"walk",{MOVER},{START},"objects":[{object}],"moves":[[1,0,0],[0,-0.5,0]]"#
    ));
    let object = ScenarioObject {
        setup: RecordId(0x0200_0021),
        cell: CellId(0xA9B4_0031),
        pos: Vec3::new(4.0, 5.0, 6.0),
        rot: Rotation::IDENTITY,
        state: State::STATIC,
        scale: 1.0,
    };
    assert_eq!(object.position(), Position::new(object.cell, object.pos));
    let moves = vec![Vec3::X, Vec3::new(0.0, -0.5, 0.0)];
    let walk = WalkJob { mover: mover(), start: start(), objects: vec![object], moves };
    assert_eq!(read, Job::Walk(walk));
    assert_eq!(start().position().frame.rotation, start().rot);
}

#[test]
fn every_kind_is_read() {
    let sim = r#""velocity":[0,1,2],"dt":0.0333333333,"ticks":42"#;
    let point = r#"{"cell":"0xA9B40164","pos":[1,2,3]}"#;
    let query = r#"{"cell":"0xA9B40164","pos":[1,2,3],"radius":0.48}"#;
    let all = [
        (Kind::Walk, format!(r#"{MOVER},{START},"moves":[]"#)),
        (Kind::Sim, format!("{MOVER},{START},{sim}")),
        (Kind::Place, format!(r#"{MOVER},"candidates":[{point}]"#)),
        (Kind::Cells, format!(r#""queries":[{query}]"#)),
        (Kind::Viewer, format!(r#"{MOVER},"from":{point},"to":[4,5,6],"radius":0.3"#)),
        (Kind::Landdefs, r#""calls":[["gid_to_lcoord","0xA9B40031"]]"#.to_owned()),
    ];
    for (kind, rest) in all {
        assert_eq!(job(&format!(r#""kind":"{kind}",{rest}"#)).kind(), kind);
    }
}

#[test]
fn what_is_not_given_has_a_default_and_what_is_unknown_is_passed_over() {
    let short = r#""mover":{"setup":"0x02000001","state":"0x00400408","hat":1},
        "start":{"cell":"0xA9B40164","pos":[1,2,3]},"moves":[],"note":"plain""#;
    let Job::Walk(walk) = job(&format!(r#""kind":"walk",{short}"#)) else { panic!("a walk") };
    assert_eq!((walk.mover.scale, walk.mover.player), (1.0, false));
    assert_eq!((walk.start.rot, walk.start.contact), (Rotation::IDENTITY, false));
    assert!(walk.objects.is_empty());
}

#[test]
fn every_call_is_read() {
    let (a, b) = (CellId(0xA9B4_0031), CellId(0xA9B3_0038));
    let at = Vec3::new(150.0, -1.0, 0.0);
    let calls = [
        (r#"["adjust_to_outside","0xA9B40031",[150.0,-1.0,0]]"#, Call::AdjustToOutside(a, at)),
        (r#"["get_outside_lcoord","0xA9B40031",[150,-1,0]]"#, Call::GetOutsideLcoord(a, at)),
        (r#"["blockid_to_lcoord","0xA9B40031"]"#, Call::BlockidToLcoord(a)),
        (r#"["gid_to_lcoord","0xA9B40031"]"#, Call::GidToLcoord(a)),
        (r#"["inbound_valid_cellid","0xA9B40031"]"#, Call::InboundValidCellid(a)),
        (r#"["lcoord_to_gid",1358,-1]"#, Call::LcoordToGid(1358, -1)),
        (r#"["in_bounds",0,2040]"#, Call::InBounds(0, 2040)),
        (r#"["get_block_offset","0xA9B40031","0xA9B30038"]"#, Call::GetBlockOffset(a, b)),
    ];
    for (text, want) in calls {
        let read = job(&format!(r#""kind":"landdefs","calls":[{text}]"#));
        assert_eq!(read, Job::Landdefs(LanddefsJob { calls: vec![want] }), "{text}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    check_bad(r#""kind":"fly""#, "unknown variant `fly`, expected one of `walk`");
    check_bad(r#""queries":[]"#, "missing field `kind`");
    check_bad(r#""kind":"cells""#, "missing field `queries`");
    check_bad(r#""kind":"cells","queries":[{"cell":"inn"}]"#, "inn");
    check_bad(r#""kind":"cells","queries":[],"#, "column");
    let walk = |old: &str, new: &str| {
        let whole = format!(r#""kind":"walk",{MOVER},{START},"moves":[[1,2,3]]"#);
        assert!(whole.contains(old), "{old}");
        whole.replace(old, new)
    };
    check_bad(&walk("\"0x00400408\"", "\"walking\""), "\"walking\" is not a physics state");
    check_bad(&walk("\"0x00400408\"", "\"0x100000000\""), "is not a physics state");
    check_bad(&walk("\"0x00400408\"", "\"0x+408\""), "is not a physics state");
    check_bad(&walk("0x02000001", "0x02"), "\"0x02\" is not a record id");
    check_bad(&walk("[1,2,3]", "[1,2]"), "invalid length 2");
    check_bad(&walk("0.8]", "0.8,1]"), "column 183: trailing characters");
    let call = |text: &str| format!(r#""kind":"landdefs","calls":[{text}]"#);
    check_bad(&call(r#"["fly","0xA9B40031"]"#), "unknown call \"fly\"");
    check_bad(&call(r#"["in_bounds",1]"#), "invalid length 2, expected a call");
    check_bad(&call(r#"["in_bounds",1,2,3]"#), "in_bounds has too many arguments");
    check_bad(&call("[]"), "invalid length 0, expected a call");
    check_bad(&call("3"), "expected a call");
}

#[test]
fn a_coordinate_that_single_precision_does_not_hold_is_refused() {
    let line = r#"{"id":"far","kind":"walk","world":"holt","mover":{"setup":"0x02000001",
        "state":"0x00400408"},"start":{"cell":"0xA9B40031","pos":[1e39,1,40.1]},"moves":[]}"#;
    let error = Scenario::parse(line.as_bytes()).unwrap_err();
    assert!(error.what.contains("not finite"), "{error}");
}

#[test]
fn what_cannot_be_run_is_not_read() {
    let sim = |velocity: &str, dt: &str, ticks: &str| {
        let rest = format!(r#""velocity":{velocity},"dt":{dt},"ticks":{ticks}"#);
        format!(r#""kind":"sim",{MOVER},{START},{rest}"#)
    };
    check_bad(&sim("[0,0,1]", "0.03", "4294967295"), "more than 1000000 ticks");
    check_bad(&sim("[0,0,1]", "-0.03", "3"), "dt is negative");
    for (velocity, dt) in [("[1e39,0,0]", "0.03"), ("[0,0,1]", "1e39")] {
        check_bad(&sim(velocity, dt, "3"), "not finite");
    }
    let camera = |radius: &str| {
        let from = r#"{"cell":"0xA9B40164","pos":[1,2,3]}"#;
        format!(r#""kind":"viewer",{MOVER},"from":{from},"to":[4,5,6],"radius":{radius}"#)
    };
    check_bad(&camera("-0.3"), "radius is negative");
    check_bad(&camera("1e39"), "not finite");
    let big = MOVER.replace("1.5", "1e39");
    check_bad(&format!(r#""kind":"walk",{big},{START},"moves":[]"#), "not finite");
}
