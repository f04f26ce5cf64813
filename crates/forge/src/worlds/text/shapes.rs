//! Shapes, openings and areas of land.

use threshold_land::vector::{Vec2, Vec3};

use super::limits;
use super::words::{TextResult, Words, looks_like_number};
use crate::tool::area::Area;
use crate::tool::form::moved;
use crate::tool::opening::{Face, Opening};
use crate::tool::shape::Shape;

/// `LOW to HIGH`, `box LOW to HIGH`, `prism X,Y X,Y X,Y ... from Z to Z`, `regular N [around X,Y] radius R from Z to Z`
/// or `faces P P P ... / P P P ...`.
pub(super) fn shape(words: &mut Words<'_>) -> TextResult<Shape> {
    if words.peek().is_some_and(|token| looks_like_number(&token)) {
        return cuboid(words);
    }
    match words.one_of("a shape", &["box", "prism", "regular", "faces"])? {
        "box" => cuboid(words),
        "prism" => {
            let floor = words.points::<2>("a corner x,y of the floor", 3..=limits::CORNERS)?;
            let [low, high] = span(words)?;
            Ok(Shape::prism(floor, low, high))
        }
        "regular" => regular(words),
        _ => faces(words),
    }
}

fn cuboid(words: &mut Words<'_>) -> TextResult<Shape> {
    let low = words.place("a corner x,y,z")?;
    words.expect("to")?;
    let high = words.place("a corner x,y,z")?;
    // Any two opposite corners are accepted; the shape needs the lower one first.
    Ok(Shape::cuboid(low.min(high), low.max(high)))
}

/// `from Z to Z`.
pub(super) fn heights(words: &mut Words<'_>) -> TextResult<[f32; 2]> {
    words.expect("from")?;
    let low = words.number("a height")?;
    words.expect("to")?;
    Ok([low, words.number("a height")?])
}

/// Same as [`heights`], the lower one first.
fn span(words: &mut Words<'_>) -> TextResult<[f32; 2]> {
    let [one, other] = heights(words)?;
    Ok([one.min(other), one.max(other)])
}

fn regular(words: &mut Words<'_>) -> TextResult<Shape> {
    let corners = words.count("the number of corners", 3..=limits::CORNERS)?;
    let around = if words.has("around") { Some(words.point::<2>("the middle x,y")?) } else { None };
    words.expect("radius")?;
    let radius = words.size("the radius")?;
    let [low, high] = span(words)?;
    let shape = Shape::regular(corners, radius, low, high);
    Ok(match around {
        Some(middle) => moved(&shape, Vec2::from(middle).extend(0.0)),
        None => shape,
    })
}

fn faces(words: &mut Words<'_>) -> TextResult<Shape> {
    let mut faces = Vec::new();
    loop {
        let here = words.here();
        let face = words.points::<3>("a corner x,y,z of a face", 3..=limits::CORNERS)?;
        if faces.len() == limits::FACES {
            return Err(here.error(format!("too many faces; the maximum is {}", limits::FACES)));
        }
        faces.push(face.into_iter().map(Vec3::from).collect());
        if !words.has("/") {
            return Ok(Shape::from_faces(faces));
        }
    }
}

fn face(words: &mut Words<'_>) -> TextResult<Face> {
    let known = ["south", "east", "north", "west", "floor", "ceiling", "wall"];
    Ok(match words.one_of("a face", &known)? {
        "south" => Face::SOUTH,
        "east" => Face::EAST,
        "north" => Face::NORTH,
        "west" => Face::WEST,
        "floor" => Face::Floor,
        "ceiling" => Face::Ceiling,
        _ => Face::Wall(words.count("the number of a wall", 0..=limits::FACES)?),
    })
}

/// `door FACE`, `pane FACE`, `rectangle FACE at ALONG,SILL size W,H`, `whole FACE` or `polygon P P P ...`, to the end of the statement.
pub(super) fn opening(words: &mut Words<'_>) -> TextResult<Opening> {
    let known = ["door", "pane", "rectangle", "whole", "polygon"];
    let kind = words.one_of("an opening", &known)?;
    if kind == "polygon" {
        let corners = words.points::<3>("a corner x,y,z of the opening", 3..=limits::CORNERS)?;
        words.finish()?;
        return Ok(Opening::polygon(corners));
    }
    let face = face(words)?;
    match kind {
        "whole" => {
            words.finish()?;
            Ok(Opening::whole(face))
        }
        "rectangle" => {
            words.expect("at")?;
            let at = words.point::<2>("the lower corner along,sill")?;
            words.expect("size")?;
            let size = words.sizes("the size width,height")?;
            words.finish()?;
            Ok(Opening::rectangle(face, at, size))
        }
        "door" => opening_options(Opening::door(face), words),
        _ => opening_options(Opening::pane(face), words),
    }
}

/// Reads the options of a door or a pane.
fn opening_options(mut opening: Opening, words: &mut Words<'_>) -> TextResult<Opening> {
    words.options(&["along", "sill", "size"], |key, words| {
        let changed = opening.clone();
        opening = match key {
            "along" => changed.along(words.number("metres along the wall")?),
            "sill" => changed.sill(words.number("metres above the lower edge")?),
            _ => {
                let [width, height] = words.sizes("the size width,height")?;
                changed.size(width, height)
            }
        };
        Ok(())
    })?;
    Ok(opening)
}

/// `everywhere`, `disc X,Y radius R`, `rectangle X,Y to X,Y` or `path X,Y X,Y ... width W`.
pub(super) fn area(words: &mut Words<'_>) -> TextResult<Area> {
    Ok(match words.one_of("an area", &["everywhere", "disc", "rectangle", "path"])? {
        "everywhere" => Area::EVERYWHERE,
        "disc" => {
            let middle = words.point::<2>("the middle x,y")?;
            words.expect("radius")?;
            Area::disc(middle, words.size("the radius")?)
        }
        "rectangle" => {
            let low = words.point::<2>("a corner x,y")?;
            words.expect("to")?;
            Area::rectangle(low, words.point::<2>("a corner x,y")?)
        }
        _ => {
            let places = words.points::<2>("a point x,y of the path", 1..=limits::PLACES)?;
            words.expect("width")?;
            Area::path(places, words.size("the width")?)
        }
    })
}
