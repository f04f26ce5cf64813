//! A recording of debug drawing, by layer.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};

use super::{DebugDraw, DebugLabel, DebugLine};

/// A point, in the frame of the landblock of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebugPoint {
    /// Cell in whose landblock the point is given.
    pub cell: CellId,
    /// The point.
    pub at: Vec3,
    /// Linear RGB.
    pub colour: [f32; 3],
}

/// What was drawn into a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedLayer {
    /// Name; empty for what was drawn before any layer began.
    pub name: String,
    /// Lines, in their order.
    pub lines: Vec<DebugLine>,
    /// Points, in their order.
    pub points: Vec<DebugPoint>,
    /// Texts, in their order.
    pub labels: Vec<DebugLabel>,
}

/// A recording: everything that was drawn, by layer. A layer that begins again continues.
///
/// Memory grows with what is drawn; make a new one for each frame or move.
#[derive(Clone, Debug, Default)]
pub struct DebugRecording {
    layers: Vec<RecordedLayer>,
    /// Index of the layer that is drawn into.
    current: usize,
}

impl DebugRecording {
    /// Returns the layers in the order in which they began.
    pub fn layers(&self) -> &[RecordedLayer] {
        &self.layers
    }

    /// Draws the recording again.
    pub fn replay(&self, draw: &mut dyn DebugDraw) {
        for layer in &self.layers {
            draw.begin_layer(&layer.name);
            for line in &layer.lines {
                draw.line(line.cell, line.ends.map(Vec3::to_array), line.colour);
            }
            for point in &layer.points {
                draw.point(point.cell, point.at.to_array(), point.colour);
            }
            layer.labels.iter().for_each(|label| draw.text_at(&label.at, &label.text));
        }
    }

    fn layer(&mut self) -> &mut RecordedLayer {
        if self.layers.is_empty() {
            self.layers.push(RecordedLayer::default());
        }
        let last = self.layers.len() - 1;
        &mut self.layers[self.current.min(last)]
    }
}

impl DebugDraw for DebugRecording {
    fn begin_layer(&mut self, name: &str) {
        let known = self.layers.iter().position(|layer| layer.name == name);
        self.current = known.unwrap_or_else(|| {
            self.layers.push(RecordedLayer { name: name.to_owned(), ..RecordedLayer::default() });
            self.layers.len() - 1
        });
    }

    fn line(&mut self, cell: CellId, ends: [[f32; 3]; 2], colour: [f32; 3]) {
        self.layer().lines.push(DebugLine { cell, ends: ends.map(Vec3::from), colour });
    }

    fn point(&mut self, cell: CellId, at: [f32; 3], colour: [f32; 3]) {
        self.layer().points.push(DebugPoint { cell, at: at.into(), colour });
    }

    fn text(&mut self, cell: CellId, at: [f32; 3], text: &str) {
        let label = DebugLabel { at: Position::new(cell, at.into()), text: text.to_owned() };
        self.layer().labels.push(label);
    }
}

#[cfg(test)]
mod tests {
    use super::super::DebugOverlay;
    use super::*;

    const CELL: CellId = CellId(0xA9B4_0031);
    const RED: [f32; 3] = [1.0, 0.0, 0.0];

    fn draw(draw: &mut dyn DebugDraw) {
        draw.text(CELL, [9.0; 3], "before any layer");
        draw.begin_layer("a");
        draw.ring(CELL, &[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], RED);
        draw.begin_layer("b");
        draw.point_at(&Position::new(CELL, Vec3::ONE), RED);
        draw.begin_layer("a");
        draw.line(CELL, [[2.0; 3], [3.0; 3]], RED);
    }

    #[test]
    fn a_layer_that_begins_again_continues() {
        let mut recording = DebugRecording::default();
        draw(&mut recording);
        let counts = recording.layers().iter().map(|layer| {
            let RecordedLayer { name, lines, points, labels } = layer;
            (name.as_str(), lines.len(), points.len(), labels.len())
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [("", 0, 0, 1), ("a", 4, 0, 0), ("b", 0, 1, 0)]);
    }

    #[test]
    fn a_replayed_recording_is_the_same_drawing() {
        let (mut recording, mut again) = (DebugRecording::default(), DebugRecording::default());
        draw(&mut recording);
        recording.replay(&mut again);
        assert_eq!(recording.layers(), again.layers());
        let mut overlay = DebugOverlay::default();
        recording.replay(&mut overlay);
        // A point is a cross of three lines.
        assert_eq!((overlay.lines.len(), overlay.labels.len()), (4 + 3, 1));
        let cross: Vec<[Vec3; 2]> = overlay.lines[4..].iter().map(|line| line.ends).collect();
        assert!(cross.iter().all(|[from, to]| (*from + *to) / 2.0 == Vec3::ONE), "{cross:?}");
    }
}
