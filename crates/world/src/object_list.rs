//! The objects of a cell.

use threshold_land::Sphere;
use threshold_land::vector::Vec2;

use crate::constants::NEAR_MARGIN;
use crate::object::{ObjectId, ObjectKind};

/// An entry in the object list of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) id: ObjectId,
    /// Index into the world's object slots.
    pub(crate) slot: u32,
    /// The kind of the object, copied so that most entries are skipped without a look at the
    /// object.
    pub(crate) kind: ObjectKind,
    /// Bounds of its collision shapes in the frame of the cell's landblock; those of a body are
    /// enlarged, so that small moves change no list.
    pub(crate) bounds: Sphere,
}

/// The objects of a cell, sorted by id.
#[derive(Debug, Default)]
pub(crate) struct ObjectList {
    members: Vec<Member>,
    /// The same by kind, so that a mover skips all members of a kind at once.
    groups: Vec<KindGroup>,
    /// Whether the groups are up to date.
    is_grouped: bool,
    /// Waits to be grouped.
    pub(crate) is_noted: bool,
}

/// The members of one kind, in order.
#[derive(Debug)]
struct KindGroup {
    kind: ObjectKind,
    members: Vec<GroupedMember>,
}

/// What a search near a sphere needs of a member.
#[derive(Clone, Copy, Debug)]
struct GroupedMember {
    x: f32,
    y: f32,
    radius: f32,
    place: u32,
}

/// A cell with more objects is crowded: its list is worth grouping.
const MAX_UNGROUPED: usize = 64;

/// Returns whether a level offset is longer than `reach`. With NaN it is not, so that such objects
/// count as near.
pub(crate) fn is_beyond(offset: Vec2, reach: f32) -> bool {
    offset.length_squared() > reach * reach
}

impl ObjectList {
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns whether the list is long and not grouped.
    pub(crate) fn is_worth_grouping(&self) -> bool {
        self.members.len() > MAX_UNGROUPED && !self.is_grouped
    }

    fn find(&self, id: ObjectId) -> Result<usize, usize> {
        self.members.binary_search_by_key(&id, |member| member.id)
    }

    /// Adds a member, or replaces that with the same id.
    pub(crate) fn put(&mut self, member: Member) {
        self.is_grouped = false;
        match self.find(member.id) {
            Ok(at) => self.members[at] = member,
            Err(at) => self.members.insert(at, member),
        }
    }

    /// Sets the bounds of a member.
    pub(crate) fn set_bounds(&mut self, id: ObjectId, bounds: Sphere) {
        self.is_grouped = false;
        if let Ok(at) = self.find(id) {
            self.members[at].bounds = bounds;
        }
    }

    pub(crate) fn remove(&mut self, id: ObjectId) {
        self.is_grouped = false;
        if let Ok(at) = self.find(id) {
            self.members.remove(at);
        }
    }

    /// Groups a long list.
    pub(crate) fn group(&mut self) {
        self.is_noted = false;
        if !self.is_worth_grouping() {
            return;
        }
        self.groups.iter_mut().for_each(|group| group.members.clear());
        for (member, place) in self.members.iter().zip(0..) {
            let Sphere { centre, radius } = member.bounds;
            let grouped = GroupedMember { x: centre.x, y: centre.y, radius, place };
            match self.groups.iter_mut().find(|group| group.kind == member.kind) {
                Some(group) => group.members.push(grouped),
                None => {
                    self.groups.push(KindGroup { kind: member.kind, members: vec![grouped] });
                }
            }
        }
        self.is_grouped = true;
    }

    /// Appends the places of all members with a kind that passes `matters` and bounds that overlap
    /// an upright cylinder around a sphere, in order. Conservative: a few more may be among them.
    ///
    /// Cost: all members, or in a grouped list those of the kinds.
    pub(crate) fn places_near(
        &self,
        around: &Sphere,
        matters: impl Fn(ObjectKind) -> bool,
        places: &mut Vec<u32>,
    ) {
        // Twice, as rounding may bridge the first.
        let (centre, reach) = (around.centre, around.radius + 2.0 * NEAR_MARGIN);
        let is_near = |x: f32, y: f32, radius: f32| {
            !is_beyond(Vec2::new(x - centre.x, y - centre.y), reach + radius)
        };
        if !self.is_grouped {
            let near = self.members.iter().zip(0..).filter(|(member, _)| {
                let Sphere { centre, radius } = member.bounds;
                matters(member.kind) && is_near(centre.x, centre.y, radius)
            });
            return places.extend(near.map(|(_, place)| place));
        }
        let start = places.len();
        for group in self.groups.iter().filter(|group| matters(group.kind)) {
            let members = group.members.iter();
            let near = members.filter(|member| is_near(member.x, member.y, member.radius));
            places.extend(near.map(|member| member.place));
        }
        places[start..].sort_unstable();
    }
}
