//! Lines and labels of a frame.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};

use super::DebugDraw;

/// A line segment, in the frame of the landblock of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebugLine {
    /// Cell in whose landblock the ends are given.
    pub cell: CellId,
    /// Both ends.
    pub ends: [Vec3; 2],
    /// Linear RGB.
    pub colour: [f32; 3],
}

/// A text at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugLabel {
    /// Position of the text.
    pub at: Position,
    /// The text.
    pub text: String,
}

/// Lines and labels of all layers, for a renderer that draws the lines over a frame and a host that writes the labels.
/// Points become crosses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugOverlay {
    /// The lines.
    pub lines: Vec<DebugLine>,
    /// The labels.
    pub labels: Vec<DebugLabel>,
}

impl DebugDraw for DebugOverlay {
    fn line(&mut self, cell: CellId, ends: [[f32; 3]; 2], colour: [f32; 3]) {
        self.lines.push(DebugLine { cell, ends: ends.map(Vec3::from), colour });
    }

    fn text(&mut self, cell: CellId, at: [f32; 3], text: &str) {
        self.labels.push(DebugLabel { at: Position::new(cell, at.into()), text: text.to_owned() });
    }
}
