//! Compares two results of this engine to the last bit.

use serde::Serialize;

use super::{Difference, DifferenceKind, FieldDifference, farthest, shown};
use crate::record::{Field, Step, to_text};

/// Returns the first difference between two results of one engine, such as with two settings, in any
/// field by any bit. The same decisions give the same bits, so there is no tolerance. The first result
/// is `ours`.
pub fn first_exact_difference(ours: &[Step], theirs: &[Step]) -> Option<Difference> {
    let mut pairs = ours.iter().zip(theirs).enumerate();
    if let Some((step, (a, b))) = pairs.find(|(_, (a, b))| !is_same(a, b)) {
        return Some(Difference {
            step,
            kind: DifferenceKind::Fields(exact_step_differences(a, b)),
        });
    }
    Difference::of_lengths(ours, theirs)
}

/// Counts differing steps. A step that only one result has differs.
pub fn count_different_steps(ours: &[Step], theirs: &[Step]) -> usize {
    let same = ours.iter().zip(theirs).filter(|(a, b)| is_same(a, b)).count();
    ours.len().max(theirs.len()) - same
}

/// Nine digits identify every number of single precision, so equal text means equal bits.
fn is_same(ours: &Step, theirs: &Step) -> bool {
    match (to_text(ours), to_text(theirs)) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        _ => false,
    }
}

/// Returns all fields that differ.
fn exact_step_differences(ours: &Step, theirs: &Step) -> Vec<FieldDifference> {
    let fields = [
        field("ok", &ours.ok, &theirs.ok),
        field("cell", &ours.cell, &theirs.cell),
        position(&ours.pos, &theirs.pos),
        field("contact", &ours.contact, &theirs.contact),
        field("walkable", &ours.walkable, &theirs.walkable),
        field("plane", &ours.plane, &theirs.plane),
        field("plane_cell", &ours.plane_cell, &theirs.plane_cell),
        field("slide", &ours.slide, &theirs.slide),
        field("hit", &ours.hit, &theirs.hit),
        field("env", &ours.env, &theirs.env),
        field("vel", &ours.vel, &theirs.vel),
        field("cells", &ours.cells, &theirs.cells),
        field("lcoord", &ours.lcoord, &theirs.lcoord),
    ];
    fields.into_iter().flatten().collect()
}

fn field<T: Serialize>(
    name: &'static str,
    ours: &Field<T>,
    theirs: &Field<T>,
) -> Option<FieldDifference> {
    (shown(ours) != shown(theirs)).then(|| FieldDifference::new(name, ours, theirs))
}

fn position(ours: &Field<[f64; 3]>, theirs: &Field<[f64; 3]>) -> Option<FieldDifference> {
    let difference = field("pos", ours, theirs)?;
    let apart = ours.value().zip(theirs.value());
    let apart = apart.and_then(|(a, b)| farthest(a.iter().zip(b).map(|(a, b)| (a - b).abs())));
    Some(FieldDifference { apart, ..difference })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step with something in every field.
    const FULL: &str = r#"{"ok":true,"cell":"0xA9B40031","pos":[1,2,3],"contact":true,"walkable":true,"plane":[0,0,1,-3],"plane_cell":"0xA9B40031","slide":null,"hit":[1,0,0],"env":false,"vel":[0,0,-1],"cells":["0xA9B40031"],"lcoord":[1,2]}"#;

    fn step(text: &str) -> Step {
        serde_json::from_str(text).unwrap()
    }

    #[track_caller]
    fn check(old: &str, new: &str, want: &str) {
        assert!(FULL.contains(old), "{old}");
        let (same, ours, theirs) = (step(FULL), step(FULL), step(&FULL.replace(old, new)));
        let (ours, theirs) = ([same.clone(), ours], [same, theirs]);
        let difference = first_exact_difference(&ours, &theirs).unwrap();
        assert_eq!(difference.to_string(), format!("step 1: {want}"));
        assert_eq!(count_different_steps(&ours, &theirs), 1);
        assert_eq!(
            (first_exact_difference(&ours, &ours), count_different_steps(&ours, &ours)),
            (None, 0)
        );
    }

    #[test]
    fn every_field_is_compared() {
        check("\"ok\":true", "\"ok\":false", "ok: ours true, theirs false");
        check("\"cell\":\"0xA9B40031\"", "\"cell\":null", "cell: ours \"0xA9B40031\", theirs null");
        check("\"contact\":true", "\"contact\":false", "contact: ours true, theirs false");
        check("\"walkable\":true", "\"walkable\":false", "walkable: ours true, theirs false");
        check("[0,0,1,-3]", "null", "plane: ours [0,0,1,-3], theirs null");
        check(
            "plane_cell\":\"0xA9B40031",
            "plane_cell\":\"0xA9B40032",
            "plane_cell: ours \"0xA9B40031\", theirs \"0xA9B40032\"",
        );
        check("\"slide\":null", "\"slide\":[1,0,0]", "slide: ours null, theirs [1,0,0]");
        check("[1,0,0]", "[0,1,0]", "hit: ours [1,0,0], theirs [0,1,0]");
        check("\"env\":false", "\"env\":true", "env: ours false, theirs true");
        check("[0,0,-1]", "[0,0,-2]", "vel: ours [0,0,-1], theirs [0,0,-2]");
        check("[\"0xA9B40031\"]", "[]", "cells: ours [\"0xA9B40031\"], theirs []");
        check(",\"lcoord\":[1,2]", "", "lcoord: ours [1,2], theirs nothing");
    }

    #[test]
    fn one_bit_is_a_difference() {
        check(
            "[1,2,3]",
            "[1,2,3.00000024]",
            "pos: ours [1,2,3], theirs [1,2,3.00000024] (0.0000 m apart)",
        );
        check("[1,2,3]", "[1,2,3.5]", "pos: ours [1,2,3], theirs [1,2,3.5] (0.5000 m apart)");
        check("[1,0,0]", "[1,0,-0]", "hit: ours [1,0,0], theirs [1,0,-0]");
    }

    #[test]
    fn a_longer_result_differs_where_the_other_ends() {
        let (short, long) = ([step(FULL)], [step(FULL), step(FULL)]);
        let difference = first_exact_difference(&short, &long).unwrap();
        assert_eq!(difference.to_string(), "step 1: ours has 1 steps, theirs 2");
        assert_eq!(count_different_steps(&short, &long), 1);
    }

    #[test]
    fn nan_on_both_sides_is_no_difference() {
        let step = step(&FULL.replace("[1,2,3]", "[null,2,3]"));
        let steps = [step];
        assert_eq!(first_exact_difference(&steps, &steps.clone()), None);
    }
}
