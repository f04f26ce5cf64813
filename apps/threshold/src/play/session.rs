//! Somebody in a world, without a window: everything that happens while one plays.

use std::sync::Arc;

use threshold_dat::Source;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::rules::{SlidingNormal, Unloaded};
use threshold_motion::{Body, Event, Quantum, Rules, Scratch, Sweeper};
use threshold_render::gpu::Prepared;
use threshold_why as why;
use threshold_why::words;
use threshold_world::{BodyId, Object, World};

use super::camera::{Camera, Mode, Sight, Walker};
use super::day::Day;
use super::doors::{Doors, Reached};
use super::intent::Intent;
use super::journal::{Journal, Transit};
use super::lost::Footing;
use super::player::{self, HUMAN, Player, Skills};
use super::stream::{Near, Stream};
use super::travel::{History, Spot, Travel, spots};
use crate::names::Names;
use crate::place_names::read_place;

/// Who holds what is around the player, around the camera, and around where a view was frozen.
pub(super) const PLAYER: u32 = 1;
const CAMERA: u32 = 2;
const FROZEN: u32 = 4;
/// How often what nobody holds is let go of, in seconds.
const TIDY: f64 = 2.0;
/// A frame that took longer was not shown to anybody, in seconds.
const LONGEST: f64 = 0.25;

/// Somebody in a world.
pub(crate) struct Session {
    /// What scenarios call the world.
    pub(crate) world_name: String,
    pub(crate) world: World,
    pub(crate) names: Names,
    pub(crate) rules: Rules,
    pub(crate) skills: Skills,
    pub(crate) player: Player,
    pub(crate) camera: Camera,
    pub(crate) day: Day,
    pub(crate) journal: Journal,
    pub(crate) history: History,
    pub(crate) stream: Stream,
    doors: Doors,
    pub(super) scratch: Scratch,
    pub(super) travel: Option<Travel>,
    /// Places that are worth a visit, and how many of them were tried by who has not arrived anywhere.
    pub(super) places: Arc<[Spot]>,
    pub(super) tried: usize,
    /// The cell of the player, as its events tell: what is near, and what is held, follows it. `None` while it is in no cell.
    pub(super) player_cell: Option<CellId>,
    /// The cell of the camera.
    looks_from: Option<CellId>,
    /// Where the player last stood: it goes back there once it is lost.
    pub(super) footing: Footing,
    /// The player is to land where the camera flies.
    pub(super) lands: bool,
    /// How many landblocks away land is loaded.
    far: u8,
    /// The time of the last frame, in seconds.
    pub(super) now: f64,
    tidied: f64,
    /// What somebody should be told.
    said: Vec<String>,
}

/// Why nobody can play.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoSession {
    #[error("nobody is there to walk: setup {HUMAN}: {0}")]
    NoMover(threshold_world::Problem),
    #[error("this world has neither land nor rooms")]
    Empty,
    #[error("--at {0}")]
    NoPlace(String),
    #[error("the thread that builds the world does not start: {0}")]
    NoThread(std::io::Error),
}

/// What a frame brings.
#[derive(Default)]
pub(crate) struct Happened {
    /// For who draws.
    pub(crate) prepared: Vec<Prepared>,
    pub(crate) transits: Vec<Transit>,
    /// Whether a journey has ended.
    pub(crate) arrived: bool,
    /// How hard somebody landed, in metres a second.
    pub(crate) landed: Option<f32>,
}

impl Session {
    /// In a world, at a place; in the built-in world at its lake, elsewhere wherever there is something.
    pub(crate) fn new(
        source: &Arc<dyn Source>,
        (world_name, names): (String, Names),
        at: Option<&str>,
        far: u8,
    ) -> Result<Self, NoSession> {
        let stream = Stream::new(source).map_err(NoSession::NoThread)?;
        let setup = stream.builder().setup(HUMAN).map_err(NoSession::NoMover)?;
        let places = spots(names.places(), || stream.builder().pieces());
        let (place, label) = match (at, places.first()) {
            (Some(text), _) => read_place(text, &names).map_err(NoSession::NoPlace)?,
            (None, Some(first)) => (first.place, first.label.clone()),
            (None, None) => return Err(NoSession::Empty),
        };
        let mut rules = Rules::default();
        rules.unloaded = Unloaded::Blocked;
        rules.sliding_normal = SlidingNormal::Checked;
        let mut session = Self {
            world_name,
            world: World::new(),
            names,
            rules,
            skills: Skills { run: 2.0, jump: 120.0 },
            player: Player::new(&**source, setup),
            camera: Camera::new(Mode::default()),
            day: Day::new(&**source),
            journal: Journal::default(),
            history: History::default(),
            stream,
            doors: Doors::new(source),
            scratch: Scratch::new(),
            travel: None,
            places: places.into(),
            // Where one begins by oneself is the first of them.
            tried: usize::from(at.is_none()),
            player_cell: None,
            looks_from: None,
            footing: Footing::default(),
            lands: false,
            far,
            now: 0.0,
            tidied: 0.0,
            said: Vec::new(),
        };
        session.world.set_landscape_radius(far);
        session.go(place, label);
        Ok(session)
    }

    /// So many landblocks away land is loaded.
    pub(crate) fn set_far(&mut self, far: u8) {
        if self.far != far {
            self.far = far;
            self.world.set_landscape_radius(far);
        }
    }

    /// Where the player is; `None` before it has arrived anywhere.
    pub(crate) fn at(&self) -> Option<Position> {
        self.player.at(&self.world)
    }

    /// What is to be told, once.
    pub(crate) fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    pub(crate) fn say(&mut self, text: String) {
        self.said.push(text);
    }

    /// Lets time go on to a moment, in seconds, with what somebody wishes.
    pub(crate) fn frame(&mut self, now: f64, intent: &Intent) -> Happened {
        let dt = (now - self.now).clamp(0.0, LONGEST);
        self.now = now;
        let mut happened = Happened::default();
        self.take_pieces(&mut happened);
        self.arrive(&mut happened);
        self.land(&mut happened);
        self.day.advance(dt);
        self.journal.pass(now);
        if self.doors.is_moving() {
            self.keep_why();
        }
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        self.doors.advance(&mut self.world, self.rules, &mut self.scratch, dt as f32);
        self.walk(intent, &mut happened);
        self.regain_footing(&mut happened);
        self.tidy();
        happened
    }

    /// Takes in what has come, and asks for more.
    fn take_pieces(&mut self, happened: &mut Happened) {
        let near = self.near();
        let Self { stream, world, rules, scratch, doors, journal, .. } = self;
        stream.come(|come| {
            happened.prepared.push(come.prepared);
            if doors.adopt(world, *rules, scratch, come.piece) {
                journal.break_off();
            }
        });
        doors.let_go(|piece| stream.is_on_the_way(piece));
        stream.ask(world, &near);
    }

    /// For whom pieces come: for who is on the way, or else for who is here and looks.
    fn near(&self) -> Near {
        let waits =
            self.travel.as_ref().and_then(|travel| travel.waits_for(&self.world, &self.stream));
        if let Some(piece) = waits {
            return Near { first: Some(piece), blocks: vec![piece.block()] };
        }
        let cells = [self.player_cell, self.looks_from];
        Near { first: None, blocks: cells.into_iter().flatten().map(CellId::block).collect() }
    }

    fn walk(&mut self, intent: &Intent, happened: &mut Happened) {
        // Who flies leaves its body where it is, and does not let go of a jump there.
        if self.camera.mode == Mode::Flight {
            self.forget_jump();
        }
        let stands = Intent { heading: intent.heading, ..Intent::default() };
        let wish = match self.camera.mode {
            Mode::Flight => Intent { heading: self.heading(), ..stands },
            Mode::First | Mode::Third => *intent,
        };
        let Self { world, rules, scratch, player, journal, skills, doors, now, .. } = self;
        let tell = |world: &World, body: &Body, quantum: &Quantum| {
            let sweeper = Sweeper { world, rules: *rules };
            let at = world.body(body.id).map(Object::position);
            let is_as_recorded = at.is_some_and(|at| !doors.is_near(world, at));
            journal.note(&sweeper, (body, quantum), is_as_recorded, *now);
        };
        let events = player.advance(world, *rules, scratch, (&wish, *skills, *now), tell);
        for event in events {
            match event {
                Event::Landed { speed } => happened.landed = Some(speed),
                _ => self.follow_cell(&event, happened),
            }
        }
    }

    /// Follows the player into another cell, or out of all cells. Nothing else may change the cell that is held and looked round from.
    pub(super) fn follow_cell(&mut self, event: &Event, happened: &mut Happened) {
        if let Event::CellChanged { from, to } = *event {
            self.change_cell(from, to, happened);
        }
    }

    /// The player is in another cell, or in none. What it held last is held until it is in a cell again.
    fn change_cell(&mut self, from: Option<CellId>, to: Option<CellId>, happened: &mut Happened) {
        self.player_cell = to;
        let Some(at) = self.at() else { return };
        if to.is_some() {
            self.world.hold_at(PLAYER, &at);
        }
        let transit = Transit { time: self.now, from, to, at };
        self.journal.note_transit(transit);
        happened.transits.push(transit);
    }

    /// A jump that is held is not jumped: for who looks away.
    pub(crate) fn forget_jump(&mut self) {
        self.player.forget_jump();
    }

    /// The way the body faces.
    fn heading(&self) -> f32 {
        self.at().map_or(0.0, |at| at.frame.heading())
    }

    /// Drops pieces without a holder now and then.
    fn tidy(&mut self) {
        if self.now - self.tidied > TIDY && self.travel.is_none() {
            self.tidied = self.now;
            let gone = self.world.drop_unheld();
            self.doors.forget(&mut self.world, &gone);
        }
    }

    /// From where one looks by now; `None` before one has arrived anywhere.
    pub(crate) fn look(&mut self, intent: &Intent, dt: f32) -> Option<Sight> {
        let body = self.world.body(player::PLAYER)?;
        let (at, spheres) = (*body.position(), &body.setup().spheres);
        let centre = spheres.first().map_or(Vec3::ZERO, |sphere| sphere.centre * body.scale());
        let shown = self.player.shown(&self.world, self.now);
        let walker = Walker { at, shown, centre, intent };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let sight = self.camera.look(&sweeper, &mut self.scratch, &walker, dt)?;
        self.looks_from = Some(sight.eye.cell);
        self.world.hold_at(CAMERA, &sight.eye);
        Some(sight)
    }

    /// Returns the eye of a picture with the cell that the picture starts in, as the camera's root says.
    pub(crate) fn picture_eye(&self, sight: &Sight) -> Position {
        self.camera.picture_eye(sight, self.at().filter(|_| self.player_cell.is_some()))
    }

    /// Holds on to what is seen from a cell, for as long as a view is frozen there.
    pub(crate) fn hold_frozen(&mut self, cell: Option<CellId>) {
        match cell {
            Some(cell) => self.world.hold(FROZEN, cell),
            None => self.world.release(FROZEN),
        }
    }

    /// Opens or shuts the door before the player.
    pub(crate) fn use_door(&mut self) -> Reached {
        let Some(at) = self.at() else { return Reached::Nothing };
        let ahead = self.camera.ahead();
        self.keep_why();
        let Self { world, rules, scratch, doors, stream, journal, .. } = self;
        let comes_again = |piece| stream.ask_again(piece);
        let reached = doors.reach(world, *rules, scratch, (&at, ahead), comes_again);
        if reached != Reached::Nothing {
            journal.break_off();
        }
        reached
    }

    /// What was in the way of the last step that something was in the way of, in words.
    pub(crate) fn why(&self) -> Vec<String> {
        match &self.journal.explained {
            Some(explained) => explained.clone(),
            None => {
                self.explain().unwrap_or_else(|| vec!["nothing has been in the way yet".to_owned()])
            }
        }
    }

    /// Keeps that before something else is there than what was in the way.
    fn keep_why(&mut self) {
        if self.journal.explained.is_none() {
            self.journal.explained = self.explain();
        }
    }

    /// The same by what is there now; `None` where nothing has been in the way yet.
    fn explain(&self) -> Option<Vec<String>> {
        let (moved, body) = self.journal.blocked.as_ref()?;
        let mut mover = body.mover(&self.world)?;
        // As if it had just come there: who goes on against a wall is only told that nothing is left of its way.
        mover.stance.sliding = false;
        let mut to = moved.from;
        to.frame.origin += moved.by;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (_, explained) = why::sweep(&sweeper, &mover, &moved.from, &to);
        let known = [(player::PLAYER, "you")].into_iter();
        let known: Vec<_> =
            known.chain(self.doors.bodies().map(|body| (body, "the door"))).collect();
        let named = |text: &str| known.iter().fold(text.to_owned(), |text, it| name(&text, *it));
        Some(explained.summary.iter().map(|node| named(&node.text)).collect())
    }

    /// Where the player is shown: for tests of how smoothly it moves.
    #[cfg(test)]
    pub(crate) fn shown(&self) -> Position {
        self.player.shown(&self.world, self.now)
    }

    /// How fast the player really goes, in metres a second.
    pub(crate) fn speed(&self) -> Vec3 {
        self.player.body.went
    }
}

/// Calls a body by its name in a text that has its number.
fn name(text: &str, (body, name): (BodyId, &str)) -> String {
    let number = body.to_string();
    let text = text.replace(&number, name);
    text.replace(&words::sentence(&number), &words::sentence(name))
}
