//! The record of patches.

use serde::Serialize;

use super::{Record, RecordId, RecordKind};
use crate::error::{ByteOffset, DatError, EncodeError};
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// The id of the record of patches in every file.
pub const ITERATIONS_ID: RecordId = RecordId(0xFFFF_0001);

/// Greatest number of patches of a file.
const MAX_COUNT: u32 = 100_000;

/// The patches of a file, as runs of numbers. The client refuses a file without it.
///
/// Retail: `CMostlyConsecutiveIntSet`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Iterations {
    /// Runs with gaps between them, in file order.
    pub runs: Vec<IterationRun>,
}

/// A run of consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IterationRun {
    /// The first number.
    pub first: u32,
    /// The length, at least 1.
    pub count: u32,
}

impl Iterations {
    /// All patches from 1 to `last`, as in every retail file.
    pub fn up_to(last: u32) -> Self {
        Self { runs: if last == 0 { vec![] } else { vec![IterationRun { first: 1, count: last }] } }
    }

    /// Returns the number of patches.
    pub fn count(&self) -> u32 {
        self.runs.iter().fold(0, |sum, run| sum.saturating_add(run.count))
    }

    /// Appends a run, joined to the last one if they touch.
    fn push(&mut self, run: IterationRun) {
        match self.runs.last_mut() {
            Some(last) if last.first.checked_add(last.count) == Some(run.first) => {
                last.count = last.count.saturating_add(run.count);
            }
            _ => self.runs.push(run),
        }
    }
}

/// Bit 31 marks a run, so in a single number bit 30 stands for it.
fn restored(single: u32) -> u32 {
    single | (single & 0x4000_0000) << 1
}

impl Record for Iterations {
    const KIND: RecordKind = RecordKind::Iterations;

    fn read(_id: RecordId, reader: &mut Reader<'_>) -> Result<Self> {
        let total = reader.u32()?;
        if total > MAX_COUNT {
            return Err(DatError::value("patches", "0 to 100000", total).at(ByteOffset::Record(0)));
        }
        let mut out = Self::default();
        let mut covered = 0;
        while covered < total {
            let at = reader.at() as u64;
            let item = reader.i32()?;
            let run = match u32::try_from(item) {
                Ok(single) => IterationRun { first: restored(single), count: 1 },
                Err(_) => IterationRun { first: reader.u32()?, count: item.unsigned_abs() },
            };
            covered += run.count.min(MAX_COUNT + 1);
            if covered > total {
                let expected = format!("{total} in all");
                return Err(
                    DatError::value("patches", expected, covered).at(ByteOffset::Record(at))
                );
            }
            if run.first.checked_add(run.count - 1).is_none() {
                let expected = "a run that ends below 2^32";
                return Err(
                    DatError::value("patches", expected, run.first).at(ByteOffset::Record(at))
                );
            }
            out.push(run);
        }
        Ok(out)
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        let total = self.count();
        if total > MAX_COUNT {
            let (what, found, max) = ("patches", total as usize, MAX_COUNT as usize);
            return Err(EncodeError::TooMany { what, found, max });
        }
        writer.u32(total);
        for run in self.runs.iter().filter(|run| run.count > 0) {
            let numbers = run.first..=run.first.saturating_add(run.count.saturating_sub(1));
            let single = |number: u32| number & 0x7FFF_FFFF;
            if run.count < 3 && numbers.clone().all(|number| restored(single(number)) == number) {
                numbers.for_each(|number| writer.u32(single(number)));
            } else {
                writer.u32(run.count.wrapping_neg());
                writer.u32(run.first);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::test_hex;

    #[test]
    fn golden_iterations_of_retail_and_of_the_sample() {
        test_hex(&Iterations::up_to(982), 0xFFFF_0001, "D6030000 2AFCFFFF 01000000");
        test_hex(&Iterations::up_to(3), 0xFFFF_0001, "03000000 FDFFFFFF 01000000");
    }

    #[test]
    fn short_runs_are_single_numbers_and_join_on_reading() {
        test_hex(&Iterations::up_to(2), 0xFFFF_0001, "02000000 01000000 02000000");
        let holes = Iterations {
            runs: vec![IterationRun { first: 1, count: 3 }, IterationRun { first: 9, count: 1 }],
        };
        test_hex(&holes, 0xFFFF_0001, "04000000 FDFFFFFF 01000000 09000000");
    }

    #[test]
    fn a_number_with_bit_31_is_written_as_a_run_of_one() {
        let odd = Iterations { runs: vec![IterationRun { first: 0x8000_0001, count: 1 }] };
        test_hex(&odd, 0xFFFF_0001, "01000000 FFFFFFFF 01000080");
        let high = Iterations { runs: vec![IterationRun { first: 0xC000_0001, count: 1 }] };
        test_hex(&high, 0xFFFF_0001, "01000000 01000040");
    }

    #[test]
    fn a_run_that_wraps_round_is_refused() {
        let bytes = [2, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
        assert!(Iterations::decode(ITERATIONS_ID, &bytes).is_err());
    }

    #[test]
    fn a_run_beyond_the_total_is_refused() {
        let bytes = [3, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0];
        assert!(Iterations::decode(ITERATIONS_ID, &bytes).is_err());
        let bytes = [1, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 0, 0];
        assert!(Iterations::decode(ITERATIONS_ID, &bytes).is_err());
    }
}
