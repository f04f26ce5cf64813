//! Records of the objects a body touches, so that each contact is reported once.

use smallvec::SmallVec;
use threshold_world::ObjectId;

/// Seconds after the last contact with a solid object until the contact has ended.
const SOLID_LIFETIME: f64 = 1.0;

/// Objects that a [`Body`](crate::Body) touches; each is reported once. Retail: `collision_table`.
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
    /// Returns the objects, in the order of first contact.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.0.iter().map(|record| record.object)
    }

    /// Returns each object with the time of its last contact and whether it is ethereal.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (ObjectId, f64, bool)> {
        self.0.iter().map(|record| (record.object, record.at, record.ethereal))
    }

    /// Records contact with an object. Returns whether the contact is new. Retail:
    /// `track_object_collision`.
    pub(crate) fn record(&mut self, object: ObjectId, now: f64, ethereal: bool) -> bool {
        let known = self.0.iter_mut().find(|record| record.object == object);
        match known {
            Some(record) => *record = CollisionRecord { object, at: now, ethereal },
            None => {
                self.0.push(CollisionRecord { object, at: now, ethereal });
                return true;
            }
        }
        false
    }

    /// Removes objects that are no longer touched. Retail: `report_collision_end`.
    pub(super) fn end(&mut self, now: f64, mut parted: impl FnMut(ObjectId)) {
        self.0.retain(|record| {
            let age = now - record.at;
            let continues = age <= if record.ethereal { 0.0 } else { SOLID_LIFETIME };
            if !continues {
                parted(record.object);
            }
            continues
        });
    }

    /// Removes all objects.
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
    fn a_contact_is_new_again_after_it_has_ended() {
        let [solid, ghost] = [1, 2].map(|number| ObjectId::body(BodyId(number)));
        let mut collisions = CollisionRecords::default();
        assert!(collisions.record(solid, 0.0, false) && collisions.record(ghost, 0.0, true));
        assert!(parted(&mut collisions, 0.0).is_empty());
        assert!(!collisions.record(solid, 0.1, false) && !collisions.record(ghost, 0.1, true));
        assert_eq!(
            parted(&mut collisions, 0.2),
            [ghost],
            "contact with an ethereal object ends at once"
        );
        assert!(parted(&mut collisions, 1.1).is_empty());
        assert_eq!(parted(&mut collisions, 1.11), [solid]);
        assert!(collisions.record(solid, 2.0, false));
        let mut all = Vec::new();
        collisions.end_all(|object| all.push(object));
        assert_eq!(all, [solid]);
        assert!(parted(&mut collisions, 9.0).is_empty());
    }
}
