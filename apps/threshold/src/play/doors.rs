//! Doors that are opened and shut.
//!
//! The records of a world have doors as things that never move. One that somebody takes hold of becomes a body, with all others of its
//! room or landblock, when that has been built once more without them; once the room goes, they are again what the records say.

use std::collections::BTreeMap;
use std::sync::Arc;

use threshold_dat::{RecordId, Records, Source};
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Position};
use threshold_motion::{Door, DoorState, Hinge, Rules, Scratch};
use threshold_render::pose::{Acting, Command, Display, Figure};
use threshold_world::{
    BodyId, BodySpec, Object, ObjectId, ObjectKind, Piece, PieceId, State, World,
};

use super::player::EYES;

/// Doors are numbered from here on, and below the player.
const FIRST: u32 = 0xD000_0000;
/// How far one reaches, in metres, and how far aside of where one looks, as the cosine of the angle.
const REACH: f32 = 2.8;
const ASIDE: f32 = 0.2;
/// Who is so near to where a leaf can be may touch it, in metres: its own height, and a step.
const NEAR: f32 = 2.5;

/// How a door swings.
#[derive(Clone, Copy, Debug)]
struct Swing {
    shut: Frame,
    /// In degrees, to the right seen from above.
    degrees: f32,
    seconds: f32,
}

impl Swing {
    /// Makes a door of a body, which stands open; `None` where it has no part that turns.
    fn open(
        &self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        body: BodyId,
    ) -> Option<Door> {
        world.pose_part(body, 0, self.shut).ok()?;
        let hinge = Hinge { part: 0, swing: self.degrees };
        let mut door = Door::new(world, body, &[hinge], self.seconds).ok()?;
        door.open(world, rules, scratch).ok()?;
        door.update(world, rules, scratch, self.seconds).ok()?;
        Some(door)
    }
}

/// A door that somebody took hold of.
struct Hung {
    /// What it is in the records.
    thing: ObjectId,
    piece: PieceId,
    door: Door,
}

/// A door that somebody takes hold of while its piece is being built without it.
struct Grasped {
    thing: ObjectId,
    piece: PieceId,
    /// Whether it is to be shut then.
    shuts: bool,
}

/// All doors.
pub(crate) struct Doors {
    source: Arc<dyn Source>,
    /// The setups that are doors, and those that are none.
    swings: BTreeMap<RecordId, Option<Swing>>,
    hung: Vec<Hung>,
    grasped: Vec<Grasped>,
    next: u32,
}

/// What became of somebody's reaching for a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Nothing,
    Opens,
    Shuts,
}

impl Doors {
    pub(crate) fn new(source: &Arc<dyn Source>) -> Self {
        Self {
            source: Arc::clone(source),
            swings: BTreeMap::new(),
            hung: Vec::new(),
            grasped: Vec::new(),
            next: FIRST,
        }
    }

    /// Makes a piece that comes part of the world, without what hangs there as a body already; whether doors were hung that somebody
    /// has taken hold of. They stand open, as in the records.
    pub(crate) fn adopt(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        mut piece: Piece,
    ) -> bool {
        let id = piece.id();
        if !self.hung.is_empty() {
            piece.take_objects(|object| self.hung.iter().any(|hung| hung.thing == object.id()));
        }
        let is_grasped = self.grasped.iter().any(|grasped| grasped.piece == id);
        let mut doors = Vec::new();
        if is_grasped {
            doors = piece.take_objects(|object| self.swing(object.setup().id).is_some());
        }
        world.adopt(piece);
        for object in doors {
            self.hang(world, rules, scratch, (&object, id));
        }
        self.grasped.retain(|grasped| grasped.piece != id);
        is_grasped
    }

    /// Lets go of doors whose piece does not come after all.
    pub(crate) fn let_go(&mut self, comes: impl Fn(PieceId) -> bool) {
        self.grasped.retain(|grasped| comes(grasped.piece));
    }

    /// Whether somebody is near a door that was taken hold of: in the records it stands open and solid, whatever it does here.
    pub(crate) fn is_near(&self, world: &World, at: &Position) -> bool {
        let mut bodies = self.hung.iter().filter_map(|hung| world.body(hung.door.body()));
        bodies.any(|object| {
            let leaf = object.setup().reach * object.scale().abs();
            object.position().offset_to(at).length() < leaf + NEAR
        })
    }

    /// Whether a leaf turns, or waits for somebody who stands in it.
    pub(crate) fn is_moving(&self) -> bool {
        let rests = |state| matches!(state, DoorState::Open | DoorState::Closed);
        self.hung.iter().any(|hung| !rests(hung.door.state()))
    }

    /// The bodies that are doors.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.hung.iter().map(|hung| hung.door.body())
    }

    /// Forgets the doors of pieces that have gone.
    pub(crate) fn forget(&mut self, world: &mut World, gone: &[PieceId]) {
        self.let_go(|piece| !gone.contains(&piece));
        self.hung.retain(|hung| {
            let stays = !gone.contains(&hung.piece);
            if !stays {
                // It is there: nobody else takes it out.
                let _ = world.remove(hung.door.body());
            }
            stays
        });
    }

    /// Lets leaves turn for so many seconds.
    pub(crate) fn advance(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        dt: f32,
    ) {
        for hung in &mut self.hung {
            // Its body is there as long as it is listed.
            let _ = hung.door.update(world, rules, scratch, dt);
        }
    }

    /// Opens or shuts the door before somebody, with where it looks. One that is not a body yet becomes one when its piece has been
    /// built again, if it comes.
    pub(crate) fn reach(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        (from, ahead): (&Position, Vec3),
        comes_again: impl FnOnce(PieceId) -> bool,
    ) -> Reached {
        let Some((thing, body)) = self.nearest(world, from, ahead) else {
            return Reached::Nothing;
        };
        let Some(body) = body else { return self.grasp(world, thing, comes_again) };
        let Some(hung) = self.hung.iter_mut().find(|hung| hung.door.body() == body) else {
            return Reached::Nothing;
        };
        match hung.door.state() {
            DoorState::Open | DoorState::Opening => {
                hung.door.close();
                Reached::Shuts
            }
            _ => match hung.door.open(world, rules, scratch) {
                Ok(()) => Reached::Opens,
                Err(_) => Reached::Nothing,
            },
        }
    }

    /// The nearest door within reach, as a thing or as the body that it is by now.
    fn nearest(
        &mut self,
        world: &World,
        from: &Position,
        ahead: Vec3,
    ) -> Option<(ObjectId, Option<BodyId>)> {
        let mut head = *from;
        head.frame.origin += Vec3::Z * EYES * 0.6;
        let mut found: Option<(f32, ObjectId, Option<BodyId>)> = None;
        for object in world.objects() {
            let way = head.offset_to(object.position());
            let far = way.truncate().length();
            if far > REACH || way.z.abs() > 2.5 || self.swing(object.setup().id).is_none() {
                continue;
            }
            let level = ahead.truncate().normalize_or_zero();
            let is_before = far < 0.8 || way.truncate().normalize_or_zero().dot(level) > ASIDE;
            if is_before && found.is_none_or(|(nearest, ..)| far < nearest) {
                found = Some((far, object.id(), object.id().as_body()));
            }
        }
        found.map(|(_, thing, body)| (thing, body))
    }

    /// Takes hold of a door that is a thing of its piece, and stands open as they all do: shuts it as soon as it can.
    fn grasp(
        &mut self,
        world: &World,
        thing: ObjectId,
        comes_again: impl FnOnce(PieceId) -> bool,
    ) -> Reached {
        if let Some(grasped) = self.grasped.iter_mut().find(|grasped| grasped.thing == thing) {
            grasped.shuts = !grasped.shuts;
            return if grasped.shuts { Reached::Shuts } else { Reached::Opens };
        }
        let Some(object) = world.object(thing) else { return Reached::Nothing };
        let piece = PieceId::from_cell(object.position().cell);
        if !comes_again(piece) {
            return Reached::Nothing;
        }
        self.grasped.push(Grasped { thing, piece, shuts: true });
        Reached::Shuts
    }

    /// Makes a body of a door, and shuts it if somebody wished so.
    fn hang(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        (object, piece): (&Object, PieceId),
    ) {
        let Some(swing) = self.swing(object.setup().id) else { return };
        let (thing, body) = (object.id(), BodyId(self.next));
        self.next += 1;
        world.insert(BodySpec {
            body,
            setup: Arc::new(object.setup().clone()),
            position: *object.position(),
            scale: object.scale(),
            state: State::default(),
            kind: ObjectKind::Thing,
        });
        let Some(mut door) = swing.open(world, rules, scratch, body) else {
            // Nobody else would ever take it out. It was put in just now.
            let _ = world.remove(body);
            return;
        };
        if self.grasped.iter().any(|grasped| grasped.thing == thing && grasped.shuts) {
            door.close();
        }
        self.hung.push(Hung { thing, piece, door });
    }

    /// How a setup swings, if it is a door: one part that can be open and shut.
    fn swing(&mut self, setup: RecordId) -> Option<Swing> {
        let source = &*self.source;
        *self.swings.entry(setup).or_insert_with(|| read(source, setup))
    }
}

fn read(source: &dyn Source, setup: RecordId) -> Option<Swing> {
    let figure = Figure::load(&mut Records::new(source), setup).ok()??;
    if figure.parts() != 1 || !figure.knows(Command::ON) || !figure.knows(Command::OFF) {
        return None;
    }
    let pose = |command: Command| {
        let mut parts = Vec::new();
        figure.pose(command.shown(1.0), 0.0, Display::Smooth, &mut parts);
        parts.first().copied()
    };
    let (shut, open) = (pose(Command::OFF)?, pose(Command::ON)?);
    let turn = (open.heading() - shut.heading() + 540.0).rem_euclid(360.0) - 180.0;
    let mut acting = Acting::already(Arc::new(figure), Command::OFF, 0.0);
    acting.change(Command::ON, 0.0);
    #[allow(clippy::cast_possible_truncation, reason = "a second or two")]
    let seconds = acting.arrival() as f32;
    Some(Swing { shut, degrees: turn, seconds })
}
