#![no_main]

use libfuzzer_sys::fuzz_target;
use threshold_dat::RecordKind;

const KINDS: &[RecordKind] = &[RecordKind::Setup, RecordKind::Animation, RecordKind::MotionTable];

fuzz_target!(|data: &[u8]| threshold_fuzz::record(KINDS, data));
