//! Areas of land.

use threshold_land::vector::Vec2;

/// An area of land; coordinates in metres to the east and north.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Everywhere,
    Disc { middle: Vec2, radius: f32 },
    Rectangle { low: Vec2, high: Vec2 },
    Path { places: Vec<Vec2>, half_width: f32 },
}

impl Area {
    /// The whole map.
    pub const EVERYWHERE: Self = Self { form: Form::Everywhere };

    /// A round area.
    pub fn disc(middle: impl Into<Vec2>, radius: f32) -> Self {
        Self { form: Form::Disc { middle: middle.into(), radius } }
    }

    /// A rectangle between its corners in the south-west and the north-east.
    pub fn rectangle(low: impl Into<Vec2>, high: impl Into<Vec2>) -> Self {
        let (low, high): (Vec2, Vec2) = (low.into(), high.into());
        Self { form: Form::Rectangle { low: low.min(high), high: low.max(high) } }
    }

    /// A band along a path.
    pub fn path(places: impl IntoIterator<Item = impl Into<Vec2>>, width: f32) -> Self {
        let places = places.into_iter().map(Into::into).collect();
        Self { form: Form::Path { places, half_width: width / 2.0 } }
    }

    /// Returns the distance of a point from the area in metres; 0 or less inside.
    pub(crate) fn distance(&self, at: Vec2) -> f32 {
        match &self.form {
            Form::Everywhere => f32::NEG_INFINITY,
            Form::Disc { middle, radius } => at.distance(*middle) - radius,
            Form::Rectangle { low, high } => {
                let out = (*low - at).max(at - *high);
                out.max(Vec2::ZERO).length() + out.max_element().min(0.0)
            }
            Form::Path { places, half_width } => {
                let parts = places.iter().zip(places.iter().skip(1).chain(places.last()));
                let distances = parts.map(|(from, to)| at.distance(nearest(at, *from, *to)));
                distances.fold(f32::INFINITY, f32::min) - half_width
            }
        }
    }
}

/// Returns the point between two others that is nearest to `at`.
fn nearest(at: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let offset = to - from;
    let part =
        ((at - from).dot(offset) / offset.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    from + offset * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_to_the_edge_and_negative_inside() {
        let near = |area: &Area, at: [f32; 2], want: f32| {
            let got = area.distance(at.into());
            assert!((got - want).abs() < 1e-4, "{area:?} {at:?}: {got}");
        };
        near(&Area::disc([0.0, 0.0], 5.0), [3.0, 4.0], 0.0);
        near(&Area::disc([0.0, 0.0], 5.0), [6.0, 8.0], 5.0);
        let square = Area::rectangle([10.0, 10.0], [0.0, 0.0]);
        near(&square, [5.0, 2.0], -2.0);
        near(&square, [13.0, 14.0], 5.0);
        let path = Area::path([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]], 4.0);
        near(&path, [5.0, 3.0], 1.0);
        near(&path, [13.0, 5.0], 1.0);
        near(&Area::path([[1.0, 1.0]], 2.0), [1.0, 4.0], 2.0);
        assert!(Area::EVERYWHERE.distance(Vec2::ZERO) < 0.0);
    }
}
