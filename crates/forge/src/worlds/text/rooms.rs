//! Plans: rooms, their blocks and things, and their openings.

use threshold_land::Frame;

use super::lexer::{Place, Token};
use super::limits;
use super::names::Names;
use super::objects::{Objects, known_names};
use super::pose::{OPTIONS, Pose, REPEAT, Repeat};
use super::shapes::{opening, shape};
use super::solids::SolidGroup;
use super::words::{TextResult, Words};
use crate::stock::material::Material;
use crate::tool::forge::Forge;
use crate::tool::plan::{Plan, RoomKey, StabListMode};
use crate::tool::room::{FaceMaterials, RoomSpec};

/// The statements of a plan.
pub(super) const STATEMENTS: [&str; 12] = [
    "room", "block", "stairs", "ramp", "join", "exit", "window", "outside", "solid", "gable",
    "lists", "put",
];

/// A plan, and the places of its parts in the text.
#[derive(Debug)]
pub(super) struct PlanOrigin {
    pub(super) plan: Plan,
    names: Names<RoomKey>,
    pub(super) rooms: Vec<RoomOrigin>,
    pub(super) openings: Vec<Place>,
    pub(super) objects: Vec<Place>,
    pub(super) solids: Vec<Place>,
}

/// The places of a room and its blocks in the text.
#[derive(Debug)]
pub(super) struct RoomOrigin {
    pub(super) place: Place,
    pub(super) blocks: Vec<Place>,
}

impl PlanOrigin {
    pub(super) fn new() -> Self {
        Self {
            plan: Plan::new(),
            names: Names::of("room"),
            rooms: Vec::new(),
            openings: Vec::new(),
            objects: Vec::new(),
            solids: Vec::new(),
        }
    }

    /// One of the [`STATEMENTS`] but `put`.
    pub(super) fn statement(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        let start = words.start;
        match key {
            "room" => self.room(words),
            "block" | "stairs" | "ramp" => {
                let room = self.known_room(words)?;
                let solids = SolidGroup::read(key, words, Material::Cobble)?;
                self.add_blocks(room, solids, start)
            }
            "solid" | "gable" => {
                let usual = if key == "gable" { Material::Slate } else { Material::Cobble };
                let solids = SolidGroup::read(key, words, usual)?;
                let count = solids.add_to(&mut self.plan.solids, "solids in one plan", start)?;
                self.solids.extend(std::iter::repeat_n(start, count));
                if key == "gable" {
                    let all = self.plan.solids.len();
                    self.plan.roofs.extend(all - count..all);
                }
                Ok(())
            }
            "join" | "exit" | "window" => self.open(key, words),
            "outside" => {
                let materials =
                    face_materials(words, self.plan.outside, ["walls", "roof", "under"])?;
                self.plan.outside(materials);
                Ok(())
            }
            _ => {
                let lists = match words.one_of("a kind of list", &["sight", "reach"])? {
                    "sight" => StabListMode::Sight,
                    _ => StabListMode::Reach,
                };
                self.plan.lists(lists);
                words.finish()
            }
        }
    }

    fn known_room(&self, words: &mut Words<'_>) -> TextResult<RoomKey> {
        self.names.get(words.name("the name of a room")?)
    }

    /// `room NAME SHAPE [at P] [heading H] [tilt T] [of M] [walls M] [floor M] [ceiling M] [buried]`.
    fn room(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.start;
        let name = words.name("the name of a room")?;
        self.names.check_new(name)?;
        let shape = shape(words)?;
        let (mut pose, mut buried, mut all) = (Pose::default(), false, None);
        let mut faces = [None; 3];
        let known = [&OPTIONS[..], &["of", "walls", "floor", "ceiling", "buried"]].concat();
        words.options(&known, |key, words| {
            match key {
                "of" => all = Some(words.material()?),
                "walls" => faces[0] = Some(words.material()?),
                "floor" => faces[1] = Some(words.material()?),
                "ceiling" => faces[2] = Some(words.material()?),
                "buried" => buried = true,
                _ => pose.option(key, words)?,
            }
            Ok(())
        })?;
        let materials = replaced(all.map_or(FaceMaterials::default(), FaceMaterials::all), faces);
        let room = RoomSpec::shaped(shape).named(name.text).at(pose.in_plan()?);
        let room = room.materials(materials);
        self.add_room(name, if buried { room.buried() } else { room }, place)
    }

    fn add_room(&mut self, name: Token<'_>, room: RoomSpec, place: Place) -> TextResult<()> {
        let key = self.plan.room(room);
        self.rooms.push(RoomOrigin { place, blocks: Vec::new() });
        self.names.add(name, key)
    }

    fn add_blocks(&mut self, key: RoomKey, solids: SolidGroup, place: Place) -> TextResult<()> {
        let room = self.plan.rooms.get_mut(key.0).zip(self.rooms.get_mut(key.0));
        let Some((room, origin)) = room else { return Ok(()) };
        let count = solids.add_to(&mut room.blocks, "blocks in one room", place)?;
        origin.blocks.extend(std::iter::repeat_n(place, count));
        Ok(())
    }

    fn open(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.start;
        let room = self.known_room(words)?;
        match key {
            "join" => {
                let other = self.known_room(words)?;
                let opening = opening(words)?;
                self.plan.join(room, other, opening)
            }
            "exit" => self.plan.exit(room, opening(words)?),
            _ => self.plan.window(room, opening(words)?),
        };
        self.openings.push(place);
        Ok(())
    }

    /// `put ROOM THING at P [heading H] [tilt T] [times N step P]`.
    pub(super) fn put(
        &mut self,
        words: &mut Words<'_>,
        objects: &mut Objects,
        forge: &mut Forge,
    ) -> TextResult<()> {
        let place = words.start;
        let first = words.peek().map_or("", |token| token.text);
        let room = self.known_room(words).map_err(|mut error| {
            if known_names().contains(&first) {
                error.message.push_str("; in a plan the room comes before the thing");
            }
            error
        })?;
        let thing = objects.thing(words, forge)?;
        let (pose, repeat) = pose_and_repeat(words)?;
        let frame = pose.in_plan()?;
        for step in repeat.steps()? {
            if self.objects.len() == limits::THINGS {
                let message = format!("too many things; the maximum is {}", limits::THINGS);
                return Err(place.error(message));
            }
            self.objects.push(place);
            self.plan.put(room, thing, Frame { origin: frame.origin + step, ..frame });
        }
        Ok(())
    }
}

/// The pose of a placed plan or thing, and its copies.
pub(super) fn pose_and_repeat(words: &mut Words<'_>) -> TextResult<(Pose, Repeat)> {
    let (mut pose, mut repeat) = (Pose::default(), Repeat::ONCE);
    let known = [&OPTIONS[..], &REPEAT[..]].concat();
    words.options(&known, |key, words| match key {
        "times" | "step" => repeat.option(key, words),
        _ => pose.option(key, words),
    })?;
    Ok((pose, repeat))
}

/// Replaces materials by the words for walls, upward and downward faces.
fn face_materials(
    words: &mut Words<'_>,
    before: FaceMaterials,
    known: [&'static str; 3],
) -> TextResult<FaceMaterials> {
    let mut faces = [None; 3];
    words.options(&known, |key, words| {
        let material = Some(words.material()?);
        for (face, _) in faces.iter_mut().zip(known).filter(|(_, word)| *word == key) {
            *face = material;
        }
        Ok(())
    })?;
    Ok(replaced(before, faces))
}

/// Replaces the materials that are given.
fn replaced(before: FaceMaterials, [walls, up, down]: [Option<Material>; 3]) -> FaceMaterials {
    FaceMaterials {
        walls: walls.unwrap_or(before.walls),
        up: up.unwrap_or(before.up),
        down: down.unwrap_or(before.down),
    }
}
