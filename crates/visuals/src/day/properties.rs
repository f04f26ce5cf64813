//! Flags of celestial objects.

bitflags::bitflags! {
    /// Drawing flags of a celestial object. Retail: the bits of `SkyObject::properties` that `GameSky` reads.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SkyProperties: u32 {
        /// Drawn after the landscape, not behind it.
        const AFTER_LAND = 1;
        /// Hidden while fog is forced by the server.
        const HIDDEN_BY_FOG = 2;
        /// Weather: placed at the viewer, and not drawn where weather is off.
        const WEATHER = 4;
        /// Weather at the height of the viewer; other weather is at [`WEATHER_HEIGHT`](Self::WEATHER_HEIGHT).
        const AT_VIEWER = 8;
        // Records may set bits that retail never reads.
        const _ = !0;
    }
}

impl SkyProperties {
    /// Height of weather that does not follow the viewer, in metres above sea level.
    pub const WEATHER_HEIGHT: f32 = -120.0;
}
