//! Flags of portals of rooms and buildings.

use serde::{Serialize, Serializer};

/// Flags of a portal, as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortalFlags(pub u16);

impl PortalFlags {
    /// Returns whether both sides have exactly the same polygon. Retail: `exact_match`.
    pub fn exact_match(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether the neighbour is on the positive side of the portal's plane: true if the
    /// stored bit is clear. Retail: `portal_side`.
    pub fn portal_side(self) -> bool {
        self.0 & 2 == 0
    }

    /// Returns whether the portal is marked as an exit portal.
    pub fn leads_outside(self) -> bool {
        self.0 & 4 != 0
    }
}

impl Serialize for PortalFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("PortalFlags", 4)?;
        out.serialize_field("bits", &self.0)?;
        out.serialize_field("exact_match", &self.exact_match())?;
        out.serialize_field("portal_side", &self.portal_side())?;
        out.serialize_field("leads_outside", &self.leads_outside())?;
        out.end()
    }
}
