//! What somebody wishes to do.

/// What is wished for right now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Intent {
    /// Ahead (1) or back (-1).
    pub(crate) ahead: f32,
    /// To the right (1) or to the left (-1).
    pub(crate) aside: f32,
    /// Up (1) or down (-1), for who flies.
    pub(crate) up: f32,
    pub(crate) run: bool,
    /// Whether a jump is held.
    pub(crate) jump: bool,
    /// Where somebody looks: to the right of north, in degrees.
    pub(crate) heading: f32,
}
