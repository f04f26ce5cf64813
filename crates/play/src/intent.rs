//! What the player wants to do.

/// Input of one frame: what the player wants to do, and which way the view faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// Forward (1) or back (-1).
    pub ahead: f32,
    /// To the right (1) or to the left (-1).
    pub aside: f32,
    /// Up (1) or down (-1); in flight only.
    pub up: f32,
    /// Run instead of walk; in flight, fly fast.
    pub run: bool,
    /// The jump key is down. The jump happens when it goes up.
    pub jump: bool,
    /// Heading of the view, in degrees to the right of north.
    pub heading: f32,
}
