//! Bits of what is in the sky.

/// How something in the sky is drawn. Retail: the bits of `SkyObject::properties` that `GameSky` reads; there are no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkyProperties(pub u32);

impl SkyProperties {
    /// Drawn after the land, not behind it.
    pub const AFTER_LAND: Self = Self(1);
    /// Not drawn while somebody has ordered fog.
    pub const HIDDEN_BY_FOG: Self = Self(2);
    /// Weather: it stands where the viewer is, and is not drawn where there is no weather.
    pub const WEATHER: Self = Self(4);
    /// Weather that is also as high as the viewer; other weather stays at [`WEATHER_HEIGHT`](Self::WEATHER_HEIGHT).
    pub const AT_VIEWER: Self = Self(8);

    /// How high weather is that does not rise with the viewer, in metres above the sea.
    pub const WEATHER_HEIGHT: f32 = -120.0;

    /// Whether all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
