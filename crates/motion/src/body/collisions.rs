//! Whom a body is running into, so that it is told once.

use smallvec::SmallVec;
use threshold_world::ObjectId;

/// For how long it is not told again, in seconds.
const SOLID_LIFETIME: f64 = 1.0;

/// The objects that a [`Body`](crate::Body) touches, so that it is told of each once. Retail: `collision_table`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionRecords(SmallVec<[CollisionRecord; 4]>);

/// Retail: `CollisionRecord`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CollisionRecord {
    object: ObjectId,
    at: f64,
    ethereal: bool,
}

impl CollisionRecords {
    /// The objects, in the order in which they were met.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.0.iter().map(|met| met.object)
    }

    /// The objects, when each was touched last, and whether it lets others pass.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (ObjectId, f64, bool)> {
        self.0.iter().map(|met| (met.object, met.at, met.ethereal))
    }

    /// Notes that an object is touched; whether that is new. Retail: `track_object_collision`.
    pub(crate) fn note(&mut self, object: ObjectId, now: f64, ethereal: bool) -> bool {
        let met = self.0.iter_mut().find(|met| met.object == object);
        match met {
            Some(met) => *met = CollisionRecord { object, at: now, ethereal },
            None => {
                self.0.push(CollisionRecord { object, at: now, ethereal });
                return true;
            }
        }
        false
    }

    /// Forgets what is no longer touched. Retail: `report_collision_end`.
    pub(super) fn end(&mut self, now: f64, mut parted: impl FnMut(ObjectId)) {
        self.0.retain(|met| {
            let age = now - met.at;
            let lasts = age <= if met.ethereal { 0.0 } else { SOLID_LIFETIME };
            if !lasts {
                parted(met.object);
            }
            lasts
        });
    }

    /// Forgets all of it.
    pub(super) fn end_all(&mut self, parted: impl FnMut(ObjectId)) {
        self.objects().for_each(parted);
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use threshold_world::BodyId;

    use super::*;

    fn parted(collisions: &mut CollisionRecords, now: f64) -> Vec<ObjectId> {
        let mut list = Vec::new();
        collisions.end(now, |object| list.push(object));
        list
    }

    #[test]
    fn a_meeting_is_new_until_it_has_ended() {
        let [solid, ghost] = [1, 2].map(|number| ObjectId::body(BodyId(number)));
        let mut collisions = CollisionRecords::default();
        assert!(collisions.note(solid, 0.0, false) && collisions.note(ghost, 0.0, true));
        assert!(parted(&mut collisions, 0.0).is_empty());
        assert!(!collisions.note(solid, 0.1, false) && !collisions.note(ghost, 0.1, true));
        assert_eq!(parted(&mut collisions, 0.2), [ghost], "what is passed through ends at once");
        assert!(parted(&mut collisions, 1.1).is_empty());
        assert_eq!(parted(&mut collisions, 1.11), [solid]);
        assert!(collisions.note(solid, 2.0, false));
        let mut all = Vec::new();
        collisions.end_all(|object| all.push(object));
        assert_eq!(all, [solid]);
        assert!(parted(&mut collisions, 9.0).is_empty());
    }
}
