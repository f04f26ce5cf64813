//! The result format.
//!
//! A record is one JSON object on one line: the id of the scenario and a step for each move, tick,
//! candidate, query, sweep or call. A field that a kind of scenario does not have is absent from its
//! steps; a field without a value is `null`.
//!
//! ```
//! use threshold_conformance::record::{ScenarioResult, Step};
//! use threshold_land::CellId;
//! use threshold_land::vector::Vec3;
//!
//! let step = Step {
//!     ok: true.into(),
//!     cell: CellId(0xA9B4_0031).into(),
//!     pos: Vec3::new(150.0, 0.1, 40.0).into(),
//!     hit: None::<Vec3>.into(),
//!     ..Step::default()
//! };
//! let record = ScenarioResult { id: "one".to_owned(), steps: vec![step] };
//! let line = r#"{"id":"one","steps":[{"ok":true,"cell":"0xA9B40031","pos":[150,0.100000001,40],"hit":null}]}"#;
//! assert_eq!(record.to_line()?, line);
//! # Ok::<(), std::io::Error>(())
//! ```

mod field;
mod recorded;
mod write;

use std::io;

use serde::{Deserialize, Serialize};
use threshold_land::CellId;

pub use self::field::Field;
pub use self::recorded::RecordedResults;
pub(crate) use self::write::to_text;
use crate::parse::{ParseError, parse};

/// The result of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// The id of the scenario.
    pub id: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl ScenarioResult {
    /// Reads a record from a line.
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        parse(line)
    }

    /// Formats it as a line without line end, floats with nine significant digits, which identify every
    /// single-precision number. A number that is not finite becomes `null`, as JSON has none.
    pub fn to_line(&self) -> io::Result<String> {
        to_text(self)
    }
}

/// The result of one move, tick, candidate, query, sweep or call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Whether the step succeeded.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub ok: Field<bool>,
    /// The cell it ended in; for a cell query, the one that contains the centre.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub cell: Field<CellId>,
    /// The end position, in the landblock of `cell`.
    #[serde(skip_serializing_if = "Field::is_absent", deserialize_with = "field::numbers")]
    pub pos: Field<[f64; 3]>,
    /// Whether the mover has a contact plane.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub contact: Field<bool>,
    /// Whether the contact plane is walkable.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub walkable: Field<bool>,
    /// The contact plane: normal and distance, in the landblock of `plane_cell`.
    #[serde(skip_serializing_if = "Field::is_absent", deserialize_with = "field::numbers")]
    pub plane: Field<[f64; 4]>,
    /// The cell of the contact plane.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub plane_cell: Field<CellId>,
    /// The sliding normal.
    #[serde(skip_serializing_if = "Field::is_absent", deserialize_with = "field::numbers")]
    pub slide: Field<[f64; 3]>,
    /// The normal of the hit.
    #[serde(skip_serializing_if = "Field::is_absent", deserialize_with = "field::numbers")]
    pub hit: Field<[f64; 3]>,
    /// Whether it hit the environment.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub env: Field<bool>,
    /// Velocity in metres a second.
    #[serde(skip_serializing_if = "Field::is_absent", deserialize_with = "field::numbers")]
    pub vel: Field<[f64; 3]>,
    /// The touched cells, in order.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub cells: Field<Vec<CellId>>,
    /// A land cell of the map.
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub lcoord: Field<[i32; 2]>,
}

impl Step {
    /// Returns whether it succeeded.
    pub fn is_ok(&self) -> bool {
        self.ok.value() == Some(&true)
    }
}

#[cfg(test)]
mod tests {
    use threshold_land::Plane;
    use threshold_land::vector::Vec3;

    use super::*;

    #[track_caller]
    fn check(line: &str) {
        let record = ScenarioResult::parse(line.as_bytes()).unwrap();
        assert_eq!(record.to_line().unwrap(), line);
    }

    #[test]
    fn what_is_read_is_written_with_the_same_characters() {
        check(r#"{"id":"none","steps":[]}"#);
        check(r#"{"id":"nothing","steps":[{}]}"#);
        check(
            r#"{"id":"call","steps":[{"ok":true,"lcoord":[1352,-1]},{"ok":false,"lcoord":null}]}"#,
        );
        check(r#"{"id":"cells","steps":[{"ok":true,"cell":null,"cells":["0xA9B40031"]}]}"#);
        check(
            r#"{"id":"walk","steps":[{"ok":true,"cell":"0xA9B40160","pos":[177.250702,10.072731,-0.5],"contact":true,"walkable":false,"plane":[0,5.96046448e-08,1,-40.2000008],"plane_cell":"0xA9B40160","slide":null,"hit":[-1,0,0],"env":false,"vel":[0,0,-9.80000019],"cells":[]}]}"#,
        );
    }

    #[test]
    fn unknown_fields_are_passed_over_and_missing_ones_are_absent() {
        let line = br#"{"id":"more","seconds":3,"steps":[{"cell":"0xA9B40031","mood":"good"}]}"#;
        let record = ScenarioResult::parse(line).unwrap();
        let step = Step { cell: CellId(0xA9B4_0031).into(), ..Step::default() };
        assert_eq!(record.steps, [step]);
        assert!(!record.steps[0].is_ok());
    }

    #[test]
    fn vectors_and_planes_of_the_engine_become_fields() {
        let plane = Plane { normal: Vec3::Z, d: -40.2 };
        let step = Step {
            pos: Vec3::new(0.1, 0.0, 3.0).into(),
            plane: Some(plane).into(),
            slide: None::<Vec3>.into(),
            ..Step::default()
        };
        let record = ScenarioResult { id: "x".to_owned(), steps: vec![step] };
        let want = r#"{"id":"x","steps":[{"pos":[0.100000001,0,3],"plane":[0,0,1,-40.2000008],"slide":null}]}"#;
        assert_eq!(record.to_line().unwrap(), want);
    }

    #[test]
    fn numbers_that_json_does_not_have_become_null_and_are_read_as_none() {
        let step = Step { pos: [f64::NAN, f64::INFINITY, 1.0].into(), ..Step::default() };
        let record = ScenarioResult { id: "x".to_owned(), steps: vec![step] };
        let line = r#"{"id":"x","steps":[{"pos":[null,null,1]}]}"#;
        assert_eq!(record.to_line().unwrap(), line);
        let read = ScenarioResult::parse(line.as_bytes()).unwrap();
        assert!(read.steps[0].pos.value().unwrap()[0].is_nan());
        assert_eq!(read.to_line().unwrap(), line);
    }

    #[test]
    fn a_bad_line_is_an_error_with_its_column() {
        let error = ScenarioResult::parse(br#"{"id":"x","steps":[{"pos":[1,2]}]}"#).unwrap_err();
        assert_eq!(error.column, 31);
        assert!(error.what.contains("invalid length 2"), "{error}");
        assert!(
            ScenarioResult::parse(br#"{"id":"x"}"#)
                .unwrap_err()
                .what
                .contains("missing field `steps`")
        );
        assert!(ScenarioResult::parse(b"\"\xFF\"").is_err());
    }
}
