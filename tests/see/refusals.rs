//! Error messages.

use std::process::Command;

use threshold_testkit::data_path;

use super::{INN, damaged_world};

#[track_caller]
fn check_refused(world: &str, arguments: &[&str], code: i32, reason: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    let output =
        command.args(["see", "--dats"]).arg(data_path(world)).args(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(reason), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    let with = |cell: &'static str, more: &[&'static str], reason: &str| {
        let eye = ["--cell", cell, "--eye", "108,60,41.7", "--look", "115,60,41.5"];
        check_refused("holt", &[&eye, more].concat(), 1, reason);
    };
    with("0xA9B4FFF0", &[], "the world has no room 0xA9B4FFF0");
    with("0x12340001", &[], "the world has no land cell 0x12340001");
    with("0xA9B4FFFF", &[], "--cell 0xA9B4FFFF: a landblock; write the id of a cell");
    with("0xA9B4FFFE", &[], "--cell 0xA9B4FFFE: neither a room nor a land cell");
    with("0xFFB40001", &[], "--cell 0xFFB40001: not on the map");
    with("0xA9B40157", &["--fov", "180"], "field of view is 180 degrees; 0.1 to 179 is valid");
    with("0xA9B40157", &["--fov", "-5"], "field of view is -5 degrees; 0.1 to 179 is valid");
    with("0xA9B40157", &["--aspect", "16:0"], "aspect ratio is");
    with("0xA9B40157", &["--aspect", "-16:9"], "aspect ratio is");
    with("0xA9B40157", &["--near", "-1"], "near plane is at -1 m; 0 to 1000 is valid");
    with("0xA9B40157", &["--rule", "stab_list=maybe"], "\"maybe\" is none of on, off");
    with(
        "0xA9B40157",
        &["--rule", "seam=literal"],
        "there is no rule \"seam\"; there are stab_list",
    );
    with("0xA9B40157", &["--svg", "screen.pdf"], "an .svg or a .png file");
    let same = ["--cell", "0xA9B40157", "--eye", "108,60,41", "--look", "108,60,41"];
    check_refused("holt", &same, 1, "eye and target are both at");
    let wrong = ["--cell", "inn", "--eye", "108,60,41", "--look", "108,60,42"];
    check_refused("holt", &wrong, 2, "write hexadecimal digits, such as 0xA9B40157");
    let wrong = ["--cell", "-1", "--eye", "108,60,41", "--look", "108,60,42"];
    check_refused("holt", &wrong, 2, "'-1' for '--cell <ID>'");
    let wrong = ["--cell", "0xA9B40157", "--eye", "108,60", "--look", "108,60,42"];
    check_refused("holt", &wrong, 2, "write three numbers: x,y,z");
    let folder = damaged_world("holt", 0xA9B4_0157);
    let output = INN.run_in(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("room 0xA9B40157 cannot be used"));
}
