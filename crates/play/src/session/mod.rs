//! A player in a world, without a window.

mod journeys;
mod landing;
mod recovery;

use std::fmt;
use std::sync::Arc;

use threshold::piece_stream::{LoadPriority, PieceStream};
use threshold_dat::{Records, Source};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::rules::{SlidingNormal, Unloaded};
use threshold_motion::{Body, Event, MoveContext, Quantum, Rules, SweepScratch, Sweeper};
use threshold_pose::Figure;
use threshold_why::{self as why, words};
use threshold_world::{BodyId, Object, Piece, REGION, World};

use self::recovery::RecoveryPlaces;
use crate::camera::{Camera, CameraMode, CameraTarget, Viewpoint};
use crate::day::DayClock;
use crate::doors::{DoorAction, Doors};
use crate::intent::Intent;
use crate::journal::{CellTransit, Journal};
use crate::place_names::PlaceNames;
use crate::place_search::read_place;
use crate::player::{self, HUMAN_SETUP, Player, PlayerInput, PlayerSkills};
use crate::travel::{Destination, Journey, PlaceHistory, destinations};

/// Holder numbers in the world: pieces around the player, around the camera, and around a frozen view.
const PLAYER_HOLD: u32 = 1;
const CAMERA_HOLD: u32 = 2;
const FROZEN_HOLD: u32 = 4;
/// Time between two drops of pieces without a holder, in seconds.
const DROP_INTERVAL: f64 = 2.0;
/// Longest time step of doors and of the day, in seconds. The rest of a longer frame is dropped.
const MAX_STEP: f64 = 0.25;

/// A player, its camera, and the world around them.
///
/// `P` is what the host prepares for each piece on the building thread, such as meshes for a renderer.
pub struct Session<P = ()> {
    /// Name of the world in scenarios and traces.
    pub world_name: String,
    /// The resident part of the world.
    pub world: World,
    /// Names of places and rooms.
    pub names: PlaceNames,
    /// Rules that the player and the camera follow.
    pub rules: Rules,
    /// How fast the player runs and how high it jumps.
    pub skills: PlayerSkills,
    /// The player's body.
    pub player: Player,
    /// The camera.
    pub camera: Camera,
    /// Time of day and weather.
    pub day: DayClock,
    /// Moves and changes of cell of the last minute.
    pub journal: Journal,
    /// Places the player has travelled to.
    pub history: PlaceHistory,
    /// Pieces that are being built.
    pub stream: PieceStream<P>,
    prepared: Vec<P>,
    doors: Doors,
    scratch: SweepScratch,
    journey: Option<Journey>,
    pub(crate) destinations: Arc<[Destination]>,
    /// Number of destinations that were tried before the first arrival.
    tried: usize,
    /// Cell of the player according to its events; pieces are loaded around it. `None` while no cell contains the player.
    pub(crate) player_cell: Option<CellId>,
    camera_cell: Option<CellId>,
    recovery: RecoveryPlaces,
    /// Whether the player lands below the camera in the next frame.
    is_landing_requested: bool,
    /// Radius in which land is loaded, in landblocks.
    landscape_radius: u8,
    /// Time of the last frame, in seconds.
    now: f64,
    /// Time at which pieces without a holder were last dropped.
    dropped_at: f64,
    messages: Vec<String>,
}

impl<P> fmt::Debug for Session<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut session = f.debug_struct("Session");
        session.field("world_name", &self.world_name).field("now", &self.now);
        session.field("position", &self.position()).finish_non_exhaustive()
    }
}

/// Options for the start of a session.
#[derive(Debug)]
pub struct SessionOptions<'a> {
    /// Name of the world in scenarios and traces.
    pub world_name: String,
    /// Names of places and rooms; empty for a world without names.
    pub names: PlaceNames,
    /// Place to start at, as typed; `None` starts at the first destination of the world.
    pub start: Option<&'a str>,
    /// Radius in which land is loaded, in landblocks.
    pub landscape_radius: u8,
}

/// Reason why a session cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The record of the player's setup cannot be used.
    #[error("the player's setup {HUMAN_SETUP} cannot be used: {0}")]
    Setup(threshold_world::Problem),
    /// The world has no pieces.
    #[error("the world has neither land nor rooms")]
    EmptyWorld,
    /// The place to start at is not known.
    #[error("--at {0}")]
    UnknownPlace(String),
    /// The operating system refuses the building thread.
    #[error("cannot start the thread that builds the world: {0}")]
    Thread(std::io::Error),
}

/// Events of one frame.
#[derive(Debug, Default)]
pub struct FrameEvents {
    /// Changes of cell, in order.
    pub transits: Vec<CellTransit>,
    /// Whether the player was teleported: a journey has ended, the player has landed from a flight, or was put back after it was lost.
    pub arrived: bool,
    /// Speed of the last landing from a jump or fall, in metres per second.
    pub landed: Option<f32>,
}

impl<P: Send + 'static> Session<P> {
    /// Starts a session and the journey to its first place.
    ///
    /// `prepare` runs on the building thread, once for each piece that is built. Its results are returned by
    /// [`take_prepared`](Self::take_prepared) in the frame that adopts the piece.
    pub fn new(
        source: &Arc<dyn Source>,
        options: SessionOptions<'_>,
        prepare: impl FnMut(&Piece) -> P + Send + 'static,
    ) -> Result<Self, SessionError> {
        let SessionOptions { world_name, names, start, landscape_radius } = options;
        let stream = PieceStream::new(source, prepare).map_err(SessionError::Thread)?;
        let setup = stream.builder().setup(HUMAN_SETUP).map_err(SessionError::Setup)?;
        let destinations = destinations(names.places(), || stream.builder().pieces());
        let (place, label) = match (start, destinations.first()) {
            (Some(text), _) => read_place(text, &names).map_err(SessionError::UnknownPlace)?,
            (None, Some(first)) => (first.place, first.label.clone()),
            (None, None) => return Err(SessionError::EmptyWorld),
        };
        let mut rules = Rules::default();
        rules.unloaded = Unloaded::Blocked;
        rules.sliding_normal = SlidingNormal::Checked;
        let mut records = Records::new(&**source);
        let mut faults = Vec::new();
        let figure = usable(Figure::load(&mut records, HUMAN_SETUP), &mut faults);
        faults.extend(figure.iter().flat_map(Figure::faults).map(ToString::to_string));
        let region = usable(records.get(REGION), &mut faults);
        let mut session = Self {
            world_name,
            world: World::new(),
            names,
            rules,
            skills: PlayerSkills { run: 2.0, jump: 120.0 },
            player: Player::new(setup, figure),
            camera: Camera::new(CameraMode::default()),
            day: DayClock::new(region),
            journal: Journal::default(),
            history: PlaceHistory::default(),
            stream,
            prepared: Vec::new(),
            doors: Doors::new(source),
            scratch: SweepScratch::new(),
            journey: None,
            destinations: destinations.into(),
            // Without a start, the first destination is tried already.
            tried: usize::from(start.is_none()),
            player_cell: None,
            camera_cell: None,
            recovery: RecoveryPlaces::default(),
            is_landing_requested: false,
            landscape_radius,
            now: 0.0,
            dropped_at: 0.0,
            messages: Vec::new(),
        };
        session.world.set_landscape_radius(landscape_radius);
        faults.into_iter().for_each(|fault| session.report_fault(fault));
        session.travel_to(place, label);
        Ok(session)
    }
}

impl<P> Session<P> {
    /// Sets the radius in which land is loaded, in landblocks.
    pub fn set_landscape_radius(&mut self, radius: u8) {
        if self.landscape_radius != radius {
            self.landscape_radius = radius;
            self.world.set_landscape_radius(radius);
        }
    }

    /// Returns the position of the player's body; `None` before the first arrival.
    pub fn position(&self) -> Option<Position> {
        self.player.position(&self.world)
    }

    /// Takes the messages for the player since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Takes what was prepared for the pieces adopted since the last call.
    pub fn take_prepared(&mut self) -> Vec<P> {
        std::mem::take(&mut self.prepared)
    }

    fn post_message(&mut self, text: String) {
        self.messages.push(text);
    }

    /// Adds a record that cannot be read to the faults of the stream, with a message for the player.
    fn report_fault(&mut self, fault: String) {
        let message = format!("left out: {fault}");
        if self.stream.note_fault(fault) {
            self.post_message(message);
        }
    }

    /// Advances the session to the time `now`, in seconds since any fixed moment.
    pub fn advance(&mut self, now: f64, intent: &Intent) -> FrameEvents {
        let dt = (now - self.now).clamp(0.0, MAX_STEP);
        self.now = now;
        let mut events = FrameEvents::default();
        self.receive_pieces();
        self.finish_journey(&mut events);
        self.land_if_requested(&mut events);
        self.day.advance(dt);
        self.journal.drop_old(now);
        if self.doors.is_moving() {
            self.keep_explanation();
        }
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        self.doors.advance(
            &mut MoveContext::new(&mut self.world, self.rules, &mut self.scratch),
            dt as f32,
        );
        self.move_player(intent, &mut events);
        self.regain_footing(&mut events);
        self.drop_unheld_pieces();
        events
    }

    /// Adopts the pieces that have been built, and requests those that the world wants now.
    fn receive_pieces(&mut self) {
        let priority = self.load_priority();
        let Self { stream, prepared, world, rules, scratch, doors, journal, .. } = self;
        stream.receive(|built| {
            prepared.push(built.prepared);
            if doors.adopt(&mut MoveContext::new(world, *rules, scratch), built.piece) {
                journal.break_course();
            }
        });
        doors.retain_pending(|piece| stream.is_pending(piece));
        stream.request_wanted(world, &priority);
        self.report_door_faults();
    }

    fn report_door_faults(&mut self) {
        self.doors.take_faults().into_iter().for_each(|fault| self.report_fault(fault));
    }

    /// Returns the pieces to build first: the one a journey waits for, or those near the player and the camera.
    fn load_priority(&self) -> LoadPriority {
        let awaited = self
            .journey
            .as_ref()
            .and_then(|journey| journey.awaited_piece(&self.world, &self.stream));
        if let Some(piece) = awaited {
            return LoadPriority { first: Some(piece), blocks: vec![piece.block()] };
        }
        let cells = [self.player_cell, self.camera_cell];
        let blocks = cells.into_iter().flatten().map(CellId::block).collect();
        LoadPriority { first: None, blocks }
    }

    fn move_player(&mut self, intent: &Intent, frame: &mut FrameEvents) {
        // In flight the body stays where it is, and a held jump is dropped.
        if self.camera.mode == CameraMode::Flight {
            self.cancel_jump();
        }
        let standing = Intent { heading: intent.heading, ..Intent::default() };
        let intent = match self.camera.mode {
            CameraMode::Flight => Intent { heading: self.body_heading(), ..standing },
            CameraMode::First | CameraMode::Third => *intent,
        };
        let Self { world, rules, scratch, player, journal, skills, doors, now, .. } = self;
        let record = |world: &World, body: &Body, quantum: &Quantum| {
            let sweeper = Sweeper { world, rules: *rules };
            let at = world.body(body.id).map(Object::position);
            let is_as_recorded = at.is_some_and(|at| !doors.is_near(world, at));
            journal.record(&sweeper, body, quantum, is_as_recorded, *now);
        };
        let input = PlayerInput { intent: &intent, skills: *skills, now: *now };
        let context = &mut MoveContext::new(world, *rules, scratch);
        let events = player.advance(context, input, record);
        for event in events {
            match event {
                Event::Landed { speed } => frame.landed = Some(speed),
                _ => self.follow_cell(&event, frame),
            }
        }
    }

    /// Follows the player into another cell, or out of all cells. Only these events change the cell around which pieces are loaded.
    fn follow_cell(&mut self, event: &Event, frame: &mut FrameEvents) {
        if let Event::CellChanged { from, to } = *event {
            self.change_cell(from, to, frame);
        }
    }

    /// Records a change of cell. Without a new cell, the pieces around the last one stay held.
    fn change_cell(&mut self, from: Option<CellId>, to: Option<CellId>, frame: &mut FrameEvents) {
        self.player_cell = to;
        let Some(at) = self.position() else { return };
        if to.is_some() {
            self.world.hold_at(PLAYER_HOLD, &at);
        }
        let transit = CellTransit { time: self.now, from, to, at };
        self.journal.record_transit(transit);
        frame.transits.push(transit);
    }

    /// Drops a held jump, as when the window loses the keyboard.
    pub fn cancel_jump(&mut self) {
        self.player.cancel_jump();
    }

    fn body_heading(&self) -> f32 {
        self.position().map_or(0.0, |at| at.frame.heading())
    }

    /// Drops pieces without a holder every [`DROP_INTERVAL`].
    fn drop_unheld_pieces(&mut self) {
        if self.now - self.dropped_at > DROP_INTERVAL && self.journey.is_none() {
            self.dropped_at = self.now;
            let dropped = self.world.drop_unheld();
            self.doors.remove_doors_of(&mut self.world, &dropped);
            if !dropped.is_empty() {
                self.stream.builder().forget_unused_shapes();
            }
        }
    }

    /// Moves the camera for a frame of `dt` seconds. Returns `None` before the first arrival.
    pub fn update_camera(&mut self, intent: &Intent, dt: f32) -> Option<Viewpoint> {
        let body = self.world.body(player::PLAYER)?;
        let (position, spheres) = (*body.position(), &body.setup().spheres);
        let centre = spheres.first().map_or(Vec3::ZERO, |sphere| sphere.centre * body.scale());
        let shown = self.player.shown_position(&self.world, self.now);
        let target = CameraTarget { position, shown, centre, intent };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let viewpoint = self.camera.update(&sweeper, &mut self.scratch, &target, dt)?;
        self.camera_cell = Some(viewpoint.eye.cell);
        self.world.hold_at(CAMERA_HOLD, &viewpoint.eye);
        Some(viewpoint)
    }

    /// Returns the eye with the root cell of the portal walk, which depends on [`Camera::root`].
    pub fn root_eye(&self, viewpoint: &Viewpoint) -> Position {
        let committed = self.position().filter(|_| self.player_cell.is_some());
        self.camera.root_eye(viewpoint, committed)
    }

    /// Keeps the pieces around the cell of a frozen view resident; `None` releases them.
    pub fn hold_frozen_view(&mut self, cell: Option<CellId>) {
        match cell {
            Some(cell) => self.world.hold(FROZEN_HOLD, cell),
            None => self.world.release(FROZEN_HOLD),
        }
    }

    /// Opens or closes the door in front of the player.
    pub fn use_door(&mut self) -> DoorAction {
        let Some(at) = self.position() else { return DoorAction::NoDoor };
        let ahead = self.camera.direction();
        self.keep_explanation();
        let Self { world, rules, scratch, doors, stream, journal, .. } = self;
        let rebuild = |piece| stream.request_rebuild(piece);
        let context = &mut MoveContext::new(world, *rules, scratch);
        let action = doors.use_nearest(context, &at, ahead, rebuild);
        if action != DoorAction::NoDoor {
            journal.break_course();
        }
        self.report_door_faults();
        action
    }

    /// Explains what stopped the last move that was stopped, in sentences.
    pub fn explain_last_stop(&self) -> Vec<String> {
        match &self.journal.explanation {
            Some(explanation) => explanation.clone(),
            None => {
                self.explain().unwrap_or_else(|| vec!["no move has been stopped yet".to_owned()])
            }
        }
    }

    /// Keeps the explanation of the last stop, before the obstacle changes.
    fn keep_explanation(&mut self) {
        if self.journal.explanation.is_none() {
            self.journal.explanation = self.explain();
        }
    }

    /// Sweeps the last stopped move again, in the world as it is now; `None` if no move was stopped yet.
    fn explain(&self) -> Option<Vec<String>> {
        let (stopped, body) = self.journal.stopped.as_ref()?;
        let mut mover = body.mover(&self.world)?;
        // With a kept sliding normal the explanation would only say that no motion is left.
        mover.stance.sliding = false;
        let mut to = stopped.from;
        to.frame.origin += stopped.offset;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (_, explained) = why::sweep(&sweeper, &mover, &stopped.from, &to);
        let player = [(player::PLAYER, "you")].into_iter();
        let bodies: Vec<_> =
            player.chain(self.doors.bodies().map(|body| (body, "the door"))).collect();
        let name_bodies = |text: &str| {
            bodies.iter().fold(text.to_owned(), |text, (body, name)| name_body(&text, *body, name))
        };
        Some(explained.summary.iter().map(|node| name_bodies(&node.text)).collect())
    }

    /// Returns the position at which the player is drawn, between its last two moves.
    pub fn shown_position(&self) -> Position {
        self.player.shown_position(&self.world, self.now)
    }

    /// Returns the player's measured velocity, in metres per second.
    pub fn measured_velocity(&self) -> Vec3 {
        self.player.body.actual_velocity
    }
}

/// Returns what was read. An error is added to `faults`.
fn usable<T>(read: threshold_dat::Result<Option<T>>, faults: &mut Vec<String>) -> Option<T> {
    read.unwrap_or_else(|error| {
        faults.push(error.to_string());
        None
    })
}

/// Replaces the id of a body in a text by its name.
fn name_body(text: &str, body: BodyId, name: &str) -> String {
    let number = body.to_string();
    let text = text.replace(&number, name);
    text.replace(&words::sentence(&number), &words::sentence(name))
}
