//! The hashes as a WebAssembly module: `run` computes them, `byte` reads the text of the report.
//!
//! `scripts/targets.sh` builds it, and `scripts/verify.mjs` runs it in Node. A page in a browser
//! calls the same functions.

#![allow(
    unsafe_code,
    reason = "exporting a function by its name is declared unsafe; nothing here is called so"
)]

use std::cell::RefCell;

use threshold_verify::{Scope, verify};

thread_local! {
    /// The report of the last run, or the error.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the quick scope for 0 and the full one for others. Returns the number of hashes that
/// differ, or -1 for an error.
#[unsafe(no_mangle)]
pub extern "C" fn run(full: i32) -> i32 {
    let scope = if full == 0 { Scope::Quick } else { Scope::Full };
    let (text, differing) = match verify(scope, &mut |_| ()) {
        Ok(report) => {
            let differing = report.mismatches().len();
            (report.to_string(), i32::try_from(differing).unwrap_or(i32::MAX))
        }
        Err(error) => (error.to_string(), -1),
    };
    TEXT.set(text);
    differing
}

/// Returns a byte of the text of the last run, in UTF-8; -1 behind its end.
#[unsafe(no_mangle)]
pub extern "C" fn byte(index: u32) -> i32 {
    TEXT.with_borrow(|text| text.as_bytes().get(index as usize).map_or(-1, |byte| i32::from(*byte)))
}
