//! Formats numbers, directions and names for people.

use threshold_geom::FLOOR_Z;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::probe::{CollisionTarget, SurfaceKind};
use threshold_motion::{Insert, Stance};
use threshold_world::{ListingCause, Reason, RecordId};

/// Formats a number with up to three decimals.
pub fn number(v: f32) -> String {
    let text = format!("{v:.3}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text.as_str(),
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Formats a length in metres.
pub fn metres(v: f32) -> String {
    format!("{} m", number(v))
}

/// Formats a vector as three numbers.
pub fn vector(v: Vec3) -> String {
    v.to_array().map(number).join(" ")
}

/// Formats a position: the point and its cell.
pub fn place(at: &Position) -> String {
    format!("{} in {}", vector(at.frame.origin), cell(at.cell))
}

/// Formats a cell: "room" or "land cell", and the id.
pub fn cell(id: CellId) -> String {
    if id.is_indoor() { format!("room {id}") } else { format!("land cell {id}") }
}

/// Returns the compass point of a direction; `None` for a vertical one.
pub fn compass(v: Vec3) -> Option<&'static str> {
    // Tangent of 22.5 degrees: half of a compass sector.
    const HALF_SECTOR: f32 = 0.414_213_57;
    let (x, y) = (v.x, v.y);
    if x.abs().max(y.abs()) < 1e-3 {
        return None;
    }
    let north = if y > 0.0 { "north" } else { "south" };
    let east = if x > 0.0 { "east" } else { "west" };
    Some(if x.abs() <= y.abs() * HALF_SECTOR {
        north
    } else if y.abs() <= x.abs() * HALF_SECTOR {
        east
    } else {
        match (y > 0.0, x > 0.0) {
            (true, true) => "north-east",
            (true, false) => "north-west",
            (false, true) => "south-east",
            (false, false) => "south-west",
        }
    })
}

/// Formats the direction that a surface faces.
pub fn facing(normal: Vec3) -> String {
    let level = compass(normal);
    match (level, normal.z) {
        (None, z) if z > 0.0 => "facing up".to_owned(),
        (None, z) if z < 0.0 => "facing down".to_owned(),
        (None, _) => "facing nowhere".to_owned(),
        (Some(level), z) if z > 0.1 => format!("facing {level} and up"),
        (Some(level), z) if z < -0.1 => format!("facing {level} and down"),
        (Some(level), _) => format!("facing {level}"),
    }
}

/// Formats a push direction, with its numbers.
pub fn towards(push: Vec3) -> String {
    let to = match (compass(push), push.z) {
        (Some(level), z) if z > 0.1 => format!("{level} and up"),
        (Some(level), z) if z < -0.1 => format!("{level} and down"),
        (Some(level), _) => level.to_owned(),
        (None, z) if z > 0.0 => "up".to_owned(),
        (None, z) if z < 0.0 => "down".to_owned(),
        (None, _) => "nowhere".to_owned(),
    };
    format!("{to} (normal {})", vector(push))
}

/// Formats the direction that a surface faces, with its normal.
pub fn normal(normal: Vec3) -> String {
    format!("{} (normal {})", facing(normal), vector(normal))
}

/// Returns the type of a surface: an object, or else one by the normal.
pub fn surface_type(chain: &[CollisionTarget], normal: Vec3) -> &'static str {
    match chain.first() {
        Some(CollisionTarget::Object(_)) => "an object",
        _ => surface_type_of_normal(normal),
    }
}

/// Returns the type of a surface with this normal, as a walking mover meets it.
pub(crate) fn surface_type_of_normal(normal: Vec3) -> &'static str {
    match normal.z {
        z if z >= FLOOR_Z => "a floor",
        z if z > 0.1 => "a slope too steep to walk on",
        z if z >= -0.1 => "a wall",
        z if z >= -FLOOR_Z => "an overhang",
        _ => "a ceiling",
    }
}

/// Describes a stance.
pub fn stance(stance: &Stance) -> &'static str {
    // A placed mover stands on its ground before the plane is known.
    let steep = !stance.on_walkable && stance.plane.normal != Vec3::ZERO;
    match stance.contact {
        true if steep => "stands on ground too steep to walk on",
        true => "stands",
        false => "is in the air",
    }
}

/// Names one of the mover's spheres; `count` is their number.
pub fn sphere(index: usize, count: usize) -> &'static str {
    match (index, count) {
        (_, 0 | 1) => "sphere",
        (0, _) => "lower sphere",
        _ => "upper sphere",
    }
}

/// Describes the result of an insert attempt.
pub fn answer(answer: Insert) -> &'static str {
    match answer {
        Insert::Ok => "free",
        Insert::Collided => "in the way",
        Insert::Adjusted => "moves the mover, which tries again",
        Insert::Slid => "makes the mover slide, which tries again",
    }
}

/// Capitalises the first letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Says that a mover may not enter a cell.
pub fn restriction(cell: CellId, object: RecordId) -> String {
    format!("entry to {cell} is restricted by object {object}")
}

/// Names a collision target, given from the outermost to the innermost: an object, then its shape.
pub fn target(chain: &[CollisionTarget]) -> String {
    let name = |target: &CollisionTarget| match target {
        CollisionTarget::Ground(id) => format!("the ground of land cell {id}"),
        CollisionTarget::Walls(id) => format!("room {id}"),
        CollisionTarget::Shell(id) => format!("the building on land cell {id}"),
        CollisionTarget::Object(id) => id.to_string(),
        CollisionTarget::Part(number) => format!("part {number}"),
        CollisionTarget::Sphere(number) => format!("sphere {number}"),
        CollisionTarget::Cylinder(number) => format!("cylinder {number}"),
    };
    chain.iter().rev().map(name).collect::<Vec<_>>().join(" of ")
}

/// Names a surface of a collision target.
pub fn surface(surface: SurfaceKind, chain: &[CollisionTarget]) -> String {
    match surface {
        SurfaceKind::Polygon(index) => format!("polygon {index} of {}", target(chain)),
        SurfaceKind::Solid => format!("the solid space of {}", target(chain)),
        // The shape is the last of the chain.
        SurfaceKind::Sphere | SurfaceKind::Cylinder => target(chain),
    }
}

/// Describes why a cell is in a cell array; `spheres` is the number of the mover's spheres.
pub fn cause(cause: &ListingCause, spheres: usize) -> String {
    let sphere = |index| sphere(index, spheres);
    match *cause {
        ListingCause::Start => "the search starts there".to_owned(),
        ListingCause::Reached { sphere: index } => {
            format!("the {} reaches this land cell", sphere(index))
        }
        ListingCause::Portal { room, portal, sphere: index } => format!(
            "it is behind portal {portal} of room {room}, and the {} reaches into it",
            sphere(index)
        ),
        ListingCause::Exit { room, portal, sphere: index } => format!(
            "the exit portal {portal} of room {room} is reached, and the {} reaches this land cell",
            sphere(index)
        ),
        ListingCause::Building { land, sphere: index } => format!(
            "it is behind a portal of the building on land cell {land}, and the {} reaches into it",
            sphere(index)
        ),
        ListingCause::Unloaded { room, portal } => {
            format!(
                "it is behind portal {portal} of room {room}, which is reached; it is not resident"
            )
        }
        _ => "it was added".to_owned(),
    }
}

/// Describes whether a cell of a cell array contains the centre.
pub fn containment(reason: &Reason) -> String {
    match (reason.contains, reason.depth) {
        (None, _) => "not tested".to_owned(),
        (Some(true), _) => "contains the centre".to_owned(),
        (Some(false), Some(depth)) if depth.is_finite() => {
            format!("does not contain the centre, which is {} outside", metres(-depth))
        }
        (Some(false), _) => "does not contain the centre".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let short = [0.48, 1.0, -0.0, -0.0001, 12.3456, 1e6].map(number);
        assert_eq!(short, ["0.48", "1", "0", "0", "12.346", "1000000"]);
        assert_eq!(number(f32::NAN), "NaN");
        assert_eq!(vector(Vec3::new(0.0, -1.0, 0.5)), "0 -1 0.5");
    }

    #[track_caller]
    fn check(v: [f32; 3], want_facing: &str, want_type: &str) {
        let got = (facing(v.into()), surface_type_of_normal(v.into()));
        assert_eq!(got, (want_facing.to_owned(), want_type), "{v:?}");
    }

    #[test]
    fn surfaces_have_directions_and_types() {
        check([0.0, -1.0, 0.0], "facing south", "a wall");
        check([0.7, 0.7, 0.0], "facing north-east", "a wall");
        check([0.0, 0.0, 1.0], "facing up", "a floor");
        check([0.0, 0.0, -1.0], "facing down", "a ceiling");
        check([-0.9, 0.0, 0.4], "facing west and up", "a slope too steep to walk on");
        check([0.0, 0.9, -0.4], "facing north and down", "an overhang");
        check([0.0, 0.0, 0.0], "facing nowhere", "a wall");
    }

    #[test]
    fn a_target_is_named_from_the_inside() {
        let body = threshold_world::ObjectId::body(threshold_world::BodyId(3));
        let chain = [CollisionTarget::Object(body), CollisionTarget::Part(1)];
        assert_eq!(
            surface(SurfaceKind::Polygon(5), &chain),
            "polygon 5 of part 1 of body 0x00000003"
        );
        assert_eq!(
            surface(
                SurfaceKind::Sphere,
                &[CollisionTarget::Object(body), CollisionTarget::Sphere(0)]
            ),
            "sphere 0 of body 0x00000003"
        );
        let room = CellId(0xA9B4_0164);
        let walls = surface(SurfaceKind::Polygon(5), &[CollisionTarget::Walls(room)]);
        assert_eq!(walls, "polygon 5 of room 0xA9B40164");
    }
}
