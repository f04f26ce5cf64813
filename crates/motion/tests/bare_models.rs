//! A mover that is a bare model and has no setup.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::RecordId;
use threshold_forge::ObjectSpec;
use threshold_motion::MoverShape;
use threshold_testkit::{MOVER, Walk, layouts::plain};
use threshold_world::DEFAULT_STEP_HEIGHT;

#[test]
fn a_mover_without_a_setup_steps_a_centimetre_whatever_its_scale() {
    let mut forge = plain(&[0xA9B4]);
    let model = forge.object(ObjectSpec::cuboid([0.4, 0.4, 0.4]));
    assert_eq!(model.0 >> 24, 1, "a bare model, not a setup");
    let walk = Walk::from_source(forge.finish().unwrap());
    let steps = |id: RecordId, scale: f32| {
        let shape = MoverShape::from_setup(&walk.builder.setup(id).unwrap(), scale);
        (shape.step_up, shape.step_down)
    };
    assert_eq!(DEFAULT_STEP_HEIGHT, 0.01);
    for scale in [0.5, 1.0, 3.0] {
        assert_eq!(steps(model, scale), (0.01, 0.01), "{scale}");
    }
    // A mover with a setup takes its step heights, scaled.
    assert_eq!(steps(MOVER, 2.0), (1.2, 3.0));
}
