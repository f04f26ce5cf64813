//! A world with a crowd in it.

use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{
    Body, Crowd, Event, Gait, MoveContext, Rules, Search, StateHash, SweepScratch,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, World};

use crate::layouts;
use crate::walk::{MOVER, WALKER_STATE};
use crate::worlds::load_all;

/// A world with a crowd in it.
#[derive(Debug)]
pub struct CrowdScene {
    /// Builder of the pieces of the world.
    pub builder: Builder,
    /// The world, wholly resident.
    pub world: World,
    /// The bodies that are updated together.
    pub crowd: Crowd,
    /// SweepScratch for placing bodies.
    pub scratch: SweepScratch,
}

impl CrowdScene {
    /// Loads all of a world, without a crowd.
    pub fn new(builder: Builder) -> Self {
        let world = load_all(&builder);
        Self { builder, world, crowd: Crowd::new(), scratch: SweepScratch::new() }
    }

    /// Makes four rooms in a row, open to each other, 8 m long and 4 m wide.
    pub fn rooms() -> Self {
        Self::new(Builder::new(layouts::row(&[8.0; 4], &[])))
    }

    /// Places a walking creature at or near a point; panics where it cannot stand.
    pub fn walker(&mut self, number: u32, cell: u32, at: [f32; 3], heading: f32) -> Body {
        let mut position = Position::new(CellId(cell), at.into());
        position.frame.rotation = Rotation::from_heading(heading);
        self.enter(number, position).unwrap_or_else(|| panic!("{number} at {position:?}"))
    }

    /// Places a walking creature at or near a position; `None` where it cannot stand.
    pub fn enter(&mut self, number: u32, position: Position) -> Option<Body> {
        let spec = BodySpec {
            body: BodyId(number),
            setup: self.builder.setup(MOVER).unwrap(),
            position,
            scale: 1.0,
            state: WALKER_STATE,
            kind: ObjectKind::Creature,
        };
        let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(number)) };
        let (rules, search) = (Rules::default(), Search::Around);
        let (placed, _) = body.enter(
            &mut MoveContext::new(&mut self.world, rules, &mut self.scratch),
            spec,
            search,
            0.0,
        );
        let stands = placed.is_ok() && body.stance.on_walkable;
        if !stands {
            // A refused body is not in the world.
            let _ = self.world.remove(body.id);
        }
        stands.then_some(body)
    }

    /// Adds a body to the crowd.
    pub fn join(&mut self, body: Body) {
        assert!(self.crowd.insert(body).is_none());
    }

    /// Updates the crowd up to a time, and returns its events.
    pub fn tick(&mut self, now: f64) -> Vec<(BodyId, Event)> {
        self.crowd.update(&mut self.world, Rules::default(), now).to_vec()
    }

    /// Returns the hash of the crowd and its world.
    pub fn hash(&self) -> StateHash {
        self.crowd.hash(&self.world)
    }
}
