//! Plans: rooms, what stands in them, and their openings.

use threshold_land::Frame;

use super::lexer::{Place, Token};
use super::limits;
use super::matter::Matter;
use super::names::Names;
use super::objects::{Objects, known_names};
use super::shapes::{opening, shape};
use super::stance::{OPTIONS, REPEAT, Repeat, Stance};
use super::words::{Text, Words};
use crate::stock::material::Material;
use crate::tool::forge::Forge;
use crate::tool::plan::{Plan, RoomKey, StabListMode};
use crate::tool::room::{FaceMaterials, RoomSpec};

/// The statements of a plan.
pub(super) const STATEMENTS: [&str; 12] = [
    "room", "block", "stairs", "ramp", "join", "exit", "window", "outside", "solid", "gable",
    "lists", "put",
];

/// A plan, and where its parts were written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) plan: Plan,
    names: Names<RoomKey>,
    pub(super) rooms: Vec<WrittenRoom>,
    pub(super) openings: Vec<Place>,
    pub(super) objects: Vec<Place>,
    pub(super) solids: Vec<Place>,
}

/// Where a room and its blocks were written.
#[derive(Debug)]
pub(super) struct WrittenRoom {
    pub(super) place: Place,
    pub(super) blocks: Vec<Place>,
}

impl Written {
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
    pub(super) fn statement(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
        let start = words.start;
        match key {
            "room" => self.room(words),
            "block" | "stairs" | "ramp" => {
                let room = self.known_room(words)?;
                let matter = Matter::read(key, words, Material::Cobble)?;
                self.add_blocks(room, matter, start)
            }
            "solid" | "gable" => {
                let usual = if key == "gable" { Material::Slate } else { Material::Cobble };
                let matter = Matter::read(key, words, usual)?;
                let count = matter.add_to(&mut self.plan.solids, "solids in one plan", start)?;
                self.solids.extend(std::iter::repeat_n(start, count));
                if key == "gable" {
                    let all = self.plan.solids.len();
                    self.plan.roofs.extend(all - count..all);
                }
                Ok(())
            }
            "join" | "exit" | "window" => self.open(key, words),
            "outside" => {
                let looks = looks(words, self.plan.outside, ["walls", "roof", "under"])?;
                self.plan.outside(looks);
                Ok(())
            }
            _ => {
                let lists = match words.one_of("what is listed", &["sight", "reach"])? {
                    "sight" => StabListMode::Sight,
                    _ => StabListMode::Reach,
                };
                self.plan.lists(lists);
                words.finish()
            }
        }
    }

    fn known_room(&self, words: &mut Words<'_>) -> Text<RoomKey> {
        self.names.get(words.name("the name of a room")?)
    }

    /// `room NAME SHAPE [at P] [heading H] [tilt T] [of M] [walls M] [floor M] [ceiling M] [buried]`.
    fn room(&mut self, words: &mut Words<'_>) -> Text<()> {
        let place = words.start;
        let name = words.name("the name of a room")?;
        self.names.check_new(name)?;
        let shape = shape(words)?;
        let (mut stance, mut buried, mut all) = (Stance::default(), false, None);
        let mut faces = [None; 3];
        let known = [&OPTIONS[..], &["of", "walls", "floor", "ceiling", "buried"]].concat();
        words.options(&known, |key, words| {
            match key {
                "of" => all = Some(words.material()?),
                "walls" => faces[0] = Some(words.material()?),
                "floor" => faces[1] = Some(words.material()?),
                "ceiling" => faces[2] = Some(words.material()?),
                "buried" => buried = true,
                _ => stance.option(key, words)?,
            }
            Ok(())
        })?;
        let looks = with(all.map_or(FaceMaterials::default(), FaceMaterials::all), faces);
        let room = RoomSpec::shaped(shape).named(name.text).at(stance.in_plan()?).materials(looks);
        self.add_room(name, if buried { room.buried() } else { room }, place)
    }

    fn add_room(&mut self, name: Token<'_>, room: RoomSpec, place: Place) -> Text<()> {
        let key = self.plan.room(room);
        self.rooms.push(WrittenRoom { place, blocks: Vec::new() });
        self.names.add(name, key)
    }

    fn add_blocks(&mut self, key: RoomKey, matter: Matter, place: Place) -> Text<()> {
        let room = self.plan.rooms.get_mut(key.0).zip(self.rooms.get_mut(key.0));
        let Some((room, written)) = room else { return Ok(()) };
        let count = matter.add_to(&mut room.blocks, "blocks in one room", place)?;
        written.blocks.extend(std::iter::repeat_n(place, count));
        Ok(())
    }

    fn open(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
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
    ) -> Text<()> {
        let place = words.start;
        let first = words.peek().map_or("", |token| token.text);
        let room = self.known_room(words).map_err(|mut error| {
            if known_names().contains(&first) {
                error.message.push_str("; in a plan the room comes before the thing");
            }
            error
        })?;
        let thing = objects.thing(words, forge)?;
        let (stance, repeat) = standing(words)?;
        let frame = stance.in_plan()?;
        for step in repeat.steps()? {
            if self.objects.len() == limits::THINGS {
                let message = format!("more than {} things; that is the most", limits::THINGS);
                return Err(place.error(message));
            }
            self.objects.push(place);
            self.plan.put(room, thing, Frame { origin: frame.origin + step, ..frame });
        }
        Ok(())
    }
}

/// Where something stands, and how often.
pub(super) fn standing(words: &mut Words<'_>) -> Text<(Stance, Repeat)> {
    let (mut stance, mut repeat) = (Stance::default(), Repeat::ONCE);
    let known = [&OPTIONS[..], &REPEAT[..]].concat();
    words.options(&known, |key, words| match key {
        "times" | "step" => repeat.option(key, words),
        _ => stance.option(key, words),
    })?;
    Ok((stance, repeat))
}

/// Materials by the words for walls, what looks up and what looks down; the rest as they were.
fn looks(
    words: &mut Words<'_>,
    before: FaceMaterials,
    known: [&'static str; 3],
) -> Text<FaceMaterials> {
    let mut faces = [None; 3];
    words.options(&known, |key, words| {
        let material = Some(words.material()?);
        for (face, _) in faces.iter_mut().zip(known).filter(|(_, word)| *word == key) {
            *face = material;
        }
        Ok(())
    })?;
    Ok(with(before, faces))
}

/// Walls, up and down where they were said.
fn with(before: FaceMaterials, [walls, up, down]: [Option<Material>; 3]) -> FaceMaterials {
    FaceMaterials {
        walls: walls.unwrap_or(before.walls),
        up: up.unwrap_or(before.up),
        down: down.unwrap_or(before.down),
    }
}
