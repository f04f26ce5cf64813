//! The hashes that place scenery. All of them wrap at 32 bits.

/// A corner of land cells, counted over the whole map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) x: u32,
    pub(super) y: u32,
}

const FREQUENCY: u32 = 0x5B67;
const DISPLACE_X: u32 = 0xB2CD;
const DISPLACE_Y: u32 = 0x1_1C0F;
const ROTATION: u32 = 0xF697;
const SCALE: u32 = 0x7F51;

/// Maps a hash to a number from 0 to 1, 1 excluded.
pub(super) fn fraction(hash: u32) -> f64 {
    f64::from(hash) / 4_294_967_296.0
}

impl Corner {
    /// Chooses one of the scenes of a scene type.
    pub(super) fn scene(self) -> u32 {
        let Self { x, y } = self;
        let inner = x.wrapping_mul(0x2A7F_2B89).wrapping_add(0x6C1A_C587);
        let sum = y.wrapping_mul(inner).wrapping_sub(x.wrapping_mul(0x421B_E3BD));
        sum.wrapping_add(0x7F8C_DA01)
    }

    /// Chooses the quarter turn common to all objects of the corner.
    pub(super) fn quarter(self) -> u32 {
        let Self { x, y } = self;
        let inner = y.wrapping_mul(0x6F7B_D965).wrapping_add(0x421B_E3BD);
        y.wrapping_mul(0x6C1A_C587).wrapping_sub(x.wrapping_mul(inner)).wrapping_sub(0x17FC_EDFD)
    }

    /// Decides whether object `k` of the scene exists.
    pub(super) fn frequency(self, k: u32) -> u32 {
        self.salted(FREQUENCY.wrapping_add(k))
    }

    /// Displacement to the east.
    pub(super) fn displace_x(self, k: u32) -> u32 {
        self.salted(DISPLACE_X.wrapping_add(k))
    }

    /// Displacement to the north.
    pub(super) fn displace_y(self, k: u32) -> u32 {
        self.salted(DISPLACE_Y.wrapping_add(k))
    }

    /// Heading.
    pub(super) fn rotation(self, k: u32) -> u32 {
        self.salted(ROTATION.wrapping_add(k))
    }

    /// Scale.
    pub(super) fn scale(self, k: u32) -> u32 {
        self.salted(SCALE.wrapping_add(k))
    }

    fn salted(self, salt: u32) -> u32 {
        let Self { x, y } = self;
        let product = x.wrapping_mul(y).wrapping_mul(0x5111_BFEF).wrapping_add(0x7089_2FB7);
        y.wrapping_mul(0x6C1A_C587)
            .wrapping_sub(product.wrapping_mul(salt))
            .wrapping_sub(x.wrapping_mul(0x421B_E3BD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples_of_the_hashes() {
        let corner = Corner { x: 1352, y: 1440 };
        let check = |hash: fn(Corner, u32) -> u32, want: [u32; 3]| {
            assert_eq!([0, 1, 2].map(|k| hash(corner, k)), want);
        };
        check(Corner::frequency, [0x16DC_1C97, 0x5B8B_F1E0, 0xA03B_C729]);
        check(Corner::displace_x, [0x3666_E6AD, 0x7B16_BBF6, 0xBFC6_913F]);
        check(Corner::displace_y, [0x0A36_D47F, 0x4EE6_A9C8, 0x9396_7F11]);
        check(Corner::rotation, [0x6DF7_4D47, 0xB2A7_2290, 0xF756_F7D9]);
        check(Corner::scale, [0xE9BE_0C51, 0x2E6D_E19A, 0x731D_B6E3]);
    }

    #[test]
    fn worked_examples_of_scenes_and_quarters() {
        let scene = |x, y| Corner { x, y }.scene();
        assert_eq!(scene(1352, 1440), 0x4B26_1039);
        assert_eq!(scene(1355, 1445), 0x6EE0_0F34);
        assert_eq!(scene(0, 0), 0x7F8C_DA01);
        assert!((fraction(scene(1352, 1440)) - 0.293_549_551).abs() < 1e-9);
        let quarter = |x, y| Corner { x, y }.quarter();
        assert_eq!(quarter(1352, 1440), 0xAA2A_023B);
        assert_eq!(quarter(1355, 1445), 0x4FC1_5A54);
        assert_eq!(quarter(1748, 684), 0x4B2C_3E03);
        assert_eq!(quarter(0, 0), 0xE803_1203);
    }
}
