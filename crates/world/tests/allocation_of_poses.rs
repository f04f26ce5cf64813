//! A door that swings allocates nothing after its first swing.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use peak_alloc::PeakAlloc;
use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_testkit::{sample_builder, sample_world};
use threshold_world::{BodyId, BodySpec, ObjectKind, State, World};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs without the test harness, because the harness thread may allocate at any time.
fn main() {
    let (builder, mut world) = (sample_builder("holt"), sample_world("holt"));
    // In the street, a few metres in front of the cottage.
    let position = Position::new(CellId(0xA9B4_0031), Vec3::new(156.0, 5.0, 40.0));
    let setup = builder.setup(RecordId(0x0200_0021)).unwrap();
    let (body, scale, state, kind) = (BodyId(1), 1.0, State::default(), ObjectKind::Thing);
    world.insert(BodySpec { body, setup, position, scale, state, kind });
    let swing = |world: &mut World| {
        for degrees in 1_u8..=90 {
            let rotation = Rotation::from_heading(f32::from(degrees));
            let origin = Vec3::Z * 0.01 * f32::from(degrees);
            world.pose_part(body, 0, Frame { origin, rotation }).unwrap();
            world.turn(body, rotation).unwrap();
        }
    };
    world.pose_part(body, 0, Frame::at(Vec3::Z * 0.5)).unwrap();
    let cells = world.body(body).unwrap().cells().to_vec();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    swing(&mut world);
    assert_eq!(MEMORY.peak_usage(), before);
    assert_eq!(world.body(body).unwrap().cells(), cells);
    assert!(world.registration_counters().searches > 90);
}
