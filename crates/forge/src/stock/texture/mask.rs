//! Masks that blend one ground into another. Black shows the upper one.

use threshold_land::vector::{Vec2, Vec4};

use super::canvas::{Canvas, SIDE};
use super::noise::{Noise, smooth};

/// Coverage of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// A ground around the north-west corner.
    Corner,
    /// A ground along the western side.
    Side,
    /// The end of a road in the north-west corner.
    RoadEnd,
    /// A road along the western side.
    RoadAlong,
    /// A road from the south-west corner to the north-east one.
    RoadAcross,
}

/// A mask: its coverage, and the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mask {
    pub(crate) reach: Reach,
    pub(crate) variant: u8,
}

/// All masks, in the order of their ids.
const ALL: [(Reach, u8); 5] = [
    (Reach::Corner, 4),
    (Reach::Side, 4),
    (Reach::RoadEnd, 2),
    (Reach::RoadAlong, 3),
    (Reach::RoadAcross, 2),
];

/// Half the width of a road as a part of a land cell, as for scenery.
const ROAD: f32 = 5.0 / 24.0;

impl Reach {
    /// Returns all masks with one coverage.
    pub(crate) fn masks(self) -> impl Iterator<Item = Mask> {
        Mask::all().filter(move |mask| mask.reach == self)
    }

    /// Returns the corners it shows: SW 1, SE 2, NE 4, NW 8. Retail: `tcode`, `rcode`.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::Corner | Self::RoadEnd => 8,
            Self::Side | Self::RoadAlong => 9,
            Self::RoadAcross => 5,
        }
    }

    /// Returns the distance of a point from the start of the coverage, less the distance of its end. On the borders of the land cell it
    /// depends on nothing else: masks of adjacent cells must meet there.
    fn beyond(self, at: Vec2) -> f32 {
        match self {
            Self::Corner => at.length() - 0.5,
            Self::Side => at.x - 0.5,
            Self::RoadEnd => at.x + at.y - ROAD,
            Self::RoadAlong => at.x - ROAD,
            Self::RoadAcross => (at.x + at.y - 1.0).abs() - ROAD,
        }
    }

    fn is_road(self) -> bool {
        matches!(self, Self::RoadEnd | Self::RoadAlong | Self::RoadAcross)
    }
}

impl Mask {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter()
            .flat_map(|(reach, count)| (0..count).map(move |variant| Self { reach, variant }))
    }

    pub(crate) fn paint(self, seed: u64) -> Canvas {
        let (wide, fine) = (Noise::new([4, 4], 3, seed), Noise::new([17, 17], 3, seed ^ 1));
        let [bow, fringe, soft] =
            if self.reach.is_road() { [0.045, 0.035, 0.035] } else { [0.16, 0.07, 0.07] };
        Canvas::cover(SIDE, |at| {
            let inside = at.min(1.0 - at).min_element();
            let free = smooth(0.0, 0.2, inside);
            let off = bow * wide.at(at) * free + fringe * fine.at(at) * smooth(0.0, 0.04, inside);
            Vec4::splat(smooth(-soft, soft, self.reach.beyond(at) + off))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of a picture, by their bits.
    const CORNERS: [(u32, [usize; 2]); 4] =
        [(1, [0, SIDE - 1]), (2, [SIDE - 1, SIDE - 1]), (4, [SIDE - 1, 0]), (8, [0, 0])];

    /// Row by row.
    fn alphas(mask: Mask) -> Vec<u8> {
        mask.paint(7).bytes().into_iter().map(|pixel| pixel[3]).collect()
    }

    /// Returns where the land samples a mask after a number of quarter turns.
    fn turned([x, y]: [usize; 2], turns: u8) -> [usize; 2] {
        let other = |place: usize| SIDE - 1 - place;
        match turns {
            0 => [x, y],
            1 => [other(y), x],
            2 => [other(x), other(y)],
            _ => [y, other(x)],
        }
    }

    #[test]
    fn a_mask_shows_the_corners_its_code_names_and_no_others_however_it_is_turned() {
        for mask in Mask::all() {
            let alphas = alphas(mask);
            let mut code = mask.reach.code();
            for turns in 0..4 {
                for (bit, at) in CORNERS {
                    let [x, y] = turned(at, turns);
                    let want = if code & bit != 0 { 0 } else { 255 };
                    assert_eq!(alphas[y * SIDE + x], want, "{mask:?}, {turns} turns: corner {bit}");
                }
                code = if code > 7 { 2 * code - 15 } else { 2 * code };
            }
        }
    }

    #[test]
    fn masks_of_neighbours_meet_at_the_border_of_the_land_cell() {
        for (one, other) in [(Reach::Corner, Reach::Side), (Reach::RoadEnd, Reach::RoadAlong)] {
            let first = alphas(Mask { reach: one, variant: 0 });
            let second = alphas(Mask { reach: other, variant: 1 });
            for x in 0..SIDE {
                let (first, second) = (first[x], second[x]);
                // The middle of the first row lies half a pixel inside.
                assert!(first.abs_diff(second) < 40, "{one:?} {x}: {first} {second}");
            }
        }
    }
}
