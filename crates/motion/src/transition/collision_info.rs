//! Collision state of a sweep.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, vector};
use threshold_world::ObjectId;

use crate::mover::Mover;
use crate::outcome::{TouchedObject, TouchedObjects};

/// A contact plane and whether it is valid. Retail reads the plane even where the flag is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactPlane {
    pub(crate) valid: bool,
    pub(crate) plane: Plane,
    /// Cell whose landblock frame the plane is in; 0 for none.
    pub(crate) cell: CellId,
    pub(crate) water: bool,
}

/// A normal and whether it is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HitNormal {
    pub(crate) valid: bool,
    pub(crate) normal: Vec3,
}

/// Collision state of a sweep. Retail: `COLLISIONINFO`.
#[derive(Clone, Debug)]
pub(crate) struct CollisionInfo {
    /// Retail: `contact_plane`.
    pub(crate) plane: ContactPlane,
    /// Retail: `last_known_contact_plane`.
    pub(crate) last_plane: ContactPlane,
    /// Retail: `sliding_normal`.
    pub(crate) sliding: HitNormal,
    /// Retail: `collision_normal`.
    pub(crate) hit: HitNormal,
    /// Retail: `collided_with_environment`.
    pub(crate) hit_environment: bool,
    /// Retail: `frames_stationary_fall`.
    pub(crate) stationary: u8,
    /// Retail: `collide_object`.
    pub(crate) objects: TouchedObjects,
    pub(crate) velocity_stopped: bool,
}

impl ContactPlane {
    /// No plane.
    const NONE: Self = Self {
        valid: false,
        plane: Plane { normal: Vec3::ZERO, d: 0.0 },
        cell: CellId(0),
        water: false,
    };

    /// Marks the plane invalid; plane and cell stay. Retail: "clear CP".
    pub(crate) fn clear(&mut self) {
        self.valid = false;
        self.water = false;
    }
}

impl HitNormal {
    /// Sets the normalised vector. A zero vector is stored as zero, and is valid.
    pub(crate) fn set(&mut self, v: Vec3) {
        *self = Self { valid: true, normal: vector::normalise(v).unwrap_or(Vec3::ZERO) };
    }

    /// Sets the normalised horizontal part.
    pub(crate) fn set_horizontal(&mut self, v: Vec3) {
        self.set(Vec3::new(v.x, v.y, 0.0));
    }
}

impl CollisionInfo {
    /// No collisions. Retail: a fresh `COLLISIONINFO`.
    pub(crate) fn none() -> Self {
        Self {
            plane: ContactPlane::NONE,
            last_plane: ContactPlane::NONE,
            sliding: HitNormal::default(),
            hit: HitNormal::default(),
            hit_environment: false,
            stationary: 0,
            objects: TouchedObjects::new(),
            velocity_stopped: false,
        }
    }

    /// The state that a sweep starts with. Retail: the planes of `CPhysicsObj::get_object_info`.
    pub(crate) fn new(mover: &Mover) -> Self {
        let stance = &mover.stance;
        let contact_plane = ContactPlane {
            valid: true,
            plane: stance.plane,
            cell: stance.plane_cell,
            water: stance.water,
        };
        let (mut plane, mut last_plane) = (ContactPlane::NONE, ContactPlane::NONE);
        if mover.has_contact() {
            (plane, last_plane) = (contact_plane, contact_plane);
        } else if stance.contact {
            // Retail oddity: the cell goes to the current plane; that of the last plane stays 0
            // (D7).
            last_plane = ContactPlane { cell: CellId(0), ..contact_plane };
            plane.cell = contact_plane.cell;
        }
        let mut sliding = HitNormal::default();
        if stance.sliding {
            sliding.set(stance.sliding_normal);
        }
        Self { plane, last_plane, sliding, stationary: stance.stationary.count(), ..Self::none() }
    }

    /// Retail: `set_contact_plane` and the cell that every caller writes next.
    pub(crate) fn set_contact_plane(&mut self, plane: Plane, cell: CellId, water: bool) {
        self.plane = ContactPlane { valid: true, plane, cell, water };
    }

    /// Returns the normal of the contact plane.
    pub(crate) fn contact_normal(&self) -> Option<Vec3> {
        self.plane.valid.then_some(self.plane.plane.normal)
    }

    /// Returns the normal of the surface that was hit.
    pub(crate) fn hit_normal(&self) -> Option<Vec3> {
        self.hit.valid.then_some(self.hit.normal)
    }

    /// Returns the normal of the contact plane or, without one, of the last known plane, valid or
    /// not.
    pub(crate) fn ground_normal(&self) -> Vec3 {
        if self.plane.valid { self.plane.plane.normal } else { self.last_plane.plane.normal }
    }

    /// Forgets all collisions; planes and normals keep their values. Retail: `COLLISIONINFO::init`
    /// (D3).
    pub(crate) fn reset(&mut self) {
        self.plane.valid = false;
        self.plane.cell = CellId(0);
        self.last_plane.valid = false;
        self.sliding.valid = false;
        self.hit.valid = false;
        self.hit_environment = false;
        self.stationary = 0;
        self.objects.clear();
    }

    /// Adds an object unless it is listed already. Retail: `COLLISIONINFO::add_object`.
    pub(crate) fn add_object(&mut self, object: ObjectId, blocking: bool) {
        if !self.objects.iter().any(|touched| touched.object == object) {
            self.objects.push(TouchedObject { object, blocking });
        }
    }
}
