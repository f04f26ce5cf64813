//! A loaded world to walk and look around in.

use threshold_dat::Source;
use threshold_forge::MOVER;
use threshold_geom::Containment;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position, Rotation, Sphere};
use threshold_motion::rules::SlidingNormal;
use threshold_motion::{Body, MoveContext, Refusal, Rules, Search, SweepScratch};
use threshold_view::{Lens, PortalWalk, Viewer, ViewerError, VisibleSet};
use threshold_world::{
    BodyId, BodySpec, Builder, Cell, CellArray, CellSearch, Fault, ObjectKind, Problem, State,
    Water, World,
};

use crate::walker::Walker;

/// Holder of the pieces around the first cell of [`Realm::around`].
const START_HOLDER: u32 = 0;

/// Distance outside a room up to which a point counts as in it, in metres.
const ROOM_MARGIN: f32 = 0.5;

/// A loaded world to walk and look around in.
///
/// It hides nothing: the world, the rules and the bodies can be changed with the functions of the other crates.
#[derive(Debug)]
pub struct Realm {
    /// The world, as far as it is loaded.
    pub world: World,
    /// Rules for disputed behaviour of the retail client. One of them is not at its default: `sliding_normal=checked`, so that a
    /// walker stopped head-on by a door continues once the door has opened.
    pub rules: Rules,
    builder: Builder,
    faults: Vec<Fault>,
    /// Whether the whole source is loaded.
    is_whole: bool,
    /// Id of the next body.
    next_body: u32,
    /// Buffers and caches of sweeps, and the shortcuts that they take.
    pub scratch: SweepScratch,
    sight: threshold_view::ViewScratch,
}

/// Reason why a walker could not be placed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotPlaced {
    /// The source has no usable setup for a human mover.
    #[error("cannot load the walker, setup {MOVER}: {0}")]
    NoMover(#[from] Problem),
    /// The placement was refused.
    #[error("cannot place a walker at {at}: {why}")]
    Refused {
        /// The requested position.
        at: Position,
        /// The reason.
        why: Refusal,
    },
    /// No loaded cell contains the position.
    #[error("cannot place a walker at {0}: no cell is there")]
    Nowhere(Position),
    /// The source has no such cell, or the realm has not loaded it.
    #[error("cannot place a walker in {0}: the cell is not loaded")]
    NotLoaded(CellId),
    /// The point is not in the room.
    #[error("cannot place a walker at {at:?}: the point is not in room {room}")]
    OutsideRoom {
        /// The room.
        room: CellId,
        /// The point, in the frame of the room's landblock.
        at: Vec3,
    },
    /// A coordinate or the heading is not finite.
    #[error("cannot place a walker at {at:?} with heading {heading}: not a finite number")]
    NotFinite {
        /// The point.
        at: Vec3,
        /// The heading in degrees.
        heading: f32,
    },
    /// The whole landblock is sea, where no body can stand.
    #[error("cannot place a walker in landblock {0}: it is all sea")]
    Sea(BlockId),
}

impl Realm {
    /// Loads everything of a source. For made worlds and small sources; use [`around`](Self::around) for a retail
    /// installation.
    pub fn whole(source: impl Source + 'static) -> Self {
        let mut realm = Self::empty(source, true);
        for piece in realm.builder.pieces() {
            realm.build(piece);
        }
        realm
    }

    /// Loads the pieces around a cell and keeps them until a walker [enters](Self::enter). From then on pieces near walkers are
    /// loaded, and all others dropped.
    pub fn around(source: impl Source + 'static, cell: CellId) -> Self {
        let mut realm = Self::empty(source, false);
        realm.world.hold(START_HOLDER, cell);
        realm.load_wanted();
        realm
    }

    fn empty(source: impl Source + 'static, is_whole: bool) -> Self {
        let mut rules = Rules::default();
        rules.sliding_normal = SlidingNormal::Checked;
        Self {
            world: World::new(),
            rules,
            builder: Builder::new(source),
            faults: Vec::new(),
            is_whole,
            next_body: 1,
            scratch: SweepScratch::new(),
            sight: threshold_view::ViewScratch::new(),
        }
    }

    /// Returns the builder, which makes pieces of the world from records.
    pub fn builder(&self) -> &Builder {
        &self.builder
    }

    /// Returns the pieces, or parts of them, that were left out because a record cannot be used.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn build(&mut self, piece: threshold_world::PieceId) {
        match self.builder.build(piece) {
            Ok(Some(built)) => {
                self.faults.extend(built.faults);
                self.world.adopt(built.piece);
            }
            Ok(None) => {}
            Err(fault) => self.faults.push(fault),
        }
    }

    /// Loads the pieces around a position for a holder, and drops pieces without one. Does nothing if the source is wholly loaded.
    pub(crate) fn hold(&mut self, holder: u32, at: &Position) {
        if !self.is_whole {
            self.world.hold_at(holder, at);
            self.load_wanted();
        }
    }

    fn load_wanted(&mut self) {
        // A new room may want others.
        loop {
            let wanted = self.world.take_wanted();
            if wanted.is_empty() {
                break;
            }
            wanted.into_iter().for_each(|piece| self.build(piece));
        }
        if !self.world.drop_unheld().is_empty() {
            self.builder.forget_unused_shapes();
        }
    }

    /// Returns the cell that contains a point, given in the frame of the landblock of a known cell: the known cell, or one behind a
    /// portal at the point; from a land cell, the cell below the point. `None` if there is none, or it is not loaded.
    ///
    /// Movers do not need it: they carry their cell along. Retail: `CObjCell::find_cell_list` for a point.
    pub fn cell_at(&self, known: CellId, at: Vec3) -> Option<CellId> {
        let mut array = CellArray::new();
        let point = Sphere::new(at, 0.0);
        CellSearch::new(&self.world).spheres(&Position::new(known, at), &[point], &mut array).cell
    }

    /// Places a human at a point or near it: pushed out of walls, and onto the ground if that is within a step; from higher up it falls
    /// during the first [`go`](Walker::go). It faces a heading in degrees to the right of north. Outdoors `cell` may be any land
    /// cell of the landblock; a room must contain the point.
    pub fn enter(&mut self, cell: CellId, at: Vec3, heading: f32) -> Result<Walker, NotPlaced> {
        if !at.is_finite() || !heading.is_finite() {
            return Err(NotPlaced::NotFinite { at, heading });
        }
        let mut position = Position::new(cell, at);
        position.frame.rotation = Rotation::from_heading(heading);
        if cell.is_outdoor() {
            let outdoors = threshold_land::adjust_to_outside(cell, at);
            let (cell, at) = outdoors.ok_or(NotPlaced::Nowhere(position))?;
            (position.cell, position.frame.origin) = (cell, at);
        }
        let (id, setup) = (BodyId(self.next_body), self.builder.setup(MOVER)?);
        self.hold(id.0, &position);
        if let Err(reason) = self.check_standing_place(&position) {
            self.world.release(id.0);
            return Err(reason);
        }
        let spec = BodySpec {
            body: id,
            setup,
            position,
            scale: 1.0,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::Creature,
        };
        let (mut body, Self { world, rules, scratch, .. }) = (Body::new(id), &mut *self);
        let (outcome, _) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Around, 0.0);
        if let Some(why) = outcome.refused {
            self.world.release(id.0);
            return Err(NotPlaced::Refused { at: position, why });
        }
        if outcome.cell.is_none() {
            // The body would be in the world, but in no cell. Leaving cannot fail: it has just entered.
            let _ = body.leave(&mut self.world);
            self.world.release(id.0);
            return Err(NotPlaced::Nowhere(position));
        }
        self.next_body += 1;
        // From now on the walkers are the holders.
        self.world.release(START_HOLDER);
        Ok(Walker::new(body, outcome.position))
    }

    /// Checks that a position names a loaded cell that can hold a walker there.
    fn check_standing_place(&self, position: &Position) -> Result<(), NotPlaced> {
        let (cell, at) = (position.cell, position.frame.origin);
        match self.world.cell(cell) {
            None => Err(NotPlaced::NotLoaded(cell)),
            // On the floor, a point is at the border of its room.
            Some(Cell::Room(room)) => match room.sphere_inside(&Sphere::new(at, ROOM_MARGIN)) {
                Containment::Outside => Err(NotPlaced::OutsideRoom { room: cell, at }),
                _ => Ok(()),
            },
            Some(Cell::Land(land)) => match land.land().terrain().block_water() {
                Water::Entire => Err(NotPlaced::Sea(cell.block())),
                _ => Ok(()),
            },
        }
    }

    /// Returns the visible set from a point of a cell, looking at another point, both in the frame of its landblock.
    pub fn look(&mut self, cell: CellId, eye: Vec3, at: Vec3) -> Result<&VisibleSet, ViewerError> {
        let viewer = Viewer::looking_at(cell, eye.as_dvec3(), at.as_dvec3(), Lens::default())?;
        Ok(PortalWalk::new(&self.world).run(&mut self.sight, &mut (), &viewer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_forge::{SEED, builtin, samples};
    use threshold_land::BlockId;
    use threshold_motion::{Event, Gait};
    use threshold_testkit::forged::landblock_row;

    /// The lake shore, as a land cell and a point.
    const SHORE: CellId = CellId(0xA8B4_0033);

    #[test]
    fn land_ahead_of_a_walker_is_loaded_and_land_behind_is_dropped() {
        let mut realm = Realm::around(builtin(SEED).unwrap(), SHORE);
        realm.world.set_landscape_radius(1);
        let mut walker = realm.enter(SHORE, Vec3::new(147.0, 69.0, 36.0), 90.0).unwrap();
        let before = realm.world.resident().count();
        let events = walker.go(&mut realm, Gait::run(4.0), 45.0);
        assert!(!events.iter().any(|event| matches!(event, Event::Lost { .. })), "{events:?}");
        assert_ne!(walker.cell(&realm).block(), SHORE.block());
        assert!(realm.world.is_resident(walker.cell(&realm)) && before > 0);
        assert!(realm.faults().is_empty());
        let far = threshold_world::PieceId::Land(threshold_land::BlockId::new(0xA7, 0xB4));
        assert!(!realm.world.has(far), "no walker is near it any more");
    }

    #[test]
    fn a_walker_is_not_placed_in_the_sea() {
        let sea = BlockId::new(0xA7, 0xB4).cell(1);
        let mut realm = Realm::around(builtin(SEED).unwrap(), sea);
        let refused = realm.enter(sea, Vec3::new(50.0, 50.0, 0.0), 0.0).unwrap_err();
        assert_eq!(refused.to_string(), "cannot place a walker in landblock A7B4: it is all sea");
        assert_eq!(realm.world.bodies().count(), 0);
    }

    #[test]
    fn memory_returns_to_the_start_after_a_walk_over_200_landblocks_and_back() {
        const LAST: u8 = 200;
        let at = |x: u8| Position::new(BlockId::new(x, 0xB4).cell(1), Vec3::ONE);
        let mut realm = Realm::around(landblock_row(LAST), at(0).cell);
        realm.world.set_landscape_radius(2);
        let resident = |realm: &Realm| {
            let land: usize = realm.world.lands().map(threshold_world::Land::size).sum();
            (realm.world.piece_count(), land, realm.builder.shapes_size())
        };
        realm.hold(START_HOLDER, &at(0));
        let start = resident(&realm);
        for x in (1..=LAST).chain((0..LAST).rev()) {
            realm.hold(START_HOLDER, &at(x));
            let (_, _, shapes) = resident(&realm);
            assert!(shapes < 2 * start.2, "{shapes} bytes of shapes at {x}, {} at 0", start.2);
        }
        assert!(start.2 > 0 && resident(&realm) == start, "{:?}, not {start:?}", resident(&realm));
    }

    #[test]
    fn a_walker_is_not_placed_outside_of_cells_or_in_a_wall() {
        let mut realm = Realm::whole(samples::two_rooms().unwrap());
        let room = CellId(0x0102_0100);
        let unknown = CellId(0x0909_0100);
        let refusals = [
            (room, [500.0, 0.0, 0.0], "the point is not in room 0x01020100"),
            (room, [2.0, 2.0, 40.0], "the point is not in room 0x01020100"),
            (room, [f32::NAN, 2.0, 0.0], "not a finite number"),
            (unknown, [0.0; 3], "in 0x09090100: the cell is not loaded"),
            (unknown.block().cell(1), [0.0; 3], "in 0x09090001: the cell is not loaded"),
        ];
        for (cell, at, reason) in refusals {
            let refused = realm.enter(cell, at.into(), 0.0).unwrap_err().to_string();
            assert!(refused.contains(reason), "{refused}");
            assert_eq!(realm.world.bodies().count(), 0);
        }
        assert!(realm.enter(room, Vec3::new(2.0, 2.0, 0.0), f32::INFINITY).is_err());
        let mut walker = realm.enter(room, Vec3::new(2.0, 2.0, 0.3), 90.0).unwrap();
        assert!(walker.jump(&realm));
        assert!(!walker.go(&mut realm, Gait::stand(), 3.0).is_empty(), "it lands");
        walker.face(&mut realm, 90.0);
        walker.go(&mut realm, Gait::walk(), 10.0);
        let why = walker.why(&realm, 0.5).join(" ");
        assert!(why.contains("Stopped by a wall") && why.contains("0x01020101"), "{why}");
        assert_eq!(
            walker.cell(&realm),
            CellId(0x0102_0101),
            "the wall of the second room stops it"
        );
    }
}
