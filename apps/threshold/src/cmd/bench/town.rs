//! A world, and who wanders in it.

use std::sync::Arc;

use threshold_land::Position;
use threshold_motion::{Body, Crowd, MoveContext, Rules, Search, SweepScratch};
use threshold_world::{BodyId, BodySpec, ObjectKind, Setup, State, World};

use super::floor::Floor;
use super::wander::Chance;

/// A world, and who is in it.
pub(super) struct Town {
    pub(super) world: World,
    pub(super) crowd: Crowd,
    setup: Arc<Setup>,
    rooms: Floor,
    land: Floor,
    scratch: SweepScratch,
}

/// Where there are land and rooms, one in so many begins in a room.
const INDOORS: u64 = 4;

/// Places that are tried for a body before it counts as having none.
const TRIES: u32 = 200;

impl Town {
    /// Nobody is in it. Those who come are made of this.
    pub(super) fn new(world: World, setup: Arc<Setup>) -> Self {
        let (rooms, land) = (Floor::of_rooms(&world), Floor::of_land(&world));
        Self { world, crowd: Crowd::new(), setup, rooms, land, scratch: SweepScratch::new() }
    }

    /// Puts a body where there is room for it; false where none was found.
    pub(super) fn place(&mut self, body: BodyId, kind: ObjectKind, chance: &mut Chance) -> bool {
        for _ in 0..TRIES {
            let Some(position) = self.draw(chance) else { return false };
            if self.try_place(body, kind, position) {
                return true;
            }
            // It may have come in, and hang in the air.
            let _ = self.world.remove(body);
        }
        false
    }

    fn draw(&self, chance: &mut Chance) -> Option<Position> {
        let indoors = chance.below(INDOORS) == 0;
        let (first, second) =
            if indoors { (&self.rooms, &self.land) } else { (&self.land, &self.rooms) };
        let mut position = first.draw(chance).or_else(|| second.draw(chance))?;
        position.frame.rotation = chance.heading();
        Some(position)
    }

    fn try_place(&mut self, id: BodyId, kind: ObjectKind, position: Position) -> bool {
        let (setup, scale) = (self.setup.clone(), 1.0);
        let state = State::GRAVITY.with(State::EDGE_SLIDE, true);
        let spec = BodySpec { body: id, setup, position, scale, state, kind };
        let mut body = Body::new(id);
        let Self { world, scratch, .. } = self;
        let (outcome, _) = body.enter(
            &mut MoveContext::new(world, Rules::default(), scratch),
            spec,
            Search::Here,
            0.0,
        );
        let stands = outcome.is_ok() && outcome.cell.is_some() && body.stance.on_walkable;
        if stands {
            self.crowd.insert(body);
        }
        stands
    }
}
