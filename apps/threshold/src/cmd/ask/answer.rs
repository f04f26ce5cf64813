//! The answers about a place.

use serde_json::Value;
use threshold_dat::RegionDesc;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Position, adjust_to_outside};
use threshold_motion::{
    Mover, Refusal, Rules, Sight, SightExclusions, StandResult, SweepScratch, Sweeper,
    adjust_position,
};
use threshold_play::standing::standing_position;
use threshold_world::World;

use super::Column;
use super::row::Question;
use crate::building::building_of;

/// Height over a place at which the cell is looked up, in metres: a point on a floor is at the border of its room.
const PROBE_HEIGHT: f32 = 0.1;

/// Distance to the east and north at which a place on the border of land cells is tried, in metres.
const BORDER_STEP: f32 = 0.01;

/// Height of the eyes over a place, in metres.
const EYE_HEIGHT: f32 = 1.7;

/// Buffers of a thread.
pub(super) type Scratch = SweepScratch;

/// Names of terrain types by their numbers.
pub(super) struct TerrainNames(Vec<String>);

impl TerrainNames {
    pub(super) fn of(region: Option<RegionDesc>) -> Self {
        let types = region.map_or_else(Vec::new, |region| region.terrain.types);
        Self(types.iter().map(|terrain| terrain.name.to_string()).collect())
    }
}

/// Answers questions about a world.
pub(super) struct Answerer<'a> {
    sweeper: Sweeper<'a>,
    /// A human; `None` if the world has none.
    mover: Option<&'a Mover>,
    terrain: &'a TerrainNames,
}

impl<'a> Answerer<'a> {
    pub(super) fn new(
        world: &'a World,
        mover: Option<&'a Mover>,
        terrain: &'a TerrainNames,
    ) -> Self {
        Self { sweeper: Sweeper { world, rules: Rules::default() }, mover, terrain }
    }

    /// Returns an answer for each column, or the reason why there is none.
    pub(super) fn answers(
        &self,
        scratch: &mut Scratch,
        question: &Question,
        columns: &[Column],
    ) -> Result<Vec<Value>, String> {
        let world = self.sweeper.world;
        let find = |place| {
            let at = standing_position(world, place).filter(|at| at.frame.origin.is_finite());
            at.filter(|at| world.is_resident(at.cell))
                .ok_or(format!("{place}: the world has no such place"))
        };
        let at = find(&question.place)?;
        let target = question.target.as_ref().map(find).transpose()?;
        let answer = |column: &Column| self.answer(scratch, &at, target.as_ref(), *column);
        Ok(columns.iter().map(answer).collect())
    }

    fn answer(
        &self,
        scratch: &mut Scratch,
        at: &Position,
        target: Option<&Position>,
        column: Column,
    ) -> Value {
        let cell = || self.cell(at);
        match column {
            Column::Cell => cell().map(|cell| cell.to_string()).into(),
            Column::Indoors => cell().map(CellId::is_indoor).into(),
            Column::Ground => self.on_land(at, |land| land.height()),
            Column::Water => self.on_land(at, |land| Some(land.water_depth())),
            Column::Road => self.on_land(at, |land| Some(land.on_road())),
            Column::Terrain => self.on_land(at, |land| Some(land.terrain_name(self.terrain))),
            Column::Building => cell().and_then(|cell| self.building(cell)).into(),
            Column::Standing | Column::StandingAt => self.standing(scratch, at, column),
            Column::Sight => target.map(|target| self.sight(scratch, at, target)).into(),
            Column::Distance => target.map(|target| number(at.offset_to(target).length())).into(),
        }
    }

    /// Returns the cell that contains a point just over a place. A place outdoors may be in any room of its landblock.
    fn cell(&self, at: &Position) -> Option<CellId> {
        let world = self.sweeper.world;
        if at.cell.is_indoor() {
            return adjust_position(world, at, Vec3::Z * PROBE_HEIGHT).map(|at| at.cell);
        }
        let (land, point) = adjust_to_outside(at.cell, at.frame.origin)?;
        let point = point + Vec3::Z * PROBE_HEIGHT;
        let room = world.rooms(land.block()).find(|room| room.contains(point));
        room.map(threshold_world::Room::id).or_else(|| world.is_resident(land).then_some(land))
    }

    /// Answers from the land above or below a place; null where there is none.
    fn on_land<T: Into<Value>>(
        &self,
        at: &Position,
        answer: impl FnOnce(LandPoint<'_>) -> Option<T>,
    ) -> Value {
        let point = adjust_to_outside(at.cell, at.frame.origin).and_then(|(cell, point)| {
            let cell = self.sweeper.world.land_cell(cell)?;
            Some(LandPoint { land: cell.land(), cell: cell.index(), at: point.truncate() })
        });
        point.and_then(answer).map_or(Value::Null, Into::into)
    }

    /// Returns the model of the building that has a room, or stands in a land cell.
    fn building(&self, cell: CellId) -> Option<String> {
        building_of(self.sweeper.world, cell).map(|building| building.setup.id.to_string())
    }

    fn standing(&self, scratch: &mut Scratch, at: &Position, column: Column) -> Value {
        let Some(mover) = self.mover else { return Value::Null };
        let mut result = self.sweeper.can_stand(scratch, mover, at);
        if let StandResult::NoRoom(Refusal::MovedAway) = result
            && at.cell.is_outdoor()
        {
            // A place on the border of two land cells is in the one and found in the other.
            let mut beside = *at;
            beside.frame.origin += Vec3::new(BORDER_STEP, BORDER_STEP, 0.0);
            result = self.sweeper.can_stand(scratch, mover, &beside);
        }
        match (result, column) {
            (StandResult::Stands { at, .. }, Column::StandingAt) => at.to_string().into(),
            (_, Column::StandingAt) => Value::Null,
            (StandResult::Stands { .. }, _) => "yes".into(),
            (reason, _) => reason.to_string().into(),
        }
    }

    fn sight(&self, scratch: &mut Scratch, from: &Position, to: &Position) -> &'static str {
        let [from, to] = [from, to].map(|at| {
            let mut eye = *at;
            eye.frame.origin.z += EYE_HEIGHT;
            eye
        });
        match self.sweeper.line_of_sight(scratch, &from, &to, SightExclusions::default()) {
            Sight::Clear => "clear",
            Sight::Blocked { .. } => "blocked",
            _ => "unknown",
        }
    }
}

/// A point of a landblock.
struct LandPoint<'a> {
    land: &'a threshold_world::Land,
    /// Index of the land cell.
    cell: usize,
    at: Vec2,
}

impl LandPoint<'_> {
    fn height(&self) -> Option<Value> {
        self.land.terrain().height(self.at).map(number)
    }

    fn water_depth(&self) -> Value {
        number(self.land.terrain().water_depth(self.cell, self.at))
    }

    fn on_road(&self) -> bool {
        self.land.terrain().on_road(self.at)
    }

    /// Returns the name of the terrain at the nearest corner, or its number if the region has no name for it.
    fn terrain_name(&self, names: &TerrainNames) -> String {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
        let [x, y] = (self.at / 24.0).to_array().map(|part| part.round().clamp(0.0, 8.0) as usize);
        let number = self.land.terrain().word(x, y).terrain_type();
        names.0.get(usize::from(number)).cloned().unwrap_or_else(|| number.to_string())
    }
}

/// Returns a number with its short form in single precision.
fn number(value: f32) -> Value {
    let short = value.to_string().parse::<f64>().ok();
    short.and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number)
}
