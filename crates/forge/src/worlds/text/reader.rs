//! Turns statements into a world.

use threshold_land::{BlockId, Frame};

use super::TextError;
use super::ground::{self, Extent, Land, NOTHING, Scenes};
use super::lexer::{Place, Statement, Statements, Token};
use super::limits;
use super::names::Names;
use super::nearest::hint;
use super::objects::{self, Objects};
use super::origin::Origins;
use super::rooms::{self, PlanOrigin, pose_and_repeat};
use super::words::{TextResult, Words};
use crate::stock::thing::Thing;
use crate::tool::forge::Forge;
use crate::tool::made::MadeWorld;
use crate::tool::model::ObjectSpec;
use crate::tool::plan::Plan;
use crate::tool::scene::SceneryKind;

/// Top-level statements. The others belong to the current section.
const WORLD: [&str; 9] =
    ["world", "land", "landblock", "plan", "define", "thing", "scene", "building", "dungeon"];

/// Statements of each section.
const PARTS: [(&str, &[&str]); 5] = [
    ("land", &ground::BRUSHES),
    ("landblock", &["heights", "terrain", "roads", "scenes", "put"]),
    ("plan", &rooms::STATEMENTS),
    ("thing", &objects::PARTS),
    ("scene", &["plant"]),
];

/// The first words of statements.
#[cfg(test)]
pub(super) fn statements() -> impl Iterator<Item = &'static str> {
    WORLD.into_iter().chain(PARTS.iter().flat_map(|(_, parts)| parts.iter().copied()))
}

/// The default random seed.
const SEED: u64 = 1;

pub(super) fn read(text: &str) -> TextResult<MadeWorld> {
    if text.len() > limits::TEXT {
        return Err(Place::START.error("the text is longer than 4 MiB"));
    }
    let mut reader = Reader::new();
    for statement in Statements::of(text) {
        reader.statement(&statement?)?;
    }
    reader.finish()
}

/// The state of reading a text.
struct Reader {
    forge: Forge,
    seed: u64,
    /// Whether a top-level statement was read.
    has_statement: bool,
    section: Section,
    plans: Names<usize>,
    scenes: Scenes,
    objects: Objects,
    origins: Origins,
    landblocks: usize,
    totals: Totals,
}

/// Totals of the world, all plans together.
#[derive(Default)]
struct Totals {
    rooms: usize,
    solids: usize,
    things: usize,
}

impl Totals {
    fn add(&mut self, plan: &Plan) {
        self.rooms += plan.len();
        let blocks: usize = plan.rooms.iter().map(|room| room.blocks.len()).sum();
        self.solids += blocks + plan.solids.len();
        self.things += plan.objects.len();
    }

    /// Refuses more than a world can have.
    fn check(&self, place: Place) -> TextResult<()> {
        let Self { rooms, solids, things } = *self;
        for (count, max, what) in [
            (rooms, limits::ROOMS, "rooms"),
            (solids, limits::ALL_SOLIDS, "blocks and solids"),
            (things, limits::THINGS, "things"),
        ] {
            if count > max {
                return Err(place.error(format!("too many {what}; the maximum is {max}")));
            }
        }
        Ok(())
    }
}

/// The section that the next statements belong to.
enum Section {
    World,
    Land(Box<Land>),
    Landblock(BlockId),
    /// By its number.
    Plan(usize),
    Thing {
        name: String,
        place: Place,
        thing: Thing,
    },
    Scene(Vec<SceneryKind>),
}

impl Section {
    /// The word that starts it.
    fn word(&self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Land(_) => "land",
            Self::Landblock(_) => "landblock",
            Self::Plan(_) => "plan",
            Self::Thing { .. } => "thing",
            Self::Scene(_) => "scene",
        }
    }
}

impl Reader {
    fn new() -> Self {
        Self {
            forge: Forge::new(),
            seed: SEED,
            has_statement: false,
            section: Section::World,
            plans: Names::of("plan"),
            scenes: Names::of("scene"),
            objects: Objects::new(),
            origins: Origins::default(),
            landblocks: 0,
            totals: Totals::default(),
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) -> TextResult<()> {
        let mut words = Words::of(statement);
        let token = words.take("a statement")?;
        let key = token.text;
        if token.quoted || !WORLD.contains(&key) {
            self.check_part(token)?;
            return self.part(key, &mut words);
        }
        self.close()?;
        self.world(key, &mut words)?;
        self.has_statement = true;
        Ok(())
    }

    /// Refuses a statement outside of its section.
    fn check_part(&self, token: Token<'_>) -> TextResult<()> {
        if token.quoted {
            return Err(token.place.error("a statement starts with a word without quotes"));
        }
        let current = self.section.word();
        let entry = PARTS.iter().find(|(section, _)| *section == current);
        let own: &[&str] = entry.map_or(&[], |(_, parts)| parts);
        let is_in = |parts: &[&str]| parts.contains(&token.text);
        if is_in(own) {
            return Ok(());
        }
        let shown = token.shown();
        let message = match PARTS.iter().find(|(_, parts)| is_in(parts)) {
            Some((section, _)) if current == "world" => {
                format!("{shown} belongs to a {section}, and no {section} comes before it")
            }
            Some((section, _)) => {
                format!("{shown} belongs to a {section}, but the current section is a {current}")
            }
            None => {
                let all = PARTS.iter().flat_map(|(_, parts)| parts.iter());
                let known = own.iter().chain(&WORLD).chain(all).copied();
                format!("unknown statement {shown}{}", hint(token.text, known))
            }
        };
        Err(token.place.error(message))
    }

    /// A statement of the current section.
    fn part(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        match &mut self.section {
            Section::World => Ok(()),
            Section::Land(land) => land.statement(key, words, &self.scenes),
            Section::Landblock(id) if key == "put" => {
                let id = *id;
                self.put_outdoors(id, words)
            }
            Section::Landblock(id) => {
                ground::corners(key, words, self.forge.block(*id), &self.scenes)
            }
            Section::Plan(number) => {
                let Some(origin) = self.origins.plans.get_mut(*number) else { return Ok(()) };
                match key {
                    "put" => origin.put(words, &mut self.objects, &mut self.forge),
                    _ => origin.statement(key, words),
                }
            }
            Section::Thing { thing, .. } => {
                *thing = objects::part(std::mem::take(thing), key, words)?;
                Ok(())
            }
            Section::Scene(growths) => {
                growths.push(objects::plant(words, &mut self.objects, &mut self.forge)?);
                Ok(())
            }
        }
    }

    /// Ends the current section.
    fn close(&mut self) -> TextResult<()> {
        match std::mem::replace(&mut self.section, Section::World) {
            Section::World | Section::Landblock(_) | Section::Plan(_) => {}
            Section::Land(land) => {
                self.forge.land(&land.terrain);
            }
            Section::Thing { name, place, thing } => {
                if thing.solids.is_empty() && thing.cards.is_empty() {
                    let message = "a thing needs a solid or a card";
                    return Err(place.error(message));
                }
                let name = Token { text: &name, quoted: true, place };
                self.objects.add(name, ObjectSpec::Thing(thing), &mut self.forge)?;
            }
            Section::Scene(growths) => {
                self.forge.scene(growths);
            }
        }
        Ok(())
    }

    /// A top-level statement.
    fn world(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        match key {
            "world" => self.dress(words),
            "land" => self.land(words),
            "landblock" => {
                let id = words.block()?;
                words.finish()?;
                self.forge.block(id);
                self.origins.block(id, words.start);
                self.section = Section::Landblock(id);
                Ok(())
            }
            "plan" => {
                let name = words.name("the name of a plan")?;
                words.finish()?;
                let number = self.origins.plans.len();
                self.plans.add(name, number)?;
                self.origins.plans.push(PlanOrigin::new());
                self.section = Section::Plan(number);
                Ok(())
            }
            "define" => self.objects.define(words, &mut self.forge),
            "thing" => {
                let name = self.objects.new_name(words)?;
                words.finish()?;
                let (name, place) = (name.text.to_owned(), name.place);
                self.section = Section::Thing { name, place, thing: Thing::new() };
                Ok(())
            }
            "scene" => self.scene(words),
            _ => self.stand(key, words),
        }
    }

    /// `world plain` or `world dressed [SEED]`.
    fn dress(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        if self.has_statement {
            return Err(words.start.error("\"world\" must be the first statement"));
        }
        let dressed = words.one_of("a kind of world", &["plain", "dressed"])? == "dressed";
        if words.peek().is_some() {
            self.seed = words.count("the seed", 0..=u64::MAX)?;
        }
        words.finish()?;
        self.forge = if dressed { Forge::dressed(self.seed) } else { Forge::new() };
        Ok(())
    }

    fn land(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.start;
        let extent = Extent::read(words)?;
        self.landblocks += extent.size.map(usize::from).iter().product::<usize>();
        if self.landblocks > limits::LANDBLOCKS {
            let message =
                format!("too many landblocks of land; the maximum is {}", limits::LANDBLOCKS);
            return Err(place.error(message));
        }
        for id in extent.blocks() {
            let block = self.origins.block(id, place);
            if let Some(other) = block.land.replace(place) {
                let message =
                    format!("landblock {id} already belongs to the land of line {}", other.line);
                return Err(place.error(message));
            }
        }
        self.section = Section::Land(Box::new(Land::of(&extent, self.seed)));
        Ok(())
    }

    fn scene(&mut self, words: &mut Words<'_>) -> TextResult<()> {
        let name = words.name("the name of a scene")?;
        words.finish()?;
        if name.text == NOTHING {
            return Err(name.place.error("\"nothing\" means no scene and cannot be a name"));
        }
        let number = self.scenes.len() + 1;
        match u8::try_from(number) {
            Ok(slot) if number <= limits::SCENES => self.scenes.add(name, slot)?,
            _ => {
                let message = format!("too many scenes; the maximum is {}", limits::SCENES);
                return Err(words.start.error(message));
            }
        }
        self.section = Section::Scene(Vec::new());
        Ok(())
    }

    /// `building PLAN BLOCK at P [heading H] [tilt T] [times N step P]`, and the same for a dungeon.
    fn stand(&mut self, key: &str, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.start;
        let number = self.plans.get(words.name("the name of a plan")?)?;
        let id = words.block()?;
        let (pose, repeat) = pose_and_repeat(words)?;
        let Some(plan) = self.origins.plans.get(number).map(|origin| origin.plan.clone()) else {
            return Ok(());
        };
        for step in repeat.steps()? {
            self.totals.add(&plan);
            self.totals.check(place)?;
            let block = self.forge.block(id);
            let frame: Frame = pose.outdoors(step, words.here(), |at| block.ground(at))?;
            match key {
                "building" => block.building(frame, plan.clone()),
                _ => block.dungeon(frame, plan.clone()),
            };
            self.origins.block(id, place).plans.push((place, number));
        }
        Ok(())
    }

    /// `put THING at X,Y[,Z] [heading H] [tilt T] [times N step P]`.
    fn put_outdoors(&mut self, id: BlockId, words: &mut Words<'_>) -> TextResult<()> {
        let place = words.start;
        let thing = self.objects.thing(words, &mut self.forge)?;
        let (pose, repeat) = pose_and_repeat(words)?;
        let block = self.forge.block(id);
        for step in repeat.steps()? {
            self.totals.things += 1;
            self.totals.check(place)?;
            let frame = pose.outdoors(step, words.here(), |at| block.ground(at))?;
            block.put(thing, frame);
            self.origins.block(id, place).objects.push(place);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<MadeWorld, TextError> {
        self.close()?;
        self.origins.objects = std::mem::take(&mut self.objects.places);
        let Self { forge, origins, .. } = self;
        forge.finish().map_err(|error| origins.located(&error))
    }
}
