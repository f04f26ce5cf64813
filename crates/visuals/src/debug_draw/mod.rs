//! Debug drawing: lines, points and texts in layers, for any host that can draw lines.
//!
//! The layers of the program ([`draw_cells`], [`draw_portals`] and so on) draw into a [`DebugDraw`]. A host implements the
//! trait with whatever lines its own renderer has, or uses one of the two here: a [`DebugOverlay`] collects lines and labels
//! for a frame, and a [`DebugRecording`] keeps everything by layer, can be drawn again, and becomes a glTF file
//! ([`gltf::recording`](crate::gltf::recording)).
//!
//! ```
//! use threshold_land::CellId;
//! use threshold_visuals::debug_draw::{DebugDraw, DebugRecording};
//! use threshold_visuals::gltf;
//!
//! let (cell, green) = (CellId(0xA9B4_0031), [0.2, 1.0, 0.6]);
//! let mut recording = DebugRecording::default();
//! recording.begin_layer("route");
//! recording.line(cell, [[150.0, 20.0, 94.0], [160.0, 20.0, 94.0]], green);
//! recording.point(cell, [160.0, 20.0, 94.0], green);
//! recording.text(cell, [160.0, 20.0, 95.0], "the end");
//! let file = gltf::recording(&recording, cell.block(), "a route")?;
//! assert_eq!(&file[..4], b"glTF");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layers;
mod overlay;
mod recording;

use threshold_land::{CellId, Position};

pub use self::layers::{
    draw_candidates, draw_cells, draw_contact, draw_physics, draw_portals, draw_region_cones,
    draw_regions,
};
pub use self::overlay::{DebugLabel, DebugLine, DebugOverlay};
pub use self::recording::{DebugPoint, DebugRecording, RecordedLayer};

/// Half the length of the lines of a point that is drawn as a cross, in metres.
const CROSS: f32 = 0.1;

/// Draws lines, points and texts. Points are metres in the frame of the landblock of a cell, as plain arrays; colours are
/// linear RGB.
pub trait DebugDraw {
    /// Begins a layer: what follows belongs to it, until another one begins. Without layers a host need not care.
    fn begin_layer(&mut self, name: &str) {
        let _ = name;
    }

    /// Draws a line segment.
    fn line(&mut self, cell: CellId, ends: [[f32; 3]; 2], colour: [f32; 3]);

    /// Draws a point; by default a cross of three lines.
    fn point(&mut self, cell: CellId, at: [f32; 3], colour: [f32; 3]) {
        for axis in 0..3 {
            let mut ends = [at; 2];
            ends[0][axis] -= CROSS;
            ends[1][axis] += CROSS;
            self.line(cell, ends, colour);
        }
    }

    /// Draws a text at a point.
    fn text(&mut self, cell: CellId, at: [f32; 3], text: &str);

    /// Draws a point at a position.
    fn point_at(&mut self, at: &Position, colour: [f32; 3]) {
        self.point(at.cell, at.frame.origin.to_array(), colour);
    }

    /// Draws a text at a position.
    fn text_at(&mut self, at: &Position, text: &str) {
        self.text(at.cell, at.frame.origin.to_array(), text);
    }

    /// Draws the outline of a polygon.
    fn ring(&mut self, cell: CellId, corners: &[[f32; 3]], colour: [f32; 3]) {
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            self.line(cell, [*from, *to], colour);
        }
    }
}
