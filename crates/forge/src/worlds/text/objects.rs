//! Things, and the scenes that scatter them over the land.

use std::collections::BTreeMap;

use threshold_dat::RecordId;

use super::lexer::{Place, Token};
use super::names::Names;
use super::shapes::shape;
use super::solids::SolidGroup;
use super::words::{TextResult, Words};
use crate::stock::material::Material;
use crate::stock::thing::{Collision, Thing};
use crate::stock::things;
use crate::tool::forge::Forge;
use crate::tool::model::{MOVER, ObjectSpec};
use crate::tool::scene::SceneryKind;

/// Words that start an unnamed thing. They cannot be names.
const FORMS: [&str; 6] = ["cylinder", "ball", "box", "solid", "creature", "mover"];

/// The statements of a thing.
pub(super) const PARTS: [&str; 4] = ["solid", "card", "lamp", "touch"];

/// The names of the stock, and the words that start a thing.
pub(super) fn known_names() -> Vec<&'static str> {
    things::names().chain(FORMS).collect()
}

/// The things of a world.
pub(super) struct Objects {
    named: Names<RecordId>,
    /// Unnamed things by their text: each is made once.
    made: BTreeMap<String, RecordId>,
    /// The first place of each in the text, in the order they were made.
    pub(super) places: Vec<Place>,
}

impl Objects {
    pub(super) fn new() -> Self {
        Self { named: Names::of("thing"), made: BTreeMap::new(), places: Vec::new() }
    }

    /// Reads the name of a new thing.
    pub(super) fn new_name<'a>(&self, words: &mut Words<'a>) -> TextResult<Token<'a>> {
        let name = words.name("a name")?;
        if FORMS.contains(&name.text) {
            let message = format!("{} is a keyword of things and cannot be a name", name.shown());
            return Err(name.place.error(message));
        }
        self.named.check_new(name)?;
        Ok(name)
    }

    pub(super) fn add(
        &mut self,
        name: Token<'_>,
        object: ObjectSpec,
        forge: &mut Forge,
    ) -> TextResult<()> {
        self.named.check_new(name)?;
        self.places.push(name.place);
        self.named.add(name, forge.object(object))
    }

    /// `define NAME THING`: another name for a thing.
    pub(super) fn define(&mut self, words: &mut Words<'_>, forge: &mut Forge) -> TextResult<()> {
        let name = self.new_name(words)?;
        let id = self.thing(words, forge)?;
        words.finish()?;
        self.named.add(name, id)
    }

    /// Reads a thing: a name, or a description.
    pub(super) fn thing(
        &mut self,
        words: &mut Words<'_>,
        forge: &mut Forge,
    ) -> TextResult<RecordId> {
        let before = words.clone();
        let token = words.name("a thing")?;
        let object = match token.text {
            _ if token.quoted => None,
            "mover" => return Ok(MOVER),
            form if FORMS.contains(&form) => Some(object(form, words)?),
            _ => None,
        };
        let known = self.named.find(token.text).filter(|_| object.is_none());
        if let Some(id) = known {
            return Ok(id);
        }
        let key = words_between(before, words);
        if let Some(id) = self.made.get(&key) {
            return Ok(*id);
        }
        let Some(object) = object.or_else(|| things::by_name(token.text)) else {
            return self.named.get_or(token, &known_names());
        };
        self.places.push(token.place);
        let id = forge.object(object);
        self.made.insert(key, id);
        Ok(id)
    }
}

/// Returns the words between two places of a statement.
fn words_between(mut from: Words<'_>, to: &Words<'_>) -> String {
    let mut text = String::new();
    while from.left() > to.left() {
        let Ok(token) = from.take("a word") else { break };
        text.push_str(token.text);
        text.push(' ');
    }
    text
}

fn object(form: &str, words: &mut Words<'_>) -> TextResult<ObjectSpec> {
    Ok(match form {
        "cylinder" => {
            let radius = words.size("the radius")?;
            ObjectSpec::Cylinder { radius, height: words.size("the height")? }
        }
        "ball" => ObjectSpec::Ball { radius: words.size("the radius")? },
        "box" => ObjectSpec::cuboid(words.sizes::<3>("the size x,y,z")?),
        "solid" => ObjectSpec::Solid(shape(words)?),
        _ => {
            let radius = words.size("the radius")?;
            let height = words.size("the height")?;
            words.expect("steps")?;
            let [step_up, step_down] = words.sizes("the step heights up,down")?;
            ObjectSpec::Creature { radius, height, step_up, step_down }
        }
    })
}

/// One of the [`PARTS`] of a thing.
pub(super) fn part(mut thing: Thing, key: &str, words: &mut Words<'_>) -> TextResult<Thing> {
    match key {
        "solid" => {
            let solids = SolidGroup::read(key, words, Material::Plank)?;
            solids.add_to(&mut thing.solids, "solids in one thing", words.start)?;
            Ok(thing)
        }
        "card" => {
            let material = words.material()?;
            let corners = words.points::<3>("a corner and two offsets x,y,z", 3..=3)?;
            words.finish()?;
            let [corner, right, up] = [corners[0], corners[1], corners[2]];
            Ok(thing.card(material, [corner, right, up]))
        }
        "lamp" => {
            words.expect("at")?;
            let at = words.place("a point x,y,z")?;
            words.expect("colour")?;
            let colour = colour(words)?;
            words.expect("reach")?;
            let reach = words.size("the reach")?;
            words.finish()?;
            Ok(thing.lamp(at, colour, reach))
        }
        _ => {
            let touch =
                match words.one_of("a kind of collision", &["itself", "nothing", "cylinder"])? {
                    "itself" => Collision::Solids,
                    "nothing" => Collision::Nothing,
                    _ => {
                        let radius = words.size("the radius")?;
                        Collision::Cylinder { radius, height: words.size("the height")? }
                    }
                };
            words.finish()?;
            Ok(thing.touch(touch))
        }
    }
}

/// Reads six hexadecimal digits: red, green and blue.
fn colour(words: &mut Words<'_>) -> TextResult<u32> {
    let token = words.take("a colour")?;
    let digits = token.text.len() == 6 && token.text.bytes().all(|b| b.is_ascii_hexdigit());
    match u32::from_str_radix(token.text, 16) {
        Ok(colour) if digits => Ok(0xFF00_0000 | colour),
        _ => {
            let message = "is not a colour: six hexadecimal digits, as in FFD080";
            Err(token.place.error(format!("{} {message}", token.shown())))
        }
    }
}

/// `plant THING [share S] [spread X,Y] [scale MIN,MAX] [steepest N]`.
pub(super) fn plant(
    words: &mut Words<'_>,
    objects: &mut Objects,
    forge: &mut Forge,
) -> TextResult<SceneryKind> {
    let object = objects.thing(words, forge)?;
    let (spread, scale) = ([12.0, 12.0], [1.0, 1.0]);
    let mut kind = SceneryKind { object, share: 1.0, spread, scale, steepest: 0.7 };
    words.options(&["share", "spread", "scale", "steepest"], |key, words| {
        match key {
            "share" => kind.share = words.number_in("the share", 0.0..=1.0, "0 to 1")?,
            "spread" => kind.spread = words.point("the spread x,y")?,
            "scale" => {
                let place = words.here();
                kind.scale = words.sizes("the scale min,max")?;
                if kind.scale[0] > kind.scale[1] {
                    return Err(place.error("the smallest scale must come first"));
                }
            }
            _ => kind.steepest = words.number_in("the steepest", 0.0..=1.0, "0 to 1")?,
        }
        Ok(())
    })?;
    Ok(kind)
}
