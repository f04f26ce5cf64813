//! Compares two builds of a benchmark that take turns, so that the load of the machine cancels out.
//!
//! `cargo bench --package threshold-conformance --bench against -- OLD NEW [TURNS [ROUNDS]]`
//!
//! OLD and NEW are benchmark programs (`target/release/deps/sweep-*`) of two commits, built with the
//! same settings. Prints for each line that both print the median time of all turns, the ratio of
//! the medians and the least and greatest ratio of a turn, then the same for the 99th percentile.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

use std::process::Command;

/// What a benchmark printed on one line.
struct Line {
    name: String,
    /// Nanoseconds: mean, and 99th percentile.
    times: [f64; 2],
}

/// Reads a line that `measure::StepMeasurement` printed; other lines give `None`.
fn parse(line: &str) -> Option<Line> {
    let (head, rest) = line.split_once(" million/s ")?;
    let name = head.trim_end().rsplit_once(' ')?.0.trim_end().to_owned();
    let mean = rest.split_once(" ns")?.0.trim().parse().ok()?;
    let high = rest.rsplit_once("99 %")?.1.trim().strip_suffix("ns")?.trim().parse().ok()?;
    Some(Line { name, times: [mean, high] })
}

/// Runs a benchmark program once.
fn run(program: &str, rounds: Option<&String>) -> Vec<Line> {
    let output = Command::new(program).arg("--bench").args(rounds).output().expect(program);
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().filter_map(parse).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints both times of a line and their ratio over all turns.
fn compare(name: &str, what: &str, turns: &[[f64; 2]]) {
    let of = |side: usize| median(turns.iter().map(|turn| turn[side]).collect());
    let ratios = turns.iter().map(|[old, new]| old / new);
    let (least, most) = (ratios.clone().fold(f64::MAX, f64::min), ratios.fold(0.0, f64::max));
    let (old, new) = (of(0), of(1));
    let ratio = old / new;
    println!(
        "{name:26} {what:4} {old:7.0} ns {new:7.0} ns  {ratio:5.2} x  ({least:.2} to {most:.2})"
    );
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [old, new, rest @ ..] = &arguments[..] else {
        println!("nothing to compare: name two benchmark programs, the old one first");
        return;
    };
    let turns: usize = rest.first().map_or(7, |turns| turns.parse().expect("a number of turns"));
    let pairs: Vec<[Vec<Line>; 2]> =
        (0..turns).map(|_| [old, new].map(|program| run(program, rest.get(1)))).collect();
    for line in &pairs[0][0] {
        let time = |lines: &[Line], which: usize| {
            Some(lines.iter().find(|other| other.name == line.name)?.times[which])
        };
        for (which, what) in ["mean", "99 %"].into_iter().enumerate() {
            let both = |[old, new]: &[Vec<Line>; 2]| Some([time(old, which)?, time(new, which)?]);
            if let Some(turns) = pairs.iter().map(both).collect::<Option<Vec<_>>>() {
                compare(&line.name, what, &turns);
            }
        }
    }
}
