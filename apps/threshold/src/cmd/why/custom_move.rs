//! A move between two points given on the command line.

use anyhow::{Context, bail};
use threshold_conformance::Runner;
use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, CellKind, Frame, Place, Position};
use threshold_motion::{Mover, MoverShape, Rules, Search, Stance, Sweeper};
use threshold_why::{self as why, words};
use threshold_world::{PieceId, State, World};

use super::report::Report;
use super::{MoveEnd, Why};
use crate::world::is_near;

impl Why {
    /// Sweeps from `--from` to `--to` and explains the move.
    pub(super) fn explain_custom_move(&self, rules: Rules) -> anyhow::Result<Report> {
        let text = self.from.as_deref().unwrap_or_default();
        let place = self.world.find_place(text)?;
        let end = match &self.to {
            Some(MoveEnd::Place(text)) => Some(self.world.find_place(text)?),
            _ => None,
        };
        if self.relative && end.is_some() {
            bail!("--relative: --to is a place, not an offset; write x,y,z");
        }
        // Objects of other landblocks than the neighbours are out of reach.
        let blocks: Vec<BlockId> =
            [Some(place), end].into_iter().flatten().flat_map(|place| blocks_of(&place)).collect();
        let is_wanted = |piece: &PieceId| blocks.iter().any(|at| is_near(*at, piece.block()));
        let runner = self.world.load(rules, is_wanted)?;
        let setup = RecordId(self.setup);
        let shape = MoverShape::from_setup(&*runner.setup(setup)?, 1.0);
        let mut mover = Mover { state: State(self.state), ..Mover::new(shape) };
        let at = position_of(&place, &runner)?;
        let sweeper = Sweeper { world: runner.world(), rules };
        let (from, note) = place_mover(&sweeper, &mut mover, &at);
        let point = match &self.to {
            Some(MoveEnd::Point(point)) => point.as_vec3(),
            _ => Vec3::ZERO,
        };
        let (cell, origin) = match end {
            Some(end) => {
                (from.cell, from.frame.origin + from.offset_to(&position_of(&end, &runner)?))
            }
            None if self.relative => (from.cell, from.frame.origin + point),
            None => (at.cell, point),
        };
        let to = Position { frame: Frame { origin, ..from.frame }, cell };
        let (_, explanation) = why::sweep(&sweeper, &mover, &from, &to);
        let mut report = Report::new(format!("A move of setup {setup} from {text}"), explanation);
        report.notes.push(note);
        Ok(report)
    }
}

/// Returns the landblock that a place is in, and the one that it names.
fn blocks_of(place: &Place) -> [BlockId; 2] {
    let inside = place.position().and_then(|at| at.outside_cell());
    [inside.map_or(place.block(), CellId::block), place.block()]
}

/// Largest horizontal distance in metres by which a placement may differ from the requested start.
const MAX_OFFSET: f32 = 0.05;
/// Least change of height that is reported, in metres.
const MIN_REPORTED_LIFT: f32 = 0.01;

/// Places the mover at the start, standing if possible. If it cannot be placed there, the move starts in the air at the exact position.
/// Returns the start, and a sentence about it.
fn place_mover(sweeper: &Sweeper<'_>, mover: &mut Mover, at: &Position) -> (Position, String) {
    // On a border the mover may be placed in another cell than the named one, which is fine.
    let (placed, explanation) = why::place(sweeper, mover, at, Search::Around);
    let off = at.offset_to(&placed.position);
    if placed.is_ok() && placed.cell.is_some() && off.truncate().length() < MAX_OFFSET {
        mover.stance = Stance { sliding: false, ..placed.stance };
        let stance = if mover.stance.contact { "standing" } else { "in the air" };
        let lifted = match off.z {
            z if z > MIN_REPORTED_LIFT => format!(", {} above the given point", words::metres(z)),
            z if z < -MIN_REPORTED_LIFT => format!(", {} below the given point", words::metres(-z)),
            _ => String::new(),
        };
        let start = words::place(&placed.position);
        return (placed.position, format!("The move starts at {start}, {stance}{lifted}."));
    }
    let reason = explanation.stopped().map_or_else(String::new, |node| format!(" {}", node.text));
    let note = format!(
        "The mover cannot be placed at {}. The move starts there anyway, in the air.{reason}",
        words::place(at)
    );
    (*at, note)
}

/// Returns the position of a place. A place without a height is on the ground.
fn position_of(place: &Place, runner: &Runner) -> anyhow::Result<Position> {
    let world = runner.world();
    let at = match *place {
        Place::Loc(position) => position,
        Place::Point(cell, at) => Position::new(cell, at),
        Place::Compass(compass) => {
            let (cell, at) = compass.place();
            on_ground(world, cell, at)?
        }
        Place::Block(block) => on_ground(world, block.cell(0x1C), Vec3::new(96.0, 96.0, 0.0))?,
        Place::Cell(cell) if cell.kind() == Some(CellKind::Land) => {
            let land = world.land_cell(cell).with_context(|| absent(cell))?;
            on_ground(world, cell, land.position().frame.origin)?
        }
        Place::Cell(cell) => bail!("{cell} is not a point; write one in it, as {cell}:x,y,z"),
    };
    let resident = at.outside_cell().filter(|_| at.cell.is_outdoor()).unwrap_or(at.cell);
    if !world.is_resident(resident) {
        let fault = runner.faults().iter().find(|fault| is_of(fault.piece, resident));
        let reason = fault.map_or_else(String::new, |fault| format!(": {fault}"));
        bail!("{}{reason}", absent(resident));
    }
    Ok(at)
}

fn is_of(piece: PieceId, cell: CellId) -> bool {
    match piece {
        PieceId::Room(room) => room == cell,
        PieceId::Land(block) => cell.is_outdoor() && block == cell.block(),
    }
}

fn absent(cell: CellId) -> String {
    format!("the world has no {}", words::cell(cell))
}

fn on_ground(world: &World, cell: CellId, at: Vec3) -> anyhow::Result<Position> {
    let land = world.land(cell.block()).with_context(|| absent(cell))?;
    let height = land.terrain().height(at.truncate()).with_context(|| absent(cell))?;
    Ok(Position::new(cell, Vec3::new(at.x, at.y, height)))
}
