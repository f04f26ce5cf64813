use super::*;

fn step(json: &str) -> Step {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// The names of the fields that differ, whichever side is ours.
#[track_caller]
fn check(kind: Kind, ours: &str, theirs: &str, want: &[&str]) {
    for (a, b) in [(ours, theirs), (theirs, ours)] {
        let found = step_differences(kind, &step(a), &step(b));
        let names: Vec<&str> = found.iter().map(|difference| difference.field).collect();
        assert_eq!(names, want, "{kind}: {a} and {b}");
    }
}

const MOVED: &str =
    r#"{"ok":true,"cell":"0xA9B40031","pos":[1,2,3],"contact":true,"walkable":false}"#;

/// [`MOVED`] with something else in it.
fn with(old: &str, new: &str) -> String {
    assert!(MOVED.contains(old), "{old}");
    MOVED.replace(old, new)
}

const MOTION: [Kind; 4] = [Kind::Walk, Kind::Sim, Kind::Place, Kind::Viewer];

#[test]
fn two_millimetres_are_the_same_place_and_more_are_not() {
    for kind in MOTION {
        // The distances as double precision has them: 0.002 to the bit, and the next above it.
        for pos in ["[1,2,3.0019]", "[1,2.001,2.999]", "[1.0019,1.9981,3]"] {
            check(kind, MOVED, &with("[1,2,3]", pos), &[]);
        }
        for pos in ["[1,2,3.0021]", "[0.99,2,3]", "[1,3,3]"] {
            check(kind, MOVED, &with("[1,2,3]", pos), &["pos"]);
        }
    }
    let at_zero = r#"{"ok":true,"pos":[0,0,0]}"#;
    check(Kind::Place, at_zero, r#"{"ok":true,"pos":[0.002,-0.002,0]}"#, &[]);
    check(Kind::Place, at_zero, r#"{"ok":true,"pos":[0.0020000000000000005,0,0]}"#, &["pos"]);
}

#[test]
fn a_move_must_succeed_alike_and_end_in_the_same_cell() {
    for kind in MOTION {
        check(kind, MOVED, MOVED, &[]);
        check(kind, MOVED, &with("true,\"cell", "false,\"cell"), &["ok"]);
        check(kind, MOVED, &with("31\"", "32\""), &["cell"]);
        check(kind, MOVED, &with("\"0xA9B40031\"", "null"), &["cell"]);
        check(kind, MOVED, &with("[1,2,3]", "null"), &["pos"]);
        check(kind, &with("[1,2,3]", "null"), &with("\"pos\":[1,2,3],", ""), &[]);
    }
}

#[test]
fn contact_is_compared_for_walks_and_falls() {
    for changed in [with("\"contact\":true", "\"contact\":false"), with("\"contact\":true,", "")] {
        check(Kind::Walk, MOVED, &changed, &["contact"]);
        check(Kind::Sim, MOVED, &changed, &["contact"]);
        check(Kind::Place, MOVED, &changed, &[]);
        check(Kind::Viewer, MOVED, &changed, &[]);
    }
    // Not there is not the same as no.
    check(Kind::Walk, MOVED, &with(",\"walkable\":false", ""), &["walkable"]);
    check(Kind::Walk, MOVED, &with("false", "true"), &["walkable"]);
}

#[test]
fn all_that_differs_in_a_step_is_named() {
    let other = r#"{"ok":true,"cell":"0xA9B40032","pos":[1,2,4],"contact":false,"walkable":true}"#;
    check(Kind::Walk, MOVED, other, &["cell", "pos", "contact", "walkable"]);
}

#[test]
fn what_failed_is_compared_only_where_the_mover_stayed_in_the_world() {
    let (here, there) = (r#"{"ok":false,"pos":[1,2,3]}"#, r#"{"ok":false,"pos":[4,2,3]}"#);
    check(Kind::Walk, here, there, &["pos"]);
    check(Kind::Sim, here, there, &["pos"]);
    check(Kind::Place, here, there, &[]);
    check(Kind::Viewer, here, there, &[]);
    check(Kind::Landdefs, here, there, &[]);
}

#[test]
fn a_step_that_does_not_say_ok_is_not_ok() {
    for missing in ["{}", r#"{"ok":null}"#, r#"{"ok":false}"#] {
        check(Kind::Walk, "{}", missing, &[]);
        check(Kind::Walk, r#"{"ok":true}"#, missing, &["ok"]);
        check(Kind::Landdefs, r#"{"ok":true}"#, missing, &["ok"]);
    }
}

#[test]
fn planes_normals_and_velocities_are_not_compared() {
    let more = with(
        "\"walkable\":false",
        r#""walkable":false,"plane":[0,0,1,2],"slide":[1,0,0],"hit":[0,1,0],"env":true,"vel":[1,1,1],"cells":[]"#,
    );
    MOTION.into_iter().for_each(|kind| check(kind, MOVED, &more, &[]));
}

#[test]
fn a_recorded_camera_counts_where_it_met_nothing() {
    let (free, stopped, silent) = (r#"{"hit":null}"#, r#"{"hit":[0,0,1]}"#, "{}");
    let check = |kind: Kind, steps: &[&str], want: bool| {
        let recorded: Vec<Step> = steps.iter().copied().map(step).collect();
        assert_eq!(counts(kind, &recorded), want, "{kind}: {steps:?}");
    };
    check(Kind::Viewer, &[], true);
    check(Kind::Viewer, &[free], true);
    check(Kind::Viewer, &[silent], true);
    check(Kind::Viewer, &[stopped], false);
    check(Kind::Viewer, &[free, stopped], false);
    for kind in [Kind::Walk, Kind::Sim, Kind::Place, Kind::Cells, Kind::Landdefs] {
        check(kind, &[free, stopped], true);
    }
}

#[test]
fn lists_of_cells_are_the_same_in_order_and_in_pick() {
    let one = r#"{"ok":true,"cell":"0x01020100","cells":["0x01020100","0x01020101"]}"#;
    check(Kind::Cells, one, one, &[]);
    check(Kind::Cells, one, &one.replace("\"ok\":true,", ""), &[]);
    check(Kind::Cells, one, &one.replace("{\"ok\":true,", "{\"ok\":false,\"pos\":[1,2,3],"), &[]);
    check(Kind::Cells, one, &one.replace(",\"0x01020101\"", ""), &["cells"]);
    let turned = r#"{"cell":"0x01020100","cells":["0x01020101","0x01020100"]}"#;
    check(Kind::Cells, one, turned, &["cells"]);
    check(Kind::Cells, one, &one.replace("\"cell\":\"0x01020100\"", "\"cell\":null"), &["cell"]);
    check(Kind::Cells, r#"{"cell":null,"cells":[]}"#, r#"{"cells":[]}"#, &[]);
    check(Kind::Cells, r#"{"cells":[]}"#, "{}", &["cells"]);
}

#[test]
fn calls_are_compared_in_what_both_sides_say() {
    let call = |rest: &str| format!("{{\"ok\":true{rest}}}");
    let same = |a: &str, b: &str| check(Kind::Landdefs, &call(a), &call(b), &[]);
    same("", r#","cell":"0x01020001","pos":[1,2,3],"lcoord":[1,2]"#);
    same(r#","lcoord":[1,2]"#, r#","lcoord":[1,2]"#);
    same(r#","lcoord":null"#, r#","lcoord":null"#);
    same(r#","pos":[0,0,0]"#, r#","pos":[0.001,-0.001,0]"#);
    let differ = |a: &str, b: &str, want| check(Kind::Landdefs, &call(a), &call(b), &[want]);
    differ(r#","lcoord":[1,2]"#, r#","lcoord":[1,3]"#, "lcoord");
    differ(r#","lcoord":[1,2]"#, r#","lcoord":null"#, "lcoord");
    differ(r#","cell":"0x01020001""#, r#","cell":"0x01020002""#, "cell");
    differ(r#","cell":"0x01020001""#, r#","cell":null"#, "cell");
    differ(r#","pos":[0,0,0]"#, r#","pos":[0,0,0.0011]"#, "pos");
    differ(r#","pos":[0,0,0]"#, r#","pos":null"#, "pos");
}

#[test]
fn answers_of_different_length_differ_where_the_shorter_ends() {
    let (moved, other) = (step(MOVED), step(r#"{"ok":false}"#));
    let difference = |ours: &[Step], theirs: &[Step]| {
        let (there, back) = (
            first_difference(Kind::Walk, ours, theirs),
            first_difference(Kind::Walk, theirs, ours),
        );
        let place = |difference: Option<Difference>| difference.map(|difference| difference.step);
        assert_eq!(place(there.clone()), place(back));
        there.map(|difference| difference.to_string())
    };
    let three = [moved.clone(), moved.clone(), moved.clone()];
    assert_eq!(difference(&three, &three), None);
    assert_eq!(difference(&[], &[]), None);
    let said = difference(&three, &three[..2]).unwrap();
    assert_eq!(said, "step 2: ours has 3 steps, theirs 2");
    // But not where an earlier step differs: that is what a reader looks for.
    let early = [other.clone(), moved.clone()];
    assert_eq!(difference(&three, &early).unwrap(), "step 0: ok: ours true, theirs false");
    let late = [moved.clone(), other, moved];
    assert_eq!(difference(&three, &late).unwrap(), "step 1: ok: ours true, theirs false");
    assert_eq!(same_steps(Kind::Walk, &three, &late), 2);
    assert_eq!(same_steps(Kind::Walk, &three, &early), 1);
}

#[test]
fn what_is_not_a_number_is_nowhere() {
    let mut nowhere = step(MOVED);
    nowhere.pos = [1.0, f64::NAN, 3.0].into();
    assert_eq!(step_differences(Kind::Walk, &nowhere, &nowhere).len(), 1);
}

#[test]
fn a_difference_says_both_sides() {
    let theirs = step(&with("31\"", "32\"").replace("[1,2,3]", "[1,2,3.25]"));
    let said = first_difference(Kind::Walk, &[step(MOVED)], &[theirs]).unwrap().to_string();
    let want = "step 0: cell: ours \"0xA9B40031\", theirs \"0xA9B40032\"; \
        pos: ours [1,2,3], theirs [1,2,3.25] (0.2500 m apart)";
    assert_eq!(said, want);
}
