//! Absurd sizes in a world text are refused before anything of that size is built.
//!
//! The limit is on memory, which is the same on every machine. One test, so that
//! no other test allocates in this process meanwhile.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use peak_alloc::PeakAlloc;
use threshold_forge::text;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Maximum bytes allocated for each byte of the text.
const MAX_PER_BYTE: usize = 64;
/// Maximum bytes allocated in addition.
const MAX_FIXED: usize = 1 << 20;

#[test]
fn absurd_sizes_are_refused_before_they_are_built_and_the_largest_allowed_are_built() {
    let plan = "plan p\nroom a 0,0,0 to 100,100,100\n";
    let long = "1".repeat(1 << 20);
    for text in [
        "land 0000 size 255,255".to_owned(),
        "land 0000 size 1e30,1e30".to_owned(),
        "plan p\nroom a regular 1000000 radius 5 from 0 to 3".to_owned(),
        format!("{plan}put a mover at 1,1,0 times 1000000000 step 1,0,0"),
        format!("{plan}block a 0,0,0 to 1,1,1 times 1000 step 0,0,0"),
        format!("{plan}stairs a from 0,0,0 to 1,1,1e6 width 1"),
        format!("{plan}stairs a from 0,0,0 to 1,1,70 width 1 times 1000 step 1,0,0"),
        format!("{plan}dungeon p A9B4 at 0,0,0 times {long} step 1,0,0"),
        format!("plan p\nroom a {long},0,0 to 1,1,1"),
        format!("plan p\nroom a prism {} from 0 to 1", "1,1 ".repeat(100_000)),
        format!("land A9B4\nroad {}", "1,1 ".repeat(100_000)),
        format!("plan {}", "\"".repeat(100_001)),
        "x".repeat(4 << 20),
        "\n".repeat((4 << 20) + 1),
    ] {
        let shown: String = text.chars().take(60).collect();
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        assert!(text::read(&text).is_err(), "{shown}");
        let used = MEMORY.peak_usage() - before;
        println!("{shown:?} of {} bytes takes {used}", text.len());
        assert!(used <= MAX_FIXED + MAX_PER_BYTE * text.len(), "{shown}: {used} bytes");
    }
    let stairs = "plan p\nroom a 0,0,0 to 100,8,90\nstairs a from 1,4,0 to 99,4,76.8 width 4\n";
    text::read(&format!("{stairs}dungeon p 0102 at 0,0,0")).unwrap();
    text::read("land 2020 size 32,32 height 40\nroll 30 length 200").unwrap();
}
