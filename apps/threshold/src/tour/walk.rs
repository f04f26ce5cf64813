//! The walk of a tour, tick by tick.

use std::sync::Arc;

use threshold_forge::{NamedPlace, TourLeg};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::rules::Unloaded;
use threshold_motion::{
    Body, Event, Events, Gait, MIN_QUANTUM, MoveContext, RUN_SPEED, Rules, Search, SweepScratch,
    Sweeper,
};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, Setup, State, World};

use super::blocked::{BlockedWalk, describe_obstacle};
use super::camera::{CameraSubject, TourCamera};
use super::route::{Route, end_of, level};
use super::steering::{SteeringTarget, turn_between, turn_to};

/// The body of the walker.
pub(crate) const WALKER: BodyId = BodyId(1);
/// Run rates on open land, and in and around buildings.
const OPEN_LAND_RATE: f32 = 2.5;
const SITE_RATE: f32 = 1.0;
/// Distances at which a waypoint on open land, another waypoint, and a station count as reached, in metres.
const OPEN_LAND_TOLERANCE: f32 = 1.0;
const WAYPOINT_TOLERANCE: f32 = 0.15;
const STATION_TOLERANCE: f32 = 0.03;
/// Deviation at which the heading of a station counts as reached, in degrees.
const HEADING_TOLERANCE: f32 = 0.5;
/// Ticks for which the walker stands at a station.
const LOOKING_TICKS: u32 = 45;
/// Ticks without progress after which the walk counts as blocked.
const MAX_IDLE_TICKS: u32 = 45;
/// Least progress, in metres, or in degrees while turning.
const MIN_PROGRESS: f32 = 0.02;

/// An event of a walk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TourEvent {
    /// The walker is placed, at the start or after a cut.
    Begun(NamedPlace),
    /// The walker entered another cell.
    Transit { from: CellId, to: CellId },
    /// The walker landed, at this speed in metres per second.
    Landed { speed: f32 },
    /// The walker has reached a station and stands still, ready for a picture.
    Reached(NamedPlace),
}

/// State of a walk after one tick, with everything that a picture needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TourFrame {
    /// Seconds from the start.
    pub(crate) time: f64,
    /// Position of the walker.
    pub(crate) body: Position,
    /// Eye of the camera, with its cell.
    pub(crate) eye: Position,
    /// Point that the camera looks at, in the frame of the eye's landblock.
    pub(crate) look: Vec3,
    /// Gait of the walker.
    pub(crate) gait: Gait,
    /// Events since the last frame.
    pub(crate) events: Vec<TourEvent>,
}

/// A walk along a route, by real sweeps. Everything near the route must be resident.
pub(crate) struct TourWalk {
    world: World,
    setup: Arc<Setup>,
    rules: Rules,
    scratch: SweepScratch,
    route: Route,
    body: Body,
    camera: TourCamera,
    /// Index of the current leg.
    leg: usize,
    tick: u32,
    activity: Activity,
}

/// Activity of the walker.
#[derive(Clone, Copy)]
enum Activity {
    /// Walking to the end of the leg.
    Walking(Progress),
    /// Turning to the heading of a station.
    Turning(Progress),
    /// Standing at a station for this number of ticks more.
    Looking(u32),
}

/// Progress towards a goal.
#[derive(Clone, Copy)]
struct Progress {
    /// Least distance from the goal so far, in metres, or in degrees while turning.
    nearest: f32,
    /// Ticks since the last progress.
    idle: u32,
}

impl Progress {
    const NONE: Self = Self { nearest: f32::INFINITY, idle: 0 };
}

#[allow(clippy::cast_possible_truncation, reason = "a constant")]
const TICK: f32 = MIN_QUANTUM as f32;

impl TourWalk {
    /// Prepares a walk. `setup` is the setup of the walker.
    pub(crate) fn new(world: World, setup: Arc<Setup>, route: Route) -> Self {
        let mut rules = Rules::default();
        rules.unloaded = Unloaded::Blocked;
        let at = Position::new(CellId(0), Vec3::ZERO);
        Self {
            world,
            setup,
            rules,
            scratch: SweepScratch::new(),
            route,
            body: Body::new(WALKER),
            camera: TourCamera::new(&at),
            leg: 0,
            tick: 0,
            activity: Activity::Walking(Progress::NONE),
        }
    }

    /// Returns the world, with the walker in it.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Returns the distance walked along the route, in metres.
    pub(crate) fn walked(&self) -> f32 {
        let left = match (self.route.leg(self.leg), self.position()) {
            (Some(leg), Some(at)) => level(&at, end_of(leg)).length(),
            _ => 0.0,
        };
        let last = self.leg.checked_sub(1).map_or(0.0, |last| self.route.distance_to_end(last));
        (self.route.distance_to_end(self.leg) - left).max(last)
    }

    /// Advances the walk by a thirtieth of a second. Returns `None` at the end of the route.
    pub(crate) fn next_frame(&mut self) -> Result<Option<TourFrame>, BlockedWalk> {
        let mut events = Vec::new();
        while let Some(TourLeg::Start(place)) = self.route.leg(self.leg) {
            let place = place.clone();
            self.place_walker(&place)?;
            events.push(TourEvent::Begun(place));
            self.start_next_leg();
        }
        if self.route.leg(self.leg).is_none() {
            return Ok(None);
        }
        self.decide(&mut events)?;
        self.tick += 1;
        let now = self.now();
        let Self { world, rules, scratch, .. } = self;
        let updated = self.body.update(&mut MoveContext::new(world, *rules, scratch), now);
        let updated = updated.map_err(|error| self.blocked(error.to_string()))?;
        add_events(&updated.events, &mut events);
        self.make_frame(events).map(Some)
    }

    fn now(&self) -> f64 {
        f64::from(self.tick) * MIN_QUANTUM
    }

    fn position(&self) -> Option<Position> {
        self.world.body(WALKER).map(|object| *object.position())
    }

    fn start_next_leg(&mut self) {
        self.leg += 1;
        self.activity = Activity::Walking(Progress::NONE);
    }

    /// Places the walker.
    fn place_walker(&mut self, place: &NamedPlace) -> Result<(), BlockedWalk> {
        let spec = BodySpec {
            body: WALKER,
            setup: self.setup.clone(),
            position: place.position,
            scale: 1.0,
            state: State::GRAVITY.with(State::EDGE_SLIDE, true),
            kind: ObjectKind::Player(PlayerStatus::Peaceful),
        };
        let now = self.now();
        self.body = Body { gait: Some(Gait::stand()), ..Body::new(WALKER) };
        let Self { world, rules, scratch, .. } = self;
        let (entered, _) =
            self.body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Here, now);
        self.camera = TourCamera::new(&place.position);
        match entered.refused {
            Some(refusal) => {
                Err(self.blocked(format!("the walker cannot be placed there: {refusal}")))
            }
            None => Ok(()),
        }
    }

    /// Decides what the walker does in this tick.
    fn decide(&mut self, events: &mut Vec<TourEvent>) -> Result<(), BlockedWalk> {
        // Several legs may end at the same point.
        loop {
            let Some(at) = self.position() else { return Err(self.lost()) };
            let Some(leg) = self.route.leg(self.leg) else { break };
            let left = level(&at, end_of(leg)).length();
            match (self.activity, leg) {
                (Activity::Walking(_), TourLeg::Stop(place)) if left < STATION_TOLERANCE => {
                    if place.position.cell != at.cell {
                        return Err(
                            self.blocked(format!("the station is in {}", place.position.cell))
                        );
                    }
                    self.activity = Activity::Turning(Progress::NONE);
                }
                (Activity::Walking(_), TourLeg::Waypoint { site, .. })
                    if left < waypoint_tolerance(site) =>
                {
                    self.start_next_leg();
                }
                (Activity::Looking(0), _) => self.start_next_leg(),
                (Activity::Walking(progress), _) => return self.walk(&at, progress),
                (Activity::Turning(progress), _) => return self.turn(&at, progress),
                (Activity::Looking(ticks), leg) => {
                    if let (1, TourLeg::Stop(place)) = (ticks, leg) {
                        events.push(TourEvent::Reached(place.clone()));
                    }
                    self.activity = Activity::Looking(ticks - 1);
                    break;
                }
            }
        }
        self.body.gait = Some(Gait::stand());
        Ok(())
    }

    /// Turns to the heading of a station.
    fn turn(&mut self, at: &Position, progress: Progress) -> Result<(), BlockedWalk> {
        let Some(leg) = self.route.leg(self.leg) else { return Ok(()) };
        let heading = end_of(leg).frame.heading();
        let off = turn_between(at.frame.heading(), heading).abs();
        self.body.gait = Some(turn_to(at, heading, TICK));
        self.activity = if off < HEADING_TOLERANCE {
            Activity::Looking(LOOKING_TICKS)
        } else {
            Activity::Turning(self.update_progress(progress, off)?)
        };
        Ok(())
    }

    /// Walks along the leg.
    fn walk(&mut self, at: &Position, progress: Progress) -> Result<(), BlockedWalk> {
        let Some(leg) = self.route.leg(self.leg) else { return Ok(()) };
        let goal = end_of(leg);
        let is_open = at.cell.is_outdoor() && is_on_open_land(leg);
        let speed = RUN_SPEED * if is_open { OPEN_LAND_RATE } else { SITE_RATE };
        let corner_speed = self.route.corner_speed(self.leg);
        let last = self.body.gait.map_or(0.0, |gait| gait.velocity().y);
        let gait = SteeringTarget { at: goal, speed, corner_speed }.gait(at, last, TICK);
        let left = level(at, goal).length();
        self.body.gait = Some(gait);
        self.activity = Activity::Walking(self.update_progress(progress, left)?);
        Ok(())
    }

    /// Records the remaining distance. Fails after too many ticks without progress.
    fn update_progress(&self, progress: Progress, left: f32) -> Result<Progress, BlockedWalk> {
        let Progress { nearest, idle } = progress;
        if left < nearest - MIN_PROGRESS {
            return Ok(Progress { nearest: left, idle: 0 });
        }
        if idle < MAX_IDLE_TICKS {
            return Ok(Progress { nearest, idle: idle + 1 });
        }
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let goal = self.route.leg(self.leg).map(end_of);
        let reason = goal.map(|goal| describe_obstacle(&sweeper, &self.body, goal));
        Err(self.blocked(reason.unwrap_or_default()))
    }

    fn blocked(&self, reason: String) -> BlockedWalk {
        BlockedWalk { leg: self.route.describe(self.leg), at: self.position(), reason }
    }

    fn lost(&self) -> BlockedWalk {
        self.blocked("the walker is no longer in the world".to_owned())
    }

    /// Moves the camera and returns the frame.
    fn make_frame(&mut self, events: Vec<TourEvent>) -> Result<TourFrame, BlockedWalk> {
        let Some(at) = self.position() else { return Err(self.lost()) };
        let is_looking = matches!(self.activity, Activity::Looking(_) | Activity::Turning(_));
        let subject = CameraSubject { body: WALKER, at, is_looking };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (eye, look) = self.camera.follow(&sweeper, &mut self.scratch, &subject, TICK);
        let gait = self.body.gait.unwrap_or_default();
        Ok(TourFrame { time: self.now(), body: at, eye, look, gait, events })
    }
}

/// Returns whether a leg crosses open land.
fn is_on_open_land(leg: &TourLeg) -> bool {
    match leg {
        TourLeg::Waypoint { site, .. } => *site == "land",
        leg => end_of(leg).cell.is_outdoor(),
    }
}

fn waypoint_tolerance(site: &str) -> f32 {
    if site == "land" { OPEN_LAND_TOLERANCE } else { WAYPOINT_TOLERANCE }
}

/// Appends the body events that a tour reports.
fn add_events(body_events: &Events, events: &mut Vec<TourEvent>) {
    events.extend(body_events.iter().filter_map(|event| match event {
        Event::CellChanged { from: Some(from), to: Some(to) } => {
            Some(TourEvent::Transit { from: *from, to: *to })
        }
        Event::Landed { speed } => Some(TourEvent::Landed { speed: *speed }),
        _ => None,
    }));
}
