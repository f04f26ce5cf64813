//! Blocks of rooms, and solids of shells and things.

use threshold_land::vector::Vec3;

use super::lexer::Place;
use super::limits;
use super::pose::{REPEAT, Repeat};
use super::shapes::shape;
use super::slopes;
use super::words::{TextResult, Words};
use crate::stock::material::Material;
use crate::tool::form::moved;
use crate::tool::shape::Shape;

/// Shapes of one material.
pub(super) struct SolidGroup {
    shapes: Vec<Shape>,
    material: Material,
}

impl SolidGroup {
    /// A shape, stairs, a ramp or a gable, then `[of MATERIAL] [times N step P]`.
    pub(super) fn read(key: &str, words: &mut Words<'_>, usual: Material) -> TextResult<Self> {
        let shapes = match key {
            "stairs" => slopes::stairs(words)?,
            "ramp" => vec![slopes::ramp(words)?],
            "gable" => vec![slopes::gable(words)?],
            _ => vec![shape(words)?],
        };
        let (mut material, mut repeat) = (usual, Repeat::ONCE);
        words.options(&["of", REPEAT[0], REPEAT[1]], |key, words| {
            match key {
                "of" => material = words.material()?,
                _ => repeat.option(key, words)?,
            }
            Ok(())
        })?;
        // One more than the limit is enough to detect an excess.
        let each = |step| shapes.iter().map(move |shape| moved(shape, step));
        let shapes = repeat.steps()?.flat_map(each).take(limits::SOLIDS + 1).collect();
        Ok(Self { shapes, material })
    }

    /// Adds the shapes to `solids`, called `what` in messages, and returns their number.
    pub(super) fn add_to(
        self,
        solids: &mut Vec<(Shape, Material)>,
        what: &str,
        place: Place,
    ) -> TextResult<usize> {
        let count = self.shapes.len();
        if solids.len() + count > limits::SOLIDS {
            let message = format!("too many {what}; the maximum is {}", limits::SOLIDS);
            return Err(place.error(message));
        }
        solids.extend(self.shapes.into_iter().map(|shape| (shape, self.material)));
        match cuts(solids) > limits::CUTS {
            false => Ok(count),
            true => {
                let message =
                    format!("too many {what} overlap: each is cut along the faces of the others");
                Err(place.error(message))
            }
        }
    }
}

/// Returns the number of face pairs to be cut: those of shapes with overlapping bounds.
fn cuts(solids: &[(Shape, Material)]) -> usize {
    let bounds: Vec<(Vec3, Vec3, usize)> = solids.iter().map(|(shape, _)| bounds(shape)).collect();
    let mut cuts = 0;
    for (number, (low, high, faces)) in bounds.iter().enumerate() {
        for (other_low, other_high, other_faces) in bounds.iter().skip(number + 1) {
            if low.cmplt(*other_high).all() && other_low.cmplt(*high).all() {
                cuts += faces * other_faces;
            }
        }
    }
    cuts
}

/// Returns the lowest and the highest corner, and the number of faces.
fn bounds(shape: &Shape) -> (Vec3, Vec3, usize) {
    let corners = shape.faces().iter().flatten();
    let (low, high) = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), corner| {
        (low.min(*corner), high.max(*corner))
    });
    (low, high, shape.faces().len())
}
