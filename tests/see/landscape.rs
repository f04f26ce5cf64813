//! When the landscape is visible and loaded.

use serde_json::Value;
use threshold_dat::{EnvCell, Record, RecordId};
use threshold_land::vector::{DVec2, DVec3};
use threshold_testkit::data_path;

use super::{INN, SQUARE, View, changed_world, damaged_world, numbers, polygon};

#[test]
fn from_a_land_cell_the_landscape_is_the_whole_screen() {
    let json = SQUARE.json(&[]);
    assert_eq!(json["root"], "0xA9B4001C");
    let screen = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(DVec2::from);
    assert_eq!(polygon(&json["outside"][0]), screen);
    assert_eq!(json["outside"][0]["via"], Value::Null);
    let cells = json["cells"].as_array().unwrap();
    assert!(cells.len() >= 5 && cells.iter().all(|cell| cell["id"] != json["root"]));
    for cell in cells {
        // A room seen from outdoors has its own portal, in a region of the landscape.
        let via = &cell["regions"][0]["via"];
        assert!(via["cell"] != cell["id"] || via["region"] == 0, "{cell}");
    }
    assert_eq!(json["stats"]["landblocks"], 9);
}

#[test]
fn in_a_dungeon_no_terrain_is_loaded() {
    let folder = damaged_world("dungeon", 0x0102_FFFF);
    let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
    let text = std::fs::read(data_path("dungeon").join("world.json")).unwrap();
    let described: Value = serde_json::from_slice(&text).unwrap();
    for cell in described["cells"].as_array().unwrap().iter().step_by(if soak { 1 } else { 9 }) {
        let [low, high] = ["min", "max"].map(|end| DVec3::from(numbers(&cell["bounds"][end])));
        let id = u32::from_str_radix(&cell["id"].as_str().unwrap()[2..], 16).unwrap();
        let eye = (low + high) / 2.0;
        let view = View("dungeon", id, eye.into(), (eye + DVec3::X).into(), &["--fov", "120"]);
        let output = view.run_in(folder.path(), &["--json"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{view:?} {output:?}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["outside"], Value::Array(Vec::new()), "{view:?}");
        assert_eq!(json["stats"]["landblocks"], 0, "{view:?}");
    }
    // Where the landscape is visible, the damaged record is reported.
    let folder = damaged_world("holt", 0xA9B4_FFFF);
    let output = INN.run_in(folder.path(), &[]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("left out: landblock A9B4: "), "{errors}");
}

#[test]
fn a_view_of_a_wall_loads_no_terrain() {
    let away = View("holt", 0xA9B4_0157, [113.0, 56.0, 41.7], [113.0, 53.0, 41.7], &[]);
    let json = away.json(&[]);
    assert_eq!(json["cells"].as_array().unwrap().len(), 1);
    assert_eq!(json["stats"]["landblocks"], 0);
}

/// The street is visible from the hall of the inn through the vestibule, `0xA9B40164`.
#[test]
fn a_room_without_seen_outside_shows_no_landscape_and_the_report_has_the_reason() {
    for (changed, reason) in [
        (0xA9B4_0157, "leads outdoors, but the viewer's room lacks the flag seen_outside"),
        (0xA9B4_0164, "leads outdoors, but its room lacks the flag seen_outside"),
    ] {
        let folder = changed_world("holt", |id, bytes| {
            if id != RecordId(changed) {
                return Some(bytes);
            }
            let mut room = EnvCell::decode(id, &bytes).unwrap();
            room.flags.0 &= !1;
            Some(room.encode().unwrap())
        });
        let json = INN.json_in(folder.path(), &[]);
        assert_eq!(json["outside"], Value::Array(Vec::new()));
        assert_eq!(json["stats"]["landblocks"], 0, "an invisible landscape is not loaded");
        let want = serde_json::json!(
            [{"cell": "0xA9B40164", "portal": 0, "outdoors": false, "reason": reason}]
        );
        assert_eq!(json["landscape_left_out"], want);
        let text = INN.text_in(folder.path(), &[]);
        let line = format!(
            "Landscape left out: portal 0 of 0xA9B40164 {reason}. --rule seen_outside=portals shows it."
        );
        assert!(text.contains(&line), "{text}");
        // With the rule, the landscape is visible as in the unchanged world.
        let free = INN.json_in(folder.path(), &["--rule", "seen_outside=portals"]);
        assert_eq!(free["outside"], INN.json(&[])["outside"]);
        assert_eq!(free["landscape_left_out"], Value::Null);
    }
    let off = INN.text(&["--rule", "draw_landscape=off"]);
    assert!(off.contains("The landscape is not visible."), "{off}");
    assert!(off.contains("the landscape is switched off. --rule draw_landscape=on"), "{off}");
}
