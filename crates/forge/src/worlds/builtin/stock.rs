//! Things by name, each made once.

use std::collections::BTreeMap;

use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};

use super::mason::Chamber;
use crate::stock::things;
use crate::tool::forge::Forge;
use crate::tool::plan::{Plan, RoomKey};

/// The things for rooms and for the land.
pub(super) struct Stock<'f> {
    pub(super) forge: &'f mut Forge,
    known: BTreeMap<&'static str, RecordId>,
}

impl<'f> Stock<'f> {
    pub(super) fn new(forge: &'f mut Forge) -> Self {
        Self { forge, known: BTreeMap::new() }
    }

    /// Returns the thing of a name.
    pub(super) fn get(&mut self, name: &'static str) -> RecordId {
        match self.known.get(name) {
            Some(id) => *id,
            None => {
                // An unknown thing is refused when the world is made.
                let id = things::by_name(name).map(|thing| self.forge.object(thing));
                let id = id.unwrap_or(RecordId::NONE);
                self.known.insert(name, id);
                id
            }
        }
    }

    /// Puts things into a room: name, position and heading of each.
    pub(super) fn furnish(
        &mut self,
        plan: &mut Plan,
        room: Chamber,
        things: &[(&'static str, [f32; 3], f32)],
    ) {
        self.furnish_room(plan, room.key, things);
    }

    pub(super) fn furnish_room(
        &mut self,
        plan: &mut Plan,
        room: RoomKey,
        things: &[(&'static str, [f32; 3], f32)],
    ) {
        for (name, at, heading) in things {
            plan.put(room, self.get(name), standing(*at, *heading));
        }
    }
}

/// Returns an upright frame at a position, with a heading.
pub(super) fn standing(at: impl Into<Vec3>, heading: f32) -> Frame {
    Frame { origin: at.into(), rotation: Rotation::from_heading(heading) }
}
