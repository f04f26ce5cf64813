//! The player's input.

/// Input of one frame: the actions the player requests, and the heading of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// Forward (1) or back (-1).
    pub ahead: f32,
    /// To the right (1) or to the left (-1).
    pub aside: f32,
    /// Up (1) or down (-1); in flight only.
    pub up: f32,
    /// Whether to run instead of walk; in flight, to fly fast.
    pub run: bool,
    /// Whether the jump key is down. The player jumps when it goes up.
    pub jump: bool,
    /// Heading of the view, in degrees to the right of north.
    pub heading: f32,
}
