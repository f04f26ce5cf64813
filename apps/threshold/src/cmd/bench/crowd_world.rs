//! A world with a crowd in it.

use std::sync::Arc;

use threshold_land::Position;
use threshold_motion::{Body, Crowd, MoveContext, Rules, Search, SweepScratch};
use threshold_verify::SplitMix;
use threshold_world::{BodyId, BodySpec, ObjectKind, Setup, State, World};

use super::spawn_area::SpawnArea;
use super::wandering::random_below;

/// A world, the crowd in it, and the surfaces on which bodies are placed.
pub(super) struct CrowdWorld {
    pub(super) world: World,
    pub(super) crowd: Crowd,
    /// Setup of the bodies.
    setup: Arc<Setup>,
    rooms: SpawnArea,
    land: SpawnArea,
    scratch: SweepScratch,
}

/// One in this number of bodies starts in a room, if there are land and rooms.
const INDOOR_INTERVAL: u64 = 4;

/// Random positions tried before a body counts as having no room.
const MAX_TRIES: u32 = 200;

impl CrowdWorld {
    /// Makes a world with an empty crowd.
    pub(super) fn new(world: World, setup: Arc<Setup>) -> Self {
        let (rooms, land) = (SpawnArea::of_rooms(&world), SpawnArea::of_land(&world));
        Self { world, crowd: Crowd::new(), setup, rooms, land, scratch: SweepScratch::new() }
    }

    /// Places a body at a random position. Returns false if no position with room was found.
    pub(super) fn place(&mut self, body: BodyId, kind: ObjectKind, random: &mut SplitMix) -> bool {
        for _ in 0..MAX_TRIES {
            let Some(position) = self.random_position(random) else { return false };
            if self.try_place(body, kind, position) {
                return true;
            }
            // The body is in the world if it was placed in the air.
            let _ = self.world.remove(body);
        }
        false
    }

    fn random_position(&self, random: &mut SplitMix) -> Option<Position> {
        let is_indoors = random_below(random, INDOOR_INTERVAL) == 0;
        let (first, second) =
            if is_indoors { (&self.rooms, &self.land) } else { (&self.land, &self.rooms) };
        let position = first.random_position(random);
        let mut position = position.or_else(|| second.random_position(random))?;
        position.frame.rotation = random.rotation();
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
