//! The diagonal that splits a land cell into two triangles.

use crate::lcoord::Lcoord;

/// The diagonal that splits a land cell into two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// From the south-west corner to the north-east.
    SwNe,
    /// From the north-west corner to the south-east.
    NwSe,
}

/// Returns the hash that decides the diagonal of a land cell, in wrapping arithmetic.
///
/// Retail: in `CLandBlockStruct::ConstructPolygons`.
fn cut_hash(x: u32, y: u32) -> u32 {
    x.wrapping_mul(y)
        .wrapping_mul(0x0CCA_C033)
        .wrapping_add(y.wrapping_mul(0x6C1A_C587))
        .wrapping_sub(x.wrapping_mul(0x421B_E3BD))
        .wrapping_sub(0x519B_8F25)
}

impl Cut {
    fn of(x: u32, y: u32) -> Self {
        if cut_hash(x, y) >> 31 == 1 { Self::SwNe } else { Self::NwSe }
    }

    /// Returns the two triangles, in retail's order and counter-clockwise seen from above, of a cell with corners
    /// given as south-west, south-east, north-east, north-west.
    pub fn triangles<T: Copy>(self, [sw, se, ne, nw]: [T; 4]) -> [[T; 3]; 2] {
        match self {
            Self::SwNe => [[sw, se, ne], [sw, ne, nw]],
            Self::NwSe => [[sw, se, nw], [ne, nw, se]],
        }
    }
}

impl Lcoord {
    /// Returns the diagonal that splits the ground here, for collision and for drawing.
    ///
    /// Retail: `CLandBlockStruct::ConstructPolygons`.
    pub fn cut(self) -> Cut {
        // Both are 0 to 2039 on the map.
        Cut::of(self.x().unsigned_abs(), self.y().unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::CellId;

    fn sw_ne(x: u32, y: u32) -> bool {
        Cut::of(x, y) == Cut::SwNe
    }

    #[test]
    fn worked_examples_of_the_cut() {
        for (cell, hash) in [
            (0x0000_0001, 0xAE64_70DB),
            (0x0000_0009, 0x6C48_8D1E),
            (0x0000_0002, 0x1A7F_3662),
            (0xA9B4_0001, 0xC15B_D913),
            (0xA9B4_0031, 0xEF8B_3BE5),
            (0xA9B4_001E, 0x7EBD_EBD4),
            (0xA9B3_0038, 0xA7E8_E7D4),
            (0xDA55_0025, 0x5653_9F5B),
            (0x7F7F_0039, 0x71B0_25F8),
            (0xFEFE_0040, 0x3846_F0E4_u32),
        ] {
            let place = CellId(cell).lcoord().unwrap();
            let [x, y] = [place.x(), place.y()].map(|v| u32::try_from(v).unwrap());
            assert_eq!(cut_hash(x, y), hash, "{:?}", CellId(cell));
        }
        for (x, y, hash, cut) in [
            (1352, 1440, 3_244_022_035, true),
            (1358, 1440, 4_018_879_461, true),
            (1358, 1439, 2_817_058_772, true),
            (1001, 801, 1_772_860_424, false),
            (0, 0, 2_925_818_075_u32, true),
        ] {
            assert_eq!((cut_hash(x, y), sw_ne(x, y)), (hash, cut));
        }
    }

    #[test]
    fn whole_blocks_of_cuts() {
        let block = |bx: u32, by: u32| {
            let row =
                |x: u32| (0..8).map(move |y| if sw_ne(bx * 8 + x, by * 8 + y) { '1' } else { '0' });
            (0..8).map(|x| row(x).collect::<String>()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            block(0xA9, 0xB4),
            "11111111 00111111 00000111 11000011 11100011 00110011 10010011 11011011"
        );
        assert_eq!(
            block(0, 0),
            "10110101 01010101 01010101 10010101 10110100 00100100 01100100 11001110"
        );
    }

    #[test]
    fn the_whole_map_has_the_documented_checksum() {
        let (mut cut, mut crc) = (0_u32, u32::MAX);
        for x in 0..2040 {
            for y in 0..2040 {
                let bit = u32::from(sw_ne(x, y));
                cut += bit;
                crc ^= bit;
                for _ in 0..8 {
                    crc = crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
                }
            }
        }
        assert_eq!((cut, !crc), (2_081_396, 0x0CE8_3726));
        assert_eq!(cut_hash(657, 1857), 0x8000_01B8, "the cell nearest the threshold");
    }
}
