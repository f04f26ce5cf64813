//! Loads the land and rooms around places, and answers questions about them on all cores.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;
use threshold_dat::Source;
use threshold_forge::MOVER;
use threshold_land::BlockId;
use threshold_map::Pieces;
use threshold_motion::{Mover, MoverShape};
use threshold_world::{Builder, PieceId};

use super::Column;
use super::answer::{Answerer, Scratch, TerrainNames};
use super::row::{BadRow, Question};
use crate::faults::print_faults;

/// Number of pieces above which loading starts anew. More take memory; fewer are loaded again and again if the places
/// jump about.
const MAX_PIECES: usize = 30_000;

/// A question with its answers, or a row that has none.
pub(super) type Answered = Result<(Question, Vec<Value>), BadRow>;

/// The loaded part of the world, and what could not be loaded.
pub(super) struct AskRun {
    source: Arc<dyn Source>,
    pieces: Pieces,
    /// Landblocks that were loaded, those that do not exist included.
    loaded: BTreeSet<BlockId>,
    max_pieces: usize,
    mover: Option<Mover>,
    terrain: TerrainNames,
    /// Number of faults of pieces that were loaded before.
    faults: usize,
}

impl AskRun {
    pub(super) fn new(source: Arc<dyn Source>, columns: &[Column]) -> Self {
        let mut pieces = Pieces::shared(Arc::clone(&source));
        let terrain = TerrainNames::of(pieces.region());
        let mut mover = None;
        if columns.iter().any(|column| matches!(column, Column::Standing | Column::StandingAt)) {
            match Builder::shared(Arc::clone(&source)).setup(MOVER) {
                Ok(setup) => mover = Some(Mover::new(MoverShape::from_setup(&setup, 1.0))),
                Err(problem) => {
                    pieces.add_fault(format!("standing needs setup {MOVER}: {problem}"));
                }
            }
        }
        let (loaded, max_pieces) = (BTreeSet::new(), MAX_PIECES);
        Self { source, pieces, loaded, max_pieces, mover, terrain, faults: 0 }
    }

    /// Answers questions in their order.
    pub(super) fn answer(
        &mut self,
        mut questions: Vec<Result<Question, BadRow>>,
        columns: &[Column],
    ) -> Vec<Answered> {
        let mut answered = Vec::with_capacity(questions.len());
        while !questions.is_empty() {
            let count = self.load_for(&questions);
            let answerer = Answerer::new(&self.pieces.world, self.mover.as_ref(), &self.terrain);
            let answers =
                questions.par_drain(..count).map_init(Scratch::default, |scratch, row| {
                    let question = row?;
                    match answerer.answers(scratch, &question, columns) {
                        Ok(answers) => Ok((question, answers)),
                        Err(reason) => Err(question.into_bad(reason)),
                    }
                });
            answered.extend(answers.collect::<Vec<_>>());
        }
        answered
    }

    /// Loads what the first questions are about, at least one; returns their number.
    fn load_for(&mut self, questions: &[Result<Question, BadRow>]) -> usize {
        self.start_anew_if_full();
        for (question, before) in questions.iter().zip(0..) {
            if before > 0 && self.is_full() {
                return before;
            }
            let Ok(Question { place, target, .. }) = question else { continue };
            for place in [Some(place), target.as_ref()].into_iter().flatten() {
                self.load_around(place.block());
                if let Some(at) = place.position().and_then(|at| at.normalised()) {
                    self.load_around(at.cell.block());
                }
            }
        }
        questions.len()
    }

    fn is_full(&self) -> bool {
        self.pieces.world.piece_count() > self.max_pieces
    }

    fn start_anew_if_full(&mut self) {
        if self.is_full() {
            print_faults(&self.pieces);
            self.faults += self.pieces.faults.len();
            self.pieces = Pieces::shared(Arc::clone(&self.source));
            self.loaded.clear();
        }
    }

    /// Loads a landblock with its rooms, and the land and rooms beside it, which reach into it.
    fn load_around(&mut self, block: BlockId) {
        let near = |middle: u8| middle.saturating_sub(1)..=middle.saturating_add(1).min(0xFE);
        for block in near(block.x()).flat_map(|x| near(block.y()).map(move |y| BlockId::new(x, y)))
        {
            if !self.loaded.insert(block) {
                continue;
            }
            self.pieces.load(PieceId::Land(block));
            for room in self.pieces.rooms_of(block) {
                self.pieces.load(PieceId::Room(room));
            }
        }
    }

    /// Prints what had to be left out; returns whether there was nothing.
    pub(super) fn is_complete(&self) -> bool {
        print_faults(&self.pieces);
        self.faults == 0 && self.pieces.faults.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use threshold_forge::SEED;
    use threshold_play::PlaceNames;

    use super::super::row::RowReader;
    use super::*;
    use crate::world::built_in;

    fn answers(max_pieces: usize) -> Vec<Result<(String, Vec<Value>), String>> {
        let columns = [Column::Cell, Column::Ground, Column::Standing, Column::Sight];
        let mut run = AskRun::new(Arc::new(built_in(SEED).unwrap()), &columns);
        run.max_pieces = max_pieces;
        // One after the other in opposite corners of the map, with bad rows between them.
        let text = "A6B2\tA6B3\nACB4\tA9B4\nnowhere\ntaproom\tinn door\nA6B2\nnowhere\nACB4\n";
        let rows = RowReader::new(text.as_bytes()).batch(100).unwrap();
        let names = PlaceNames::of_builtin(SEED);
        let questions = rows.into_iter().map(|row| Question::read(row, &names)).collect();
        let answered = run.answer(questions, &columns).into_iter();
        answered
            .map(|row| match row {
                Ok((question, answers)) => Ok((question.text, answers)),
                Err(bad) => Err(bad.reason),
            })
            .collect()
    }

    #[test]
    fn what_is_kept_loaded_changes_no_answer_and_not_the_order() {
        let all = answers(MAX_PIECES);
        assert_eq!(
            all.iter().map(Result::is_ok).collect::<Vec<_>>(),
            [true, true, false, true, true, false, true]
        );
        for max_pieces in [0, 1, 100] {
            assert_eq!(answers(max_pieces), all, "{max_pieces}");
        }
    }
}
