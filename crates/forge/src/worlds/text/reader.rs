//! Statements in, a world out.

use threshold_land::{BlockId, Frame};

use super::TextError;
use super::ground::{self, Extent, Land, NOTHING, Scenes};
use super::lexer::{Place, Statement, Statements, Token};
use super::limits;
use super::names::Names;
use super::nearest::hint;
use super::objects::{self, Objects};
use super::origin::Origins;
use super::rooms::{self, Written, standing};
use super::words::{Text, Words};
use crate::stock::thing::Thing;
use crate::tool::forge::Forge;
use crate::tool::made::MadeWorld;
use crate::tool::model::ObjectSpec;
use crate::tool::plan::Plan;
use crate::tool::scene::SceneryKind;

/// Statements that stand on their own. The others belong to what was begun before them.
const WORLD: [&str; 9] =
    ["world", "land", "landblock", "plan", "define", "thing", "scene", "building", "dungeon"];

/// Statements with what they belong to.
const PARTS: [(&str, &[&str]); 5] = [
    ("land", &ground::BRUSHES),
    ("landblock", &["heights", "terrain", "roads", "scenes", "put"]),
    ("plan", &rooms::STATEMENTS),
    ("thing", &objects::PARTS),
    ("scene", &["plant"]),
];

/// The words that statements begin with.
#[cfg(test)]
pub(super) fn statements() -> impl Iterator<Item = &'static str> {
    WORLD.into_iter().chain(PARTS.iter().flat_map(|(_, parts)| parts.iter().copied()))
}

/// The seed of what is left to chance unless it was said.
const SEED: u64 = 1;

pub(super) fn read(text: &str) -> Text<MadeWorld> {
    if text.len() > limits::TEXT {
        return Err(Place::START.error("the text is longer than 4 MiB"));
    }
    let mut reader = Reader::new();
    for statement in Statements::of(text) {
        reader.statement(&statement?)?;
    }
    reader.finish()
}

/// A world in the making.
struct Reader {
    forge: Forge,
    seed: u64,
    begun: bool,
    section: Section,
    plans: Names<usize>,
    scenes: Scenes,
    objects: Objects,
    origins: Origins,
    landblocks: usize,
    standing: Standing,
}

/// How much stands in the world, all plans together.
#[derive(Default)]
struct Standing {
    rooms: usize,
    matter: usize,
    things: usize,
}

impl Standing {
    fn add(&mut self, plan: &Plan) {
        self.rooms += plan.len();
        let blocks: usize = plan.rooms.iter().map(|room| room.blocks.len()).sum();
        self.matter += blocks + plan.solids.len();
        self.things += plan.objects.len();
    }

    /// Refuses more than a world can have.
    fn check(&self, place: Place) -> Text<()> {
        let Self { rooms, matter, things } = *self;
        for (count, most, what) in [
            (rooms, limits::ROOMS, "rooms"),
            (matter, limits::MATTER, "blocks and solids"),
            (things, limits::THINGS, "things"),
        ] {
            if count > most {
                return Err(place.error(format!("more than {most} {what}; that is the most")));
            }
        }
        Ok(())
    }
}

/// What the next statements belong to.
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
    /// The word that begins it.
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
            begun: false,
            section: Section::World,
            plans: Names::of("plan"),
            scenes: Names::of("scene"),
            objects: Objects::new(),
            origins: Origins::default(),
            landblocks: 0,
            standing: Standing::default(),
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) -> Text<()> {
        let mut words = Words::of(statement);
        let token = words.take("a statement")?;
        let key = token.text;
        if token.quoted || !WORLD.contains(&key) {
            self.check_part(token)?;
            return self.part(key, &mut words);
        }
        self.close()?;
        self.world(key, &mut words)?;
        self.begun = true;
        Ok(())
    }

    /// Refuses a statement that does not belong here.
    fn check_part(&self, token: Token<'_>) -> Text<()> {
        if token.quoted {
            return Err(token.place.error("a statement begins with a word without quotes"));
        }
        let begun = self.section.word();
        let of_this = PARTS.iter().find(|(section, _)| *section == begun);
        let own: &[&str] = of_this.map_or(&[], |(_, parts)| parts);
        let is_in = |parts: &[&str]| parts.contains(&token.text);
        if is_in(own) {
            return Ok(());
        }
        let shown = token.shown();
        let message = match PARTS.iter().find(|(_, parts)| is_in(parts)) {
            Some((section, _)) if begun == "world" => {
                format!("{shown} belongs to a {section}, and none is begun")
            }
            Some((section, _)) => {
                format!("{shown} belongs to a {section}, but the last that was begun is a {begun}")
            }
            None => {
                let all = PARTS.iter().flat_map(|(_, parts)| parts.iter());
                let known = own.iter().chain(&WORLD).chain(all).copied();
                format!("there is no statement {shown}{}", hint(token.text, known))
            }
        };
        Err(token.place.error(message))
    }

    /// A statement that belongs to what was begun.
    fn part(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
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
                let Some(written) = self.origins.plans.get_mut(*number) else { return Ok(()) };
                match key {
                    "put" => written.put(words, &mut self.objects, &mut self.forge),
                    _ => written.statement(key, words),
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

    /// Ends what was begun.
    fn close(&mut self) -> Text<()> {
        match std::mem::replace(&mut self.section, Section::World) {
            Section::World | Section::Landblock(_) | Section::Plan(_) => {}
            Section::Land(land) => {
                self.forge.land(&land.terrain);
            }
            Section::Thing { name, place, thing } => {
                if thing.solids.is_empty() && thing.cards.is_empty() {
                    let message = "a thing must have a solid or a card, and there is none";
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

    /// A statement that stands on its own.
    fn world(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
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
                self.origins.plans.push(Written::new());
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
    fn dress(&mut self, words: &mut Words<'_>) -> Text<()> {
        if self.begun {
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

    fn land(&mut self, words: &mut Words<'_>) -> Text<()> {
        let place = words.start;
        let extent = Extent::read(words)?;
        self.landblocks += extent.size.map(usize::from).iter().product::<usize>();
        if self.landblocks > limits::LANDBLOCKS {
            let message =
                format!("more than {} landblocks of land; that is the most", limits::LANDBLOCKS);
            return Err(place.error(message));
        }
        for id in extent.blocks() {
            let block = self.origins.block(id, place);
            if let Some(other) = block.land.replace(place) {
                let message = format!("landblock {id} already has the land of line {}", other.line);
                return Err(place.error(message));
            }
        }
        self.section = Section::Land(Box::new(Land::of(&extent, self.seed)));
        Ok(())
    }

    fn scene(&mut self, words: &mut Words<'_>) -> Text<()> {
        let name = words.name("the name of a scene")?;
        words.finish()?;
        if name.text == NOTHING {
            return Err(name.place.error("\"nothing\" is where no scene is, and cannot be a name"));
        }
        let number = self.scenes.len() + 1;
        match u8::try_from(number) {
            Ok(slot) if number <= limits::SCENES => self.scenes.add(name, slot)?,
            _ => {
                let message = format!("more than {} scenes; that is the most", limits::SCENES);
                return Err(words.start.error(message));
            }
        }
        self.section = Section::Scene(Vec::new());
        Ok(())
    }

    /// `building PLAN BLOCK at P [heading H] [tilt T] [times N step P]`, and the same for a dungeon.
    fn stand(&mut self, key: &str, words: &mut Words<'_>) -> Text<()> {
        let place = words.start;
        let number = self.plans.get(words.name("the name of a plan")?)?;
        let id = words.block()?;
        let (stance, repeat) = standing(words)?;
        let Some(plan) = self.origins.plans.get(number).map(|written| written.plan.clone()) else {
            return Ok(());
        };
        for step in repeat.steps()? {
            self.standing.add(&plan);
            self.standing.check(place)?;
            let block = self.forge.block(id);
            let frame: Frame = stance.outdoors(step, words.here(), |at| block.ground(at))?;
            match key {
                "building" => block.building(frame, plan.clone()),
                _ => block.dungeon(frame, plan.clone()),
            };
            self.origins.block(id, place).plans.push((place, number));
        }
        Ok(())
    }

    /// `put THING at X,Y[,Z] [heading H] [tilt T] [times N step P]`.
    fn put_outdoors(&mut self, id: BlockId, words: &mut Words<'_>) -> Text<()> {
        let place = words.start;
        let thing = self.objects.thing(words, &mut self.forge)?;
        let (stance, repeat) = standing(words)?;
        let block = self.forge.block(id);
        for step in repeat.steps()? {
            self.standing.things += 1;
            self.standing.check(place)?;
            let frame = stance.outdoors(step, words.here(), |at| block.ground(at))?;
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
