//! What a mover has met so far.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, vector};
use threshold_world::ObjectId;

use crate::mover::Mover;
use crate::outcome::{TouchedObject, TouchedObjects};

/// Ground under a mover: a value and whether it holds. The value is read where the flag is off, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactPlane {
    pub(crate) valid: bool,
    pub(crate) plane: Plane,
    /// The plane is in the frame of its landblock; 0 for nowhere.
    pub(crate) cell: CellId,
    pub(crate) water: bool,
}

/// A direction and whether it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HitNormal {
    pub(crate) valid: bool,
    pub(crate) normal: Vec3,
}

/// What a mover has met. Retail: `COLLISIONINFO`.
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
    /// None was ever known.
    const NONE: Self = Self {
        valid: false,
        plane: Plane { normal: Vec3::ZERO, d: 0.0 },
        cell: CellId(0),
        water: false,
    };

    /// It no longer holds; plane and cell stay. Retail: "clear CP".
    pub(crate) fn clear(&mut self) {
        self.valid = false;
        self.water = false;
    }
}

impl HitNormal {
    /// Holds from now on, at unit length; what has no direction is zero, and holds.
    pub(crate) fn set(&mut self, v: Vec3) {
        *self = Self { valid: true, normal: vector::normalise(v).unwrap_or(Vec3::ZERO) };
    }

    /// The same for the level part.
    pub(crate) fn set_horizontal(&mut self, v: Vec3) {
        self.set(Vec3::new(v.x, v.y, 0.0));
    }
}

impl CollisionInfo {
    /// Nothing. Retail: a fresh `COLLISIONINFO`.
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

    /// What a mover brings along. Retail: the planes of `CPhysicsObj::get_object_info`.
    pub(crate) fn new(mover: &Mover) -> Self {
        let stance = &mover.stance;
        let ground = ContactPlane {
            valid: true,
            plane: stance.plane,
            cell: stance.plane_cell,
            water: stance.water,
        };
        let (mut floor, mut last) = (ContactPlane::NONE, ContactPlane::NONE);
        if mover.has_contact() {
            (floor, last) = (ground, ground);
        } else if stance.contact {
            // Retail oddity: the cell goes to the current ground, that of the last stays 0 (D7).
            last = ContactPlane { cell: CellId(0), ..ground };
            floor.cell = ground.cell;
        }
        let mut sliding = HitNormal::default();
        if stance.sliding {
            sliding.set(stance.sliding_normal);
        }
        Self {
            plane: floor,
            last_plane: last,
            sliding,
            stationary: stance.stationary.count(),
            ..Self::none()
        }
    }

    /// Retail: `set_contact_plane` and the cell that every caller writes next.
    pub(crate) fn set_contact_plane(&mut self, plane: Plane, cell: CellId, water: bool) {
        self.plane = ContactPlane { valid: true, plane, cell, water };
    }

    /// The normal of the ground.
    pub(crate) fn contact_normal(&self) -> Option<Vec3> {
        self.plane.valid.then_some(self.plane.plane.normal)
    }

    /// The normal of what was run into.
    pub(crate) fn hit_normal(&self) -> Option<Vec3> {
        self.hit.valid.then_some(self.hit.normal)
    }

    /// The normal of the ground, or of the last that was known, whether it holds or not.
    pub(crate) fn ground_normal(&self) -> Vec3 {
        if self.plane.valid { self.plane.plane.normal } else { self.last_plane.plane.normal }
    }

    /// Nothing has been met; planes and normals stay, as values. Retail: `COLLISIONINFO::init` (D3).
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

    /// Notes an object once. Retail: `COLLISIONINFO::add_object`.
    pub(crate) fn add_object(&mut self, object: ObjectId, blocking: bool) {
        if !self.objects.iter().any(|touched| touched.object == object) {
            self.objects.push(TouchedObject { object, blocking });
        }
    }
}
