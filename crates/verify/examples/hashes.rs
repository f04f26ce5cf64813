//! Prints the hashes of this machine, and fails if one is not the expected one.
//!
//! `cargo run --release --package threshold-verify --example hashes -- quick|full`
//!
//! With `pin` instead, it runs both and writes them into `expected.txt` of the repository.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use threshold_verify::{Scope, verify};

const HEAD: &str = "# The hashes that every machine must find: scope, section, SHA-256.
# Renew with: cargo run --release --package threshold-verify --example hashes -- pin
";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let word = std::env::args().nth(1);
    if word.as_deref() == Some("pin") {
        return pin();
    }
    let scope = Scope::ALL.into_iter().find(|scope| Some(scope.name()) == word.as_deref());
    let report = verify(scope.ok_or("name quick, full or pin")?, &mut |_| ())?;
    print!("{report}");
    let mismatches = report.mismatches();
    mismatches.iter().for_each(|mismatch| println!("{} differs", mismatch.name()));
    Ok(if mismatches.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn pin() -> Result<ExitCode, Box<dyn Error>> {
    let mut lines = HEAD.to_owned();
    for scope in Scope::ALL {
        write!(lines, "{}", verify(scope, &mut |_| ())?)?;
    }
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("expected.txt"), lines)?;
    Ok(ExitCode::SUCCESS)
}
