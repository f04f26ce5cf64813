//! Doors that are opened and shut.
//!
//! The records of a world have doors as things that never move. One that somebody takes hold of becomes a body, with all others of its
//! room or landblock; once the room goes, they are again what the records say.

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

/// How a door swings.
#[derive(Clone, Copy, Debug)]
struct Swing {
    shut: Frame,
    /// In degrees, to the right seen from above.
    degrees: f32,
    seconds: f32,
}

/// A door that somebody took hold of.
struct Hung {
    /// What it is in the records.
    thing: ObjectId,
    piece: PieceId,
    door: Door,
}

/// All doors.
pub(crate) struct Doors {
    source: Arc<dyn Source>,
    /// The setups that are doors, and those that are none.
    swings: BTreeMap<RecordId, Option<Swing>>,
    hung: Vec<Hung>,
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
        Self { source: Arc::clone(source), swings: BTreeMap::new(), hung: Vec::new(), next: FIRST }
    }

    /// Takes out of a piece that comes what hangs in the world as a body already.
    pub(crate) fn strip(&self, piece: &mut Piece) {
        if !self.hung.is_empty() {
            piece.take_objects(|object| self.hung.iter().any(|hung| hung.thing == object.id()));
        }
    }

    /// Forgets the doors of pieces that have gone.
    pub(crate) fn forget(&mut self, world: &mut World, gone: &[PieceId]) {
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

    /// Opens or shuts the door before somebody, with where it looks.
    pub(crate) fn reach(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        (from, ahead): (&Position, Vec3),
        build: impl Fn(PieceId) -> Option<Piece>,
    ) -> Reached {
        let Some((thing, body)) = self.nearest(world, from, ahead) else {
            return Reached::Nothing;
        };
        let body = match body {
            Some(body) => body,
            None => match self.hang(world, rules, scratch, thing, build) {
                Some(body) => body,
                None => return Reached::Nothing,
            },
        };
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

    /// Makes bodies of the doors of a piece; returns that of one of them. They stand open, as in the records.
    fn hang(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        wanted: ObjectId,
        build: impl Fn(PieceId) -> Option<Piece>,
    ) -> Option<BodyId> {
        let cell = world.object(wanted)?.position().cell;
        let id = match cell.is_indoor() {
            true => PieceId::Room(cell),
            false => PieceId::Land(cell.block()),
        };
        let mut piece = build(id)?;
        self.strip(&mut piece);
        let doors = piece.take_objects(|object| self.swing(object.setup().id).is_some());
        world.adopt(piece);
        let mut own = None;
        for object in doors {
            let body = self.hang_one(world, rules, scratch, (&object, id));
            if object.id() == wanted {
                own = body;
            }
        }
        own
    }

    fn hang_one(
        &mut self,
        world: &mut World,
        rules: Rules,
        scratch: &mut Scratch,
        (object, piece): (&Object, PieceId),
    ) -> Option<BodyId> {
        let swing = self.swing(object.setup().id)?;
        let body = BodyId(self.next);
        self.next += 1;
        world.insert(BodySpec {
            body,
            setup: Arc::new(object.setup().clone()),
            position: *object.position(),
            scale: object.scale(),
            state: State::default(),
            kind: ObjectKind::Thing,
        });
        world.pose_part(body, 0, swing.shut).ok()?;
        let hinge = Hinge { part: 0, swing: swing.degrees };
        let mut door = Door::new(world, body, &[hinge], swing.seconds).ok()?;
        door.open(world, rules, scratch).ok()?;
        door.update(world, rules, scratch, swing.seconds).ok()?;
        self.hung.push(Hung { thing: object.id(), piece, door });
        Some(body)
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
