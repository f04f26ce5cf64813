//! A world with a crowd in it.

use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Crowd, Event, Gait, Rules, Search, StateHash, SweepScratch};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, World};

use super::{MOVER, WALKER, everything, made};

/// A world with a crowd in it.
pub(crate) struct Scene {
    pub(crate) builder: Builder,
    pub(crate) world: World,
    pub(crate) crowd: Crowd,
    pub(crate) scratch: SweepScratch,
}

impl Scene {
    pub(crate) fn new(builder: Builder) -> Self {
        let world = everything(&builder);
        Self { builder, world, crowd: Crowd::new(), scratch: SweepScratch::new() }
    }

    /// Four rooms in a row, open to each other, 8 m long and 4 m wide.
    pub(crate) fn rooms() -> Self {
        Self::new(Builder::new(made::row(&[8.0; 4], &[])))
    }

    /// Puts a creature where it stands, and lets it walk.
    pub(crate) fn walker(&mut self, number: u32, cell: u32, at: [f32; 3], heading: f32) -> Body {
        let mut position = Position::new(CellId(cell), at.into());
        position.frame.rotation = Rotation::from_heading(heading);
        self.enter(number, position).unwrap_or_else(|| panic!("{number} at {position:?}"))
    }

    /// Puts a creature about a place, and lets it walk; `None` where nobody can stand.
    pub(crate) fn enter(&mut self, number: u32, position: Position) -> Option<Body> {
        let spec = BodySpec {
            body: BodyId(number),
            setup: self.builder.setup(MOVER).unwrap(),
            position,
            scale: 1.0,
            state: WALKER,
            kind: ObjectKind::Creature,
        };
        let mut body = Body { gait: Some(Gait::walk()), ..Body::new(BodyId(number)) };
        let (rules, search) = (Rules::default(), Search::Around);
        let (placed, _) = body.enter(&mut self.world, rules, &mut self.scratch, spec, search, 0.0);
        let stands = placed.is_ok() && body.stance.on_walkable;
        if !stands {
            // Who was refused is not there.
            let _ = self.world.remove(body.id);
        }
        stands.then_some(body)
    }

    pub(crate) fn join(&mut self, body: Body) {
        assert!(self.crowd.insert(body).is_none());
    }

    pub(crate) fn tick(&mut self, now: f64) -> Vec<(BodyId, Event)> {
        self.crowd.update(&mut self.world, Rules::default(), now).to_vec()
    }

    pub(crate) fn hash(&self) -> StateHash {
        self.crowd.hash(&self.world)
    }
}
