//! Who walks, tick by tick.

use std::sync::Arc;

use threshold_forge::{NamedPlace, TourLeg};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::rules::Unloaded;
use threshold_motion::{
    Body, Event, Events, Gait, MIN_QUANTUM, MoveContext, RUN_SPEED, Rules, Search, SweepScratch,
    Sweeper,
};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, Setup, State, World};

use super::camera::{Camera, Watched};
use super::route::{Route, aim, level};
use super::steering::{Aim, turn_between, turn_to};
use super::stuck::{Stuck, in_the_way};

/// The body of the walker.
pub(crate) const WALKER: BodyId = BodyId(1);
/// How fast it runs outdoors, as a multiple of what anybody runs, and in and round buildings.
const OPEN: f32 = 2.5;
const INDOORS: f32 = 1.0;
/// How near counts as past a place: on the open land, and elsewhere; and as at a place where it stops. In metres.
const PAST_OPEN: f32 = 1.0;
const PAST: f32 = 0.15;
const THERE: f32 = 0.03;
/// How nearly it faces the way it is to look, in degrees.
const FACED: f32 = 0.5;
/// Ticks that it stands and looks.
const LOOKS: u32 = 45;
/// Ticks without getting nearer after which it is stuck.
const PATIENCE: u32 = 45;
/// What counts as nearer, in metres, or degrees where it turns.
const NEARER: f32 = 0.02;

/// Something that happened on the way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Happening {
    /// It begins at a place, or goes on from there without having walked to it.
    Begun(NamedPlace),
    /// It is in another cell.
    Transit { from: CellId, to: CellId },
    /// It came down on its feet, at this speed in metres a second.
    Landed { speed: f32 },
    /// It stands at a place where the route stops, and has looked long enough for a picture.
    Reached(NamedPlace),
}

/// A moment of a walk, and from where it is watched: all that a picture of it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Seconds from the beginning.
    pub(crate) time: f64,
    /// Where the walker is.
    pub(crate) body: Position,
    /// Where the camera's eye is, with the cell that it was carried into.
    pub(crate) eye: Position,
    /// A point that the camera looks at, in the frame of the eye's landblock.
    pub(crate) look: Vec3,
    /// How the walker moves.
    pub(crate) gait: Gait,
    /// What has happened since the last one.
    pub(crate) happened: Vec<Happening>,
}

/// Somebody who walks a route by real sweeps, in a world of which all is resident that it comes by.
pub(crate) struct Stroll {
    world: World,
    setup: Arc<Setup>,
    rules: Rules,
    scratch: SweepScratch,
    route: Route,
    body: Body,
    camera: Camera,
    /// The piece of the route that it is on.
    number: usize,
    tick: u32,
    doing: Doing,
}

/// What it is about.
#[derive(Clone, Copy)]
enum Doing {
    /// It goes to the end of its piece; how near it got, and for how many ticks it has not got nearer.
    Goes { nearest: f32, idle: u32 },
    /// It turns to where it is to look; the same in degrees.
    Turns { nearest: f32, idle: u32 },
    /// It looks for so many ticks more.
    Looks(u32),
}

const SETS_OUT: Doing = Doing::Goes { nearest: f32::INFINITY, idle: 0 };

#[allow(clippy::cast_possible_truncation, reason = "a constant")]
const TICK: f32 = MIN_QUANTUM as f32;

impl Stroll {
    /// Before the first step. `setup` is what the walker is made of.
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
            camera: Camera::behind(&at),
            number: 0,
            tick: 0,
            doing: SETS_OUT,
        }
    }

    /// The world as it is now, with the walker in it.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// How far it has got on its route, in metres.
    pub(crate) fn walked(&self) -> f32 {
        let left = match (self.route.leg(self.number), self.at()) {
            (Some(leg), Some(at)) => level(&at, aim(leg)).length(),
            _ => 0.0,
        };
        let last = self.number.checked_sub(1).map_or(0.0, |last| self.route.reached(last));
        (self.route.reached(self.number) - left).max(last)
    }

    /// The next thirtieth of a second; `None` once it has come to the end.
    pub(crate) fn frame(&mut self) -> Result<Option<Frame>, Stuck> {
        let mut happened = Vec::new();
        while let Some(TourLeg::Start(place)) = self.route.leg(self.number) {
            let place = place.clone();
            self.begin(&place)?;
            happened.push(Happening::Begun(place));
            self.advance();
        }
        if self.route.leg(self.number).is_none() {
            return Ok(None);
        }
        self.decide(&mut happened)?;
        self.tick += 1;
        let now = self.now();
        let Self { world, rules, scratch, .. } = self;
        let updated = self.body.update(&mut MoveContext::new(world, *rules, scratch), now);
        let updated = updated.map_err(|gone| self.stuck(gone.to_string()))?;
        tell(&updated.events, &mut happened);
        self.show(happened).map(Some)
    }

    fn now(&self) -> f64 {
        f64::from(self.tick) * MIN_QUANTUM
    }

    fn at(&self) -> Option<Position> {
        self.world.body(WALKER).map(|object| *object.position())
    }

    fn advance(&mut self) {
        self.number += 1;
        self.doing = SETS_OUT;
    }

    /// Is put at a place.
    fn begin(&mut self, place: &NamedPlace) -> Result<(), Stuck> {
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
        self.camera = Camera::behind(&place.position);
        match entered.refused {
            Some(refusal) => Err(self.stuck(format!("nobody can stand there: {refusal}"))),
            None => Ok(()),
        }
    }

    /// What to do in this tick; says so when a place has been looked at.
    fn decide(&mut self, happened: &mut Vec<Happening>) -> Result<(), Stuck> {
        // As many pieces as end right here.
        loop {
            let Some(at) = self.at() else { return Err(self.stuck("it is gone".to_owned())) };
            let Some(leg) = self.route.leg(self.number) else { break };
            let left = level(&at, aim(leg)).length();
            match (self.doing, leg) {
                (Doing::Goes { .. }, TourLeg::Stop(place)) if left < THERE => {
                    if place.position.cell != at.cell {
                        return Err(self.stuck(format!("that is in {}", place.position.cell)));
                    }
                    self.doing = Doing::Turns { nearest: f32::INFINITY, idle: 0 };
                }
                (Doing::Goes { .. }, TourLeg::Waypoint { site, .. }) if left < past(site) => {
                    self.advance()
                }
                (Doing::Looks(0), _) => self.advance(),
                (Doing::Goes { .. }, _) => return self.go(&at),
                (Doing::Turns { .. }, _) => return self.turn(&at),
                (Doing::Looks(ticks), leg) => {
                    if let (1, TourLeg::Stop(place)) = (ticks, leg) {
                        happened.push(Happening::Reached(place.clone()));
                    }
                    self.doing = Doing::Looks(ticks - 1);
                    break;
                }
            }
        }
        self.body.gait = Some(Gait::stand());
        Ok(())
    }

    /// Turns to where it is to look.
    fn turn(&mut self, at: &Position) -> Result<(), Stuck> {
        let Some(leg) = self.route.leg(self.number) else { return Ok(()) };
        let heading = aim(leg).frame.heading();
        let off = turn_between(at.frame.heading(), heading).abs();
        self.body.gait = Some(turn_to(at, heading, TICK));
        if off < FACED {
            self.doing = Doing::Looks(LOOKS);
        } else if let Doing::Turns { nearest, idle } = self.doing {
            let (nearest, idle) = self.nearer(off, nearest, idle)?;
            self.doing = Doing::Turns { nearest, idle };
        }
        Ok(())
    }

    /// Goes on along its piece.
    fn go(&mut self, at: &Position) -> Result<(), Stuck> {
        let Some(leg) = self.route.leg(self.number) else { return Ok(()) };
        let goal = aim(leg);
        let open = at.cell.is_outdoor() && is_open(leg);
        let speed = RUN_SPEED * if open { OPEN } else { INDOORS };
        let past_corner = self.route.past_corner(self.number);
        let last = self.body.gait.map_or(0.0, |gait| gait.velocity().y);
        let gait = Aim { at: goal, speed, past_corner }.gait(at, last, TICK);
        // Who turns does not get nearer, and is not stuck.
        let left = level(at, goal).length();
        self.body.gait = Some(gait);
        if let Doing::Goes { nearest, idle } = self.doing {
            let (nearest, idle) = self.nearer(left, nearest, idle)?;
            self.doing = Doing::Goes { nearest, idle };
        }
        Ok(())
    }

    /// Whether it gets nearer; not to do so for long is to be stuck.
    fn nearer(&self, left: f32, nearest: f32, idle: u32) -> Result<(f32, u32), Stuck> {
        if left < nearest - NEARER {
            return Ok((left, 0));
        }
        if idle < PATIENCE {
            return Ok((nearest, idle + 1));
        }
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let goal = self.route.leg(self.number).map(aim);
        let why = goal.map(|goal| in_the_way(&sweeper, &self.body, goal));
        Err(self.stuck(why.unwrap_or_default()))
    }

    fn stuck(&self, why: String) -> Stuck {
        Stuck { piece: self.route.named(self.number), at: self.at(), why }
    }

    /// The moment as it is shown.
    fn show(&mut self, happened: Vec<Happening>) -> Result<Frame, Stuck> {
        let Some(at) = self.at() else { return Err(self.stuck("it is gone".to_owned())) };
        let looks = matches!(self.doing, Doing::Looks(_) | Doing::Turns { .. });
        let watched = Watched { body: WALKER, at, looks };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (eye, look) = self.camera.follow(&sweeper, &mut self.scratch, &watched, TICK);
        let gait = self.body.gait.unwrap_or_default();
        Ok(Frame { time: self.now(), body: at, eye, look, gait, happened })
    }
}

/// Whether a piece leads over the open land.
fn is_open(leg: &TourLeg) -> bool {
    match leg {
        TourLeg::Waypoint { site, .. } => *site == "land",
        leg => aim(leg).cell.is_outdoor(),
    }
}

fn past(site: &str) -> f32 {
    if site == "land" { PAST_OPEN } else { PAST }
}

/// What of a body's events is told of a walk.
fn tell(events: &Events, happened: &mut Vec<Happening>) {
    happened.extend(events.iter().filter_map(|event| match event {
        Event::CellChanged { from: Some(from), to: Some(to) } => {
            Some(Happening::Transit { from: *from, to: *to })
        }
        Event::Landed { speed } => Some(Happening::Landed { speed: *speed }),
        _ => None,
    }));
}
