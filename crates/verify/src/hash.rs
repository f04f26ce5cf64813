//! Hashes of results.

use std::fmt;

use sha2::{Digest, Sha256};
use threshold_conformance::Step;
use threshold_conformance::record::Field;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position, Rotation};
use threshold_motion::{Outcome, Stance, Stationary};

/// SHA-256 of results. It prints as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResultHash(pub [u8; 32]);

impl fmt::Display for ResultHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ResultHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for ResultHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.as_bytes();
        let mut bytes = [0; 32];
        // A sign would be read as part of a number.
        let is_hash = digits.len() == 2 * bytes.len() && digits.iter().all(u8::is_ascii_hexdigit);
        if !is_hash {
            return Err(());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| ())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| ())?;
        }
        Ok(Self(bytes))
    }
}

/// Hashes results. Numbers are hashed as bits in little-endian order, counts as 64 bits: a `usize`
/// is shorter on some targets.
#[derive(Debug, Default)]
pub(crate) struct ResultHasher {
    sha: Sha256,
    /// Number of floats that are NaN. Their bits differ between processors, so results must not
    /// hold any.
    nan_count: u64,
}

impl ResultHasher {
    pub(crate) fn finish(self) -> ResultHash {
        ResultHash(self.sha.finalize().into())
    }

    #[cfg(test)]
    pub(crate) fn nan_count(&self) -> u64 {
        self.nan_count
    }

    /// Adds bytes with their number, so that two lists never run into each other.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.sha.update(bytes);
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.sha.update(word.to_le_bytes());
    }

    pub(crate) fn long(&mut self, long: u64) {
        self.sha.update(long.to_le_bytes());
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.long(count as u64);
    }

    pub(crate) fn flag(&mut self, set: bool) {
        self.word(u32::from(set));
    }

    pub(crate) fn float(&mut self, number: f32) {
        self.nan_count += u64::from(number.is_nan());
        self.word(number.to_bits());
    }

    pub(crate) fn floats(&mut self, numbers: impl IntoIterator<Item = f32>) {
        numbers.into_iter().for_each(|number| self.float(number));
    }

    pub(crate) fn doubles(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for number in numbers {
            self.nan_count += u64::from(number.is_nan());
            self.long(number.to_bits());
        }
    }

    pub(crate) fn cell(&mut self, cell: CellId) {
        self.word(cell.0);
    }

    fn position(&mut self, position: &Position) {
        let Rotation { w, x, y, z } = position.frame.rotation;
        self.cell(position.cell);
        self.floats(position.frame.origin.to_array());
        self.floats([w, x, y, z]);
    }

    /// Adds a value that may be missing.
    pub(crate) fn option<T>(&mut self, value: Option<T>, add: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            add(self, value);
        }
    }

    /// Adds a sweep or a placement.
    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        self.option(outcome.refused, |hash, refusal| hash.bytes(refusal.to_string().as_bytes()));
        self.position(&outcome.position);
        self.option(outcome.cell, Self::cell);
        self.stance(&outcome.stance);
        self.option(outcome.hit, |hash, normal: Vec3| hash.floats(normal.to_array()));
        for set in [outcome.hit_environment, outcome.velocity_stopped, outcome.held_at_edge] {
            self.flag(set);
        }
        self.word(outcome.stationary_fall.into());
        self.word(outcome.sub_steps);
        self.count(outcome.objects.len());
        for touched in &outcome.objects {
            self.long(touched.object.to_bits());
            self.flag(touched.blocking);
        }
        self.count(outcome.cells.len());
        for listed in &outcome.cells {
            self.cell(listed.cell);
            self.flag(listed.resident);
        }
        self.count(outcome.missed.len());
        outcome.missed.iter().for_each(|cell| self.cell(*cell));
    }

    fn stance(&mut self, stance: &Stance) {
        // Destructured, so that a new field is not forgotten.
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
        self.floats(normal.to_array());
        self.float(d);
        self.cell(plane_cell);
        self.floats(sliding_normal.to_array());
    }

    /// Adds a step of a recorded result.
    pub(crate) fn step(&mut self, step: &Step) {
        let Step {
            ok,
            cell,
            pos,
            contact,
            walkable,
            plane,
            plane_cell,
            slide,
            hit,
            env,
            vel,
            cells,
            lcoord,
        } = step;
        for set in [ok, contact, walkable, env] {
            self.field(set, |hash, set| hash.flag(*set));
        }
        for id in [cell, plane_cell] {
            self.field(id, |hash, id| hash.cell(*id));
        }
        for vector in [pos, slide, hit, vel] {
            self.field(vector, |hash, vector| hash.doubles(*vector));
        }
        self.field(plane, |hash, plane| hash.doubles(*plane));
        self.field(cells, |hash, cells| {
            hash.count(cells.len());
            cells.iter().for_each(|cell| hash.cell(*cell));
        });
        self.field(lcoord, |hash, lcoord| {
            lcoord.iter().for_each(|part| hash.word(part.cast_unsigned()));
        });
    }

    fn field<T>(&mut self, field: &Field<T>, add: impl FnOnce(&mut Self, &T)) {
        match field {
            Field::Absent => self.word(0),
            Field::Null => self.word(1),
            Field::Value(value) => {
                self.word(2);
                add(self, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(add: impl FnOnce(&mut ResultHasher)) -> String {
        let mut hasher = ResultHasher::default();
        add(&mut hasher);
        hasher.finish().to_string()
    }

    #[test]
    fn the_hash_of_nothing_is_that_of_the_standard() {
        let want = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hashed(|_| ()), want);
    }

    #[test]
    fn a_count_takes_eight_bytes_on_every_target() {
        assert_eq!(hashed(|hash| hash.count(3)), hashed(|hash| hash.long(3)));
    }

    #[test]
    fn zero_and_minus_zero_differ() {
        assert_ne!(hashed(|hash| hash.float(0.0)), hashed(|hash| hash.float(-0.0)));
    }

    #[test]
    fn a_hash_is_read_as_it_is_printed() {
        let hash = ResultHasher::default().finish();
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!("e3b0".parse::<ResultHash>(), Err(()));
        assert_eq!("\u{e4}".repeat(32).parse::<ResultHash>(), Err(()));
        assert_eq!("+f".repeat(32).parse::<ResultHash>(), Err(()));
    }
}
