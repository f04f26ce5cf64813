//! `threshold ask`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use threshold_land::vector::Vec2;
use threshold_land::{BlockId, CellId};
use threshold_testkit::{data_path, sample_world};

/// Runs `threshold ask ARGUMENTS` with an input.
fn ask(arguments: &str, input: &str) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .arg("ask")
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut pipe, input) = (run.stdin.take().unwrap(), input.to_owned());
    let writing = std::thread::spawn(move || {
        // A command that is refused does not read its input.
        let _ = pipe.write_all(input.as_bytes());
    });
    let output = run.wait_with_output().unwrap();
    writing.join().unwrap();
    output
}

fn json_rows(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn holt() -> String {
    format!("--dats {}", data_path("holt").display())
}

#[test]
fn ten_thousand_places_are_answered_in_order_with_what_the_world_says() {
    let world = sample_world("holt");
    let land = world.land(BlockId(0xA9B4)).unwrap();
    let place =
        |number: u32| Vec2::new((number * 37 % 1920) as f32, (number * 101 % 1920) as f32) / 10.0;
    let mut input = String::new();
    for number in 0..10_000 {
        let at = place(number);
        // Floors are up to 20 cm over the ground.
        let height = land.terrain().height(at).unwrap() + 0.5;
        writeln!(
            input,
            "0xA9B40001:{},{},{height}\t0xA9B40001:{},{},{}",
            at.x,
            at.y,
            at.x,
            at.y,
            height + 3.0
        )
        .unwrap();
    }
    let columns = "--columns cell,indoors,ground,road,water,distance,standing --format jsonl";
    let output = ask(&format!("{} {columns}", holt()), &input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = json_rows(&output);
    assert_eq!(rows.len(), 10_000);
    let (mut rooms, mut blocked) = (0, 0);
    for (number, row) in (0..).zip(&rows) {
        let at = place(number);
        assert_eq!(row["line"], number + 1);
        let close =
            |found: &Value, want: f32| (found.as_f64().unwrap() - f64::from(want)).abs() < 1e-3;
        assert!(close(&row["ground"], land.terrain().height(at).unwrap()), "{row}");
        assert!(close(&row["distance"], 3.0), "{row}");
        assert_eq!(row["road"], land.terrain().on_road(at), "{row}");
        let cell: CellId = row["cell"].as_str().unwrap().parse().unwrap();
        assert_eq!(row["indoors"], cell.is_indoor(), "{row}");
        if cell.is_outdoor() {
            let own = world.land_cell(cell).unwrap();
            assert!(own.contains(at.extend(0.0)), "{row}");
            assert!(close(&row["water"], own.water_depth(at)), "{row}");
        }
        rooms += u32::from(cell.is_indoor());
        blocked += u32::from(row["standing"] != "yes");
    }
    assert!(rooms > 100, "{rooms} in rooms");
    assert!((100..5000).contains(&blocked), "{blocked} blocked");
}

#[test]
fn bad_rows_are_reported_by_line_and_left_out() {
    let input =
        "A9B4\nnowhere\n\n# a comment\n0102\n{\"place\":\"A9B4\",\"target\":\"0xA9B40157\"}\n";
    let output = ask(&format!("{} --columns cell,distance,sight", holt()), input);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("standard input:2: \"nowhere\""), "{errors}");
    assert!(errors.contains("standard input:5: 0102: the world has no such place"), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "line,place,cell,distance,sight");
    assert!(lines[1].starts_with("1,A9B4,0xA9B4") && lines[1].ends_with(",,"), "{text}");
    assert!(lines[2].starts_with("6,A9B4,0xA9B4") && !lines[2].ends_with(",,"), "{text}");
    assert_eq!(lines.len(), 3);
    let many = ask("", &"nowhere\n".repeat(50));
    let errors = String::from_utf8(many.stderr).unwrap();
    assert!(errors.contains("30 more rows have no answer"), "{errors}");
    assert_eq!(errors.lines().count(), 21);
}

#[test]
fn csv_and_json_say_the_same_and_a_file_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("answers.csv");
    let input = "42.1N, 33.6E\ntaproom\nlake shore\tvillage square\n";
    let columns = "--columns building,terrain,standing-at,sight";
    let csv = ask(&format!("{columns} --out {}", out.display()), input);
    assert!(csv.status.success() && csv.stdout.is_empty());
    let json = json_rows(&ask(&format!("{columns} --format jsonl"), input));
    let written = std::fs::read_to_string(&out).unwrap();
    let rows: Vec<&str> = written.lines().skip(1).collect();
    assert_eq!(rows.len(), json.len());
    for (csv, json) in rows.iter().zip(&json) {
        for key in ["building", "terrain", "standing_at", "sight"] {
            let value = json[key].as_str().unwrap_or_default();
            assert!(csv.contains(value), "{key}: {csv} and {json}");
        }
    }
    assert_eq!(json[1]["place"], "taproom");
    assert!(json[1]["building"].is_string() && json[2]["sight"] == "blocked", "{json:?}");
    assert!(rows[0].starts_with("1,\"42.1N, 33.6E\","), "{}", rows[0]);
}
