//! Spaces of rooms and parts in f64.

use threshold_geom::CastContact;
use threshold_land::Space;
use threshold_land::vector::DVec3;

/// A space with its scale, for conversions between it and the frame of its landblock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    origin: DVec3,
    rows: [DVec3; 3],
    pub(crate) scale: f64,
}

impl Place {
    pub(crate) fn new(space: &Space, scale: f32) -> Self {
        let rows = space.rows.0.map(|row| row.as_dvec3());
        Self { origin: space.origin.as_dvec3(), rows, scale: f64::from(scale) }
    }

    /// Turns a vector of the landblock.
    pub(crate) fn turned(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.rows;
        DVec3::new(x.dot(v), y.dot(v), z.dot(v))
    }

    pub(crate) fn to_local(self, p: DVec3) -> DVec3 {
        self.turned(p - self.origin) / self.scale
    }

    fn turned_back(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.rows;
        x * v.x + y * v.y + z * v.z
    }

    pub(crate) fn to_block(self, p: DVec3) -> DVec3 {
        self.origin + self.turned_back(p * self.scale)
    }

    /// Converts a contact to the frame of the landblock; its time stays.
    pub(crate) fn contact_to_block(&self, contact: CastContact) -> CastContact {
        let normal = self.turned_back(contact.normal) * self.scale.signum();
        let normal = normal.normalize_or(DVec3::Z);
        CastContact { point: self.to_block(contact.point), normal, ..contact }
    }
}
