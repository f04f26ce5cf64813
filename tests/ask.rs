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

#[test]
fn bad_rows_are_written_to_a_file_of_their_own_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let long = "9".repeat(5000);
    let rows = ["A9B4", "\"no\", where", "A9B4\tnowhere", "0102\tA9B4", &long];
    std::fs::write(at("places.txt"), rows.join("\n") + "\n\u{e4} \n").unwrap();
    let files = format!("--in {} --out {} --bad-rows", at("places.txt"), at("answers.csv"));
    let output = ask(&format!("{files} {} --columns cell", at("bad.csv")), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let answers = std::fs::read_to_string(at("answers.csv")).unwrap();
    assert_eq!(answers.lines().count(), 2, "{answers}");
    let mut bad = csv::Reader::from_path(at("bad.csv")).unwrap();
    assert_eq!(bad.headers().unwrap().iter().collect::<Vec<_>>(), ["line", "row", "reason"]);
    let bad: Vec<_> = bad.records().map(Result::unwrap).collect();
    let found: Vec<(&str, &str)> = bad.iter().map(|row| (&row[0], &row[1])).collect();
    let want =
        [("2", rows[1]), ("3", rows[2]), ("4", rows[3]), ("5", &long[..4096]), ("6", "\u{e4}")];
    assert_eq!(found, want);
    assert!(bad[2][2].starts_with("0102: the world has no such place"), "{:?}", bad[2]);
    let reported = String::from_utf8(output.stderr).unwrap();
    for row in &bad {
        assert!(reported.contains(&format!("places.txt:{}: ", &row[0])), "{reported}");
    }
    // The same in JSON; without a bad row, the file has none, and a head in CSV.
    let json = format!("{files} {} --columns cell --format jsonl", at("bad.jsonl"));
    ask(&json, "");
    let bad = std::fs::read_to_string(at("bad.jsonl")).unwrap();
    let first: Value = serde_json::from_str(bad.lines().next().unwrap()).unwrap();
    assert_eq!((&first["line"], &first["row"]), (&Value::from(2), &Value::from(rows[1])));
    let output = ask(&format!("--bad-rows {}", at("bad.csv")), "A9B4\n");
    assert!(output.status.success() && !output.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(at("bad.csv")).unwrap(), "line,row,reason\n");
}

#[test]
fn a_dash_is_the_standard_input_and_output_and_a_closed_pipe_is_no_error() {
    let plain = ask("--columns cell,ground", "taproom\nA9B4\n");
    let dashes = ask("--in - --out - --columns cell,ground", "taproom\nA9B4\n");
    assert!(plain.status.success() && !plain.stdout.is_empty());
    assert_eq!((plain.stdout, plain.stderr), (dashes.stdout, dashes.stderr));
    let script = format!(
        "yes A9B4 | head -n 30000 | {} ask --columns cell | head -n 1",
        env!("CARGO_BIN_EXE_threshold")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "line,place,cell\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn every_form_of_a_place_can_stand_in_a_row() {
    let forms = [
        "42.1N, 33.6E",
        "42.1N 33.6E",
        "Your location is: 0xA9B40031 [150.0 1.0 40.0] 1.0 0.0 0.0 0.0",
        "0xA9B40031 [150 1 40] 1 0 0 0",
        "0xA9B40106:132,106,40.2",
        "0xA9B40106",
        "A9B4",
        "taproom",
        "hall below",
    ];
    let text: Vec<String> = forms.iter().map(|form| format!("{form}\t{form}")).collect();
    let columns = "--columns cell,distance --format jsonl";
    let answers = json_rows(&ask(columns, &text.join("\n")));
    let json = forms.map(|form| serde_json::json!({ "place": form, "target": form }).to_string());
    assert_eq!(json_rows(&ask(columns, &json.join("\r\n"))), answers);
    assert_eq!(answers.len(), forms.len());
    for (answer, form) in answers.iter().zip(forms) {
        assert_eq!((&answer["place"], &answer["distance"]), (&form.into(), &0.0.into()));
        assert!(answer["cell"].as_str().is_some_and(|cell| cell.starts_with("0xA")), "{answer}");
    }
}

#[test]
fn a_place_in_the_sea_says_so() {
    // A7B4 of the built-in world is nothing but water.
    let output = ask("--columns standing,standing-at --format jsonl", "A7B4\nlake shore\n");
    let rows = json_rows(&output);
    assert_eq!(rows[0]["standing"], "the whole landblock is sea");
    assert_eq!((&rows[0]["standing_at"], &rows[1]["standing"]), (&Value::Null, &"yes".into()));
}

#[test]
fn a_file_that_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let places = folder.path().join("places.txt").display().to_string();
    std::fs::write(&places, "A9B4\n").unwrap();
    for options in [
        format!("--in {places} --out {places}"),
        format!("--in {places} --bad-rows {places}"),
        format!("--out {places}.csv --bad-rows {places}.csv"),
        format!("--in {places} --columns cell,ground,cell"),
    ] {
        let output = ask(&options, "A9B4\n");
        assert_eq!(output.status.code(), Some(1), "{options}");
        let message = String::from_utf8(output.stderr).unwrap();
        let words = ["would be overwritten", "is both --out and --bad-rows", "cell is there twice"];
        assert!(words.iter().any(|words| message.contains(words)), "{options}: {message}");
    }
    assert_eq!(std::fs::read_to_string(&places).unwrap(), "A9B4\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_human_stands_on_the_border_of_two_land_cells() {
    // The borders are at 0.05 degrees, 0.15 degrees and so on.
    let mut input = String::new();
    for step in 0..40 {
        let east = 33.0 + f64::from(step) * 0.05;
        writeln!(input, "41.15N, {east:.2}E\n42.55N, {east:.2}E").unwrap();
    }
    let rows = json_rows(&ask("--columns standing --format jsonl", &input));
    let count = rows.iter().filter(|row| row["standing"] == "yes").count();
    assert!(rows.len() == 80 && count > 70, "{count} of {}", rows.len());
}
