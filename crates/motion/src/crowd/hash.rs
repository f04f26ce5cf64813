//! Hash of the state of bodies.

use std::fmt;

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_world::{Object, ObjectId};

use crate::body::Body;
use crate::gait::{Gait, Pace};
use crate::mover::{Stance, Stationary};

/// Hash of a state: the same state gives the same hash on every machine and compiler version.
/// FNV-1a of 64 bits, over words of 32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub u64);

const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01B3;

impl Default for StateHash {
    /// The hash before anything is added.
    fn default() -> Self {
        Self(OFFSET)
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl StateHash {
    /// Adds a body, and its object if it is in the world.
    pub fn body(&mut self, body: &Body, object: Option<&Object>) {
        // Destructured, so that a new field is not forgotten.
        let Body {
            id,
            velocity,
            spin,
            stance,
            gait,
            target,
            elasticity,
            friction,
            actual_velocity,
            colliding_with_environment,
            awake,
            becoming_solid,
            clock,
            collisions,
        } = body;
        self.word(id.0);
        [velocity, spin, actual_velocity].into_iter().for_each(|v| self.vector(*v));
        self.stance(stance);
        self.flag(gait.is_some());
        gait.iter().for_each(|gait| self.gait(gait));
        self.flag(target.is_some());
        target.iter().for_each(|target| self.object_id(*target));
        [elasticity, friction].into_iter().for_each(|part| self.float(*part));
        [colliding_with_environment, awake, becoming_solid]
            .into_iter()
            .for_each(|set| self.flag(*set));
        self.long(clock.to_bits());
        self.count(collisions.iter().len());
        for (object, at, ethereal) in collisions.iter() {
            self.object_id(object);
            self.long(at.to_bits());
            self.flag(ethereal);
        }
        self.flag(object.is_some());
        object.iter().for_each(|object| self.object(object));
    }

    fn object(&mut self, object: &Object) {
        self.position(object.position());
        self.word(object.state().0);
        self.flag(object.is_lost());
        self.count(object.cells().len());
        for registered in object.cells() {
            self.cell(registered.cell);
            self.flag(registered.resident);
        }
    }

    fn position(&mut self, Position { cell, frame }: &Position) {
        self.cell(*cell);
        self.vector(frame.origin);
        frame.rotation.to_array().into_iter().for_each(|part| self.float(part));
    }

    fn stance(&mut self, stance: &Stance) {
        let Stance {
            contact,
            on_walkable,
            plane: Plane { normal, d },
            plane_cell,
            water,
            sliding,
            sliding_normal,
            stationary: Stationary { fall, stop, stuck },
        } = *stance;
        for set in [contact, on_walkable, water, sliding, fall, stop, stuck] {
            self.flag(set);
        }
        self.vector(normal);
        self.float(d);
        self.cell(plane_cell);
        self.vector(sliding_normal);
    }

    fn gait(&mut self, gait: &Gait) {
        let Gait { pace, forward, sideways, turn, run_rate } = *gait;
        self.flag(pace == Pace::Run);
        [forward, sideways, turn, run_rate].into_iter().for_each(|part| self.float(part));
    }

    fn object_id(&mut self, id: ObjectId) {
        self.long(id.to_bits());
    }

    fn cell(&mut self, cell: CellId) {
        self.word(cell.0);
    }

    fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|part| self.float(part));
    }

    fn float(&mut self, v: f32) {
        self.word(v.to_bits());
    }

    fn count(&mut self, count: usize) {
        self.long(count as u64);
    }

    fn flag(&mut self, set: bool) {
        self.word(u32::from(set));
    }

    fn long(&mut self, long: u64) {
        self.step(long & 0xFFFF_FFFF);
        self.step(long >> 32);
    }

    /// Adds a number.
    pub fn word(&mut self, word: u32) {
        self.step(u64::from(word));
    }

    fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(PRIME);
    }
}
