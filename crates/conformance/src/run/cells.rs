//! Cell searches. Retail: `CObjCell::find_cell_list`.

use threshold_land::{Position, Sphere};
use threshold_world::CellSearch;

use super::Runner;
use crate::record::Step;
use crate::scenario::{CellsJob, Query};

/// Returns the cells that each sphere touches, and the one that contains its centre.
pub(super) fn cells(runner: &mut Runner, job: &CellsJob) -> Vec<Step> {
    job.queries.iter().map(|query| search(runner, query)).collect()
}

fn search(runner: &mut Runner, query: &Query) -> Step {
    let position = Position::new(query.cell, query.pos);
    let sphere = Sphere::new(query.pos, query.radius);
    let found = CellSearch::new(&runner.world).spheres(&position, &[sphere], &mut runner.array);
    let cells: Vec<_> = runner.array.ids().collect();
    Step { ok: true.into(), cell: found.cell.into(), cells: cells.into(), ..Step::default() }
}
