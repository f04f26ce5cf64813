//! Kinds of ground.

use crate::tool::record::region::GROUND;

/// A kind of ground, 0 to 31. Retail: `LandDefs::TerrainType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soil(pub u8);

impl Soil {
    /// Barren rock.
    pub const ROCK: Self = Self(0);
    /// Grassland.
    pub const GRASS: Self = Self(1);
    /// Lush grass.
    pub const LUSH: Self = Self(3);
    /// Marsh.
    pub const MARSH: Self = Self(4);
    /// Packed dirt: yards and squares.
    pub const DIRT: Self = Self(7);
    /// Grass with bare patches.
    pub const PATCHY: Self = Self(9);
    /// Yellow sand.
    pub const SAND: Self = Self(10);
    /// Layered rock: cliffs.
    pub const CLIFF: Self = Self(13);
    /// Snow.
    pub const SNOW: Self = Self(15);
    /// Running water.
    pub const RIVER: Self = Self(16);
    /// Standing fresh water.
    pub const WATER: Self = Self(17);
    /// Floor of a forest.
    pub const FOREST: Self = Self(21);

    /// Returns whether it is water: 16 to 20.
    pub fn is_water(self) -> bool {
        (16..=20).contains(&self.0)
    }

    /// Returns its name in the tables of the region; `None` beyond 31.
    pub fn name(self) -> Option<&'static str> {
        GROUND.get(usize::from(self.0)).map(|(name, _)| *name)
    }

    /// Returns the kind of ground of a name, in any letter case.
    pub fn named(name: &str) -> Option<Self> {
        let found = GROUND.iter().position(|(own, _)| own.eq_ignore_ascii_case(name))?;
        u8::try_from(found).ok().map(Self)
    }
}
