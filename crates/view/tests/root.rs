//! The root of a view: the swept camera cell or, with the switch, the player's committed cell; never one looked up from a point.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod graph;

use graph::{Graph, across, cell};
use threshold_dat::RecordId;
use threshold_forge::{SEED, TourLeg, tour};
use threshold_land::vector::Vec3;
use threshold_land::{Position, Rotation, block_offset_between};
use threshold_motion::{
    Body, Boom, Gait, MoveContext, Mover, Pivot, Search, Sweeper, VIEWER_RADIUS, View, ViewRoot,
};
use threshold_testkit::forged;
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, RoomSearch, State, World};

const PLAYER: BodyId = BodyId(1);
/// The mover of the built-in world, in the state of a walking player: gravity, edge slides, collision reports.
const MOVER: RecordId = RecordId(0x0200_0001);
const WALKER: State = State(0x0040_0408);
const TICK: f32 = 1.0 / 30.0;
/// Height of the head above the feet, and length of the boom in third person, in metres.
const HEAD: f32 = 1.6;
const BOOM: f32 = 3.2;

fn camera() -> Mover {
    Mover { body: Some(PLAYER), ..Mover::viewer(VIEWER_RADIUS) }
}

fn viewer(eye: &Position, ahead: Vec3) -> Viewer {
    let at = eye.frame.origin;
    Viewer::looking_at(eye.cell, at, at + ahead, Lens::default()).unwrap()
}

/// A walking player with both cameras.
struct Walk {
    world: World,
    body: Body,
    sweeping: threshold_motion::SweepScratch,
    looking: ViewScratch,
    frames: usize,
    /// Frames in which the camera's cell is not the player's, in third and in first person.
    apart: [usize; 2],
    /// Number of cell changes of the player.
    changes: usize,
    last: Position,
}

impl Walk {
    fn begin(builder: &Builder, world: World, at: Position) -> Self {
        let mut walk = Self {
            world,
            body: Body::new(PLAYER),
            sweeping: threshold_motion::SweepScratch::new(),
            looking: ViewScratch::new(),
            frames: 0,
            apart: [0; 2],
            changes: 0,
            last: at,
        };
        let spec = BodySpec {
            body: PLAYER,
            setup: builder.setup(MOVER).unwrap(),
            position: at,
            scale: 1.0,
            state: WALKER,
            kind: ObjectKind::Creature,
        };
        let Walk { world, body, sweeping, .. } = &mut walk;
        let rules = Sweeper::new(&World::new()).rules;
        let (outcome, _) =
            body.enter(&mut MoveContext::new(world, rules, sweeping), spec, Search::Around, 0.0);
        assert!(outcome.is_ok(), "{outcome:?}");
        walk.last = walk.committed();
        walk
    }

    fn committed(&self) -> Position {
        *self.world.body(PLAYER).unwrap().position()
    }

    /// Walks straight to a place; every tick is a frame.
    fn go(&mut self, to: &Position) {
        for _ in 0..3000 {
            let left = self.committed().offset_to(to).with_z(0.0);
            if left.length() < 0.3 {
                return;
            }
            let heading = libm::atan2f(left.x, left.y).to_degrees().rem_euclid(360.0);
            self.world.turn(PLAYER, Rotation::from_heading(heading)).unwrap();
            let gait = if left.length() > 3.0 { Gait::run(2.0) } else { Gait::walk() };
            self.body.gait = Some(gait);
            let rules = Sweeper::new(&World::new()).rules;
            self.body
                .step(&mut MoveContext::new(&mut self.world, rules, &mut self.sweeping), TICK)
                .unwrap();
            self.frame(left.normalize());
        }
        panic!("{} is not reached from {}", to, self.committed());
    }

    /// Checks both cameras and both roots.
    fn frame(&mut self, ahead: Vec3) {
        let committed = self.committed();
        self.frames += 1;
        self.changes += usize::from(committed.cell != self.last.cell);
        self.last = committed;
        let pivot = Pivot::above(committed, PLAYER, HEAD);
        let sweeper = Sweeper::new(&self.world);
        let head = sweeper.view(&mut self.sweeping, &pivot, Vec3::ZERO);
        assert!(!head.failed, "no cell round the head at {committed}");
        self.check_head(&head.eye, &committed);
        let direction = (Vec3::Z * 0.3 - ahead).normalize();
        let mut boom = Boom { length: BOOM, ease: 0.0 };
        for (person, wish) in [BOOM, 0.0].into_iter().enumerate() {
            let sweeper = Sweeper::new(&self.world);
            let view = boom.follow(&sweeper, &mut self.sweeping, &pivot, direction, wish, TICK);
            // The same sweep again, by its parts.
            let mut end = head.eye;
            end.frame.origin += direction * wish;
            let swept =
                sweeper.sweep_camera(&mut self.sweeping, &mut (), &camera(), &head.eye, &end);
            assert_eq!((swept.cell, view.failed), (Some(view.eye.cell), false), "{committed}");
            // The boom may be longer or shorter by a rounding.
            assert!(view.eye.offset_to(&swept.position).length() < 1e-3, "{committed}");
            let is_inside = self.world.cell(view.eye.cell).unwrap().contains(view.eye.frame.origin);
            assert!(is_inside, "the eye {} is outside its cell", view.eye);
            self.apart[person] += usize::from(view.eye.cell != committed.cell);
            self.look(&view, &committed, ahead);
        }
    }

    /// In first person the root is the committed cell. Only if that does not contain the head, it is a neighbour or a land
    /// cell.
    fn check_head(&self, head: &Position, committed: &Position) {
        let at = head.frame.origin + block_offset_between(committed.cell, head.cell);
        let is_inside = self.world.cell(committed.cell).unwrap().contains(at);
        if is_inside || committed.cell.is_outdoor() && head.cell.is_outdoor() {
            assert_eq!(head.cell, committed.cell, "{committed}");
        } else if let Some(room) = self.world.room(committed.cell) {
            let child = self.world.find_visible_child_cell(committed.cell, at, RoomSearch::Visible);
            let is_kin =
                child.is_none_or(|child| child == head.cell && room.stabs().contains(&child));
            assert!(is_kin, "{head} from {committed}");
        }
    }

    fn look(&mut self, view: &View, committed: &Position, ahead: Vec3) {
        for (root, want) in [(ViewRoot::Camera, view.eye.cell), (ViewRoot::Player, committed.cell)]
        {
            let eye = root.eye(view, committed);
            assert!(eye.offset_to(&view.eye).length() < 1e-4, "{root:?} moves the eye");
            let seen =
                PortalWalk::new(&self.world).run(&mut self.looking, &mut (), &viewer(&eye, ahead));
            assert_eq!(seen.root(), want, "{root:?} at {committed}");
            let (is_seen, outside) = (seen.cell(want).is_some(), seen.landscape().len());
            assert!(if want.is_indoor() { is_seen } else { outside > 0 }, "{root:?} {want}");
            assert!(
                !seen.budget_hit() && seen.not_resident().len() == 0,
                "{root:?} at {committed}"
            );
        }
    }
}

/// Walks from the lake through the village, the inn with its stairs, the cottage with its cellar, over a border, and under
/// the mountain.
#[test]
fn in_every_frame_of_a_walk_the_root_is_the_swept_camera_cell_or_the_committed_cell() {
    let made = &forged::builtins()[0];
    let mut legs = tour(SEED).into_iter();
    let Some(TourLeg::Start(first)) = legs.next() else { panic!("a tour begins somewhere") };
    let mut walk = Walk::begin(&made.builder(), made.world(), first.position);
    let mut places = 0;
    for leg in legs {
        match leg {
            TourLeg::Waypoint { at, .. } => walk.go(&at),
            TourLeg::Stop(place) => walk.go(&place.position),
            _ => break,
        }
        places += 1;
    }
    assert!(places > 40 && walk.committed().cell.is_indoor(), "{}", walk.committed());
    assert!(walk.changes > 60 && walk.frames > 2000, "{} {}", walk.changes, walk.frames);
    // The roots must differ in some frames.
    assert!(walk.apart[0] > 200, "{:?}", walk.apart);
}

/// A hall with a door in the east and one in the north, into two rooms that share the space to the north-east. The eye ends
/// in the same point through either door; a search by point could name only one of the rooms.
#[test]
fn where_rooms_share_their_space_the_root_is_the_one_the_camera_was_swept_into() {
    let mut graph = Graph::new();
    let hall = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let east = graph.room([4.0, 0.0, 0.0], [10.0, 10.0, 3.0]);
    let north = graph.room([0.0, 4.0, 0.0], [10.0, 10.0, 3.0]);
    graph.join(hall, east, across(0, 4.0, [1.5, 0.0], [3.5, 2.5]));
    graph.join(hall, north, across(1, 4.0, [0.0, 1.5], [2.5, 3.5]));
    let world = graph.world();
    let (sweeper, mut looking) = (Sweeper::new(&world), ViewScratch::new());
    let end = Vec3::new(6.0, 6.0, 1.5);
    for room in [east, north] {
        assert!(world.cell(cell(room)).unwrap().contains(end));
    }
    for (room, feet) in [(east, Vec3::new(3.5, 2.0, 0.0)), (north, Vec3::new(2.0, 3.5, 0.0))] {
        let player = Position::new(cell(hall), feet);
        let pivot = Pivot { player, body: None, head: Vec3::Z * 1.5 };
        let mut sweeping = threshold_motion::SweepScratch::new();
        let view = sweeper.view(&mut sweeping, &pivot, end - (feet + pivot.head));
        assert!((view.eye.frame.origin - end).length() < 1e-4 && !view.failed, "{view:?}");
        for (root, want) in [(ViewRoot::Camera, room), (ViewRoot::Player, hall)] {
            let eye = root.eye(&view, &player);
            let viewer = viewer(&eye, feet + pivot.head - end);
            let seen = PortalWalk::new(&world).run(&mut looking, &mut (), &viewer);
            assert_eq!(seen.root(), cell(want), "{root:?}");
            // From the player's cell the room around the eye is not visible; nothing fails.
            let ids: Vec<_> = seen.cells().map(|cell| cell.id()).collect();
            let all = match root {
                ViewRoot::Camera => vec![cell(room), cell(hall)],
                ViewRoot::Player => vec![cell(hall)],
            };
            assert_eq!(ids, all, "{root:?}");
        }
    }
}

/// The eye is in the frame of the landblock of the cell that it is given with.
#[test]
fn the_players_root_brings_the_eye_into_the_players_landblock() {
    let eye = Position::new(threshold_land::CellId(0xA9B3_0038), Vec3::new(150.0, 189.0, 2.5));
    let committed = Position::new(threshold_land::CellId(0xA9B4_0031), Vec3::new(150.0, 1.0, 0.0));
    let view = View { eye, distance: 4.0, stopped: None, failed: false };
    assert_eq!(ViewRoot::Camera.eye(&view, &committed), eye);
    let moved = ViewRoot::Player.eye(&view, &committed);
    assert_eq!((moved.cell, moved.frame.origin), (committed.cell, Vec3::new(150.0, -3.0, 2.5)));
}
