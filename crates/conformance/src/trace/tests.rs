use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Rotation};
use threshold_world::State;

use super::*;
use crate::Kind;
use crate::record::{Field, Step};
use crate::scenario::{
    Call, CellsJob, Job, LanddefsJob, MoverSpec, PlaceJob, Point, Query, ScenarioObject, SimJob,
    Start, ViewerJob, WalkJob,
};

/// Numbers of an xorshift generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 >> 32).unwrap()
    }

    fn below(&mut self, end: u32) -> usize {
        usize::try_from(self.bits() % end).unwrap()
    }

    fn flag(&mut self) -> bool {
        self.bits() & 1 == 1
    }

    /// Any number of single precision.
    fn number(&mut self) -> f32 {
        loop {
            let number = f32::from_bits(self.bits());
            if number.is_finite() {
                return number;
            }
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn cell(&mut self) -> CellId {
        CellId(self.bits())
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(5)).map(|_| item(self)).collect()
    }

    fn field<T, V: Into<Field<T>>>(&mut self, value: impl FnOnce(&mut Self) -> V) -> Field<T> {
        match self.below(4) {
            0 => Field::Absent,
            1 => Field::Null,
            _ => value(self).into(),
        }
    }

    fn mover(&mut self) -> MoverSpec {
        let (setup, state) = (RecordId(self.bits()), State(self.bits()));
        MoverSpec { setup, state, scale: self.number(), player: self.flag() }
    }

    fn rotation(&mut self) -> Rotation {
        Rotation::new(self.number(), self.number(), self.number(), self.number())
    }

    fn start(&mut self) -> Start {
        let (cell, pos) = (self.cell(), self.vector());
        Start { cell, pos, rot: self.rotation(), contact: self.flag() }
    }

    fn object(&mut self) -> ScenarioObject {
        let (setup, state) = (RecordId(self.bits()), State(self.bits()));
        let (cell, pos, rot) = (self.cell(), self.vector(), self.rotation());
        ScenarioObject { setup, cell, pos, rot, state, scale: self.number() }
    }

    fn point(&mut self) -> Point {
        Point { cell: self.cell(), pos: self.vector() }
    }

    fn query(&mut self) -> Query {
        Query { cell: self.cell(), pos: self.vector(), radius: self.number() }
    }

    fn call(&mut self) -> Call {
        let (a, b, at) = (self.cell(), self.cell(), self.vector());
        let (x, y) = (self.bits().cast_signed(), self.bits().cast_signed());
        let calls = [
            Call::AdjustToOutside(a, at),
            Call::GetOutsideLcoord(a, at),
            Call::BlockidToLcoord(a),
            Call::GidToLcoord(a),
            Call::InboundValidCellid(a),
            Call::LcoordToGid(x, y),
            Call::InBounds(x, y),
            Call::GetBlockOffset(a, b),
        ];
        calls[self.below(8)]
    }

    fn job(&mut self, kind: Kind) -> Job {
        match kind {
            Kind::Walk => Job::Walk(WalkJob {
                mover: self.mover(),
                start: self.start(),
                objects: self.list(Self::object),
                moves: self.list(Self::vector),
            }),
            Kind::Sim => Job::Sim(SimJob {
                mover: self.mover(),
                start: self.start(),
                objects: self.list(Self::object),
                velocity: self.vector(),
                dt: self.number().abs(),
                ticks: self.bits() % 5,
            }),
            Kind::Place => Job::Place(PlaceJob {
                mover: self.mover(),
                candidates: self.list(Self::point),
                objects: self.list(Self::object),
            }),
            Kind::Cells => Job::Cells(CellsJob { queries: self.list(Self::query) }),
            Kind::Viewer => Job::Viewer(ViewerJob {
                mover: self.mover(),
                from: self.point(),
                to: self.vector(),
                radius: self.number().abs(),
            }),
            Kind::Landdefs => Job::Landdefs(LanddefsJob { calls: self.list(Self::call) }),
        }
    }

    fn step(&mut self) -> Step {
        let plane = |random: &mut Self| {
            [random.number(), random.number(), random.number(), random.number()].map(f64::from)
        };
        Step {
            ok: self.field(Self::flag),
            cell: self.field(Self::cell),
            pos: self.field(Self::vector),
            contact: self.field(Self::flag),
            walkable: self.field(Self::flag),
            plane: self.field(plane),
            plane_cell: self.field(Self::cell),
            slide: self.field(Self::vector),
            hit: self.field(Self::vector),
            env: self.field(Self::flag),
            vel: self.field(Self::vector),
            cells: self.field(|random| random.list(Self::cell)),
            lcoord: self.field(|random| [random.bits().cast_signed(), -1]),
        }
    }
}

const KINDS: [Kind; 6] =
    [Kind::Walk, Kind::Sim, Kind::Place, Kind::Cells, Kind::Viewer, Kind::Landdefs];

/// A course with a random question and a random answer.
fn random_course(seed: u32, kind: Kind) -> (Scenario, ScenarioResult) {
    let mut random = Random(u64::from(seed) + 0x9E37_79B9_7F4A_7C15);
    let id = format!("{kind}-\"{seed}\" \u{e9}");
    let job = random.job(kind);
    let steps = (0..job.steps()).map(|_| random.step()).collect();
    (Scenario { id: id.clone(), world: "made".to_owned(), job }, ScenarioResult { id, steps })
}

fn written(courses: &[(Scenario, ScenarioResult)]) -> String {
    let head = Head::new("a test", "made").with_rules(&Rules::default());
    let mut writer = TraceWriter::new(Vec::new(), &head).unwrap();
    for (scenario, record) in courses {
        writer.course(scenario, record).unwrap();
    }
    String::from_utf8(writer.into_inner()).unwrap()
}

/// The courses of a text that is a trace, and what is left over at its end.
#[track_caller]
fn read(text: &str) -> (Vec<Course>, Option<Course>) {
    let mut reader = TraceReader::new();
    let mut courses = Vec::new();
    for line in text.lines() {
        courses
            .extend(reader.line(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}")));
    }
    (courses, reader.finish())
}

/// The same bits in every number of a record. Nine digits name a number of single precision, which is what was
/// written.
#[track_caller]
fn check_same_bits(ours: &ScenarioResult, read: &ScenarioResult) {
    #[allow(clippy::cast_possible_truncation, reason = "only the nearest number is needed")]
    fn bits<const N: usize>(field: &Field<[f64; N]>) -> Option<[u32; N]> {
        field.value().map(|list| list.map(|number| (number as f32).to_bits()))
    }
    assert_eq!(ours.to_line().unwrap(), read.to_line().unwrap());
    for (a, b) in ours.steps.iter().zip(&read.steps) {
        let vectors = |step: &Step| [&step.pos, &step.slide, &step.hit, &step.vel].map(bits);
        assert_eq!(vectors(a), vectors(b));
        assert_eq!(bits(&a.plane), bits(&b.plane));
    }
}

#[test]
fn what_is_written_is_read_to_the_last_bit() {
    for kind in KINDS {
        for seed in 0..300 {
            let (scenario, record) = random_course(seed, kind);
            let (courses, rest) = read(&written(&[(scenario.clone(), record.clone())]));
            let [course] = courses.try_into().unwrap();
            assert_eq!(course.scenario, scenario, "{kind} {seed}");
            check_same_bits(&record, &course.record);
            assert!(course.is_complete && rest.is_none());
            assert_eq!((course.head.by.as_str(), course.head.world.as_str()), ("a test", "made"));
            assert!(course.head.other_rules(&Rules::default()).is_empty());
        }
    }
}

#[test]
fn scenarios_are_written_as_they_are_read() {
    for kind in KINDS {
        for seed in 0..100 {
            let (scenario, _) = random_course(seed, kind);
            let line = scenario.to_line().unwrap();
            assert_eq!(Scenario::parse(line.as_bytes()).unwrap(), scenario, "{line}");
        }
    }
    let line = r#"{"id":"x","kind":"walk","world":"holt","mover":{"setup":"0x02000001","state":"0x00400408","scale":1.5,"player":true},"start":{"cell":"0xA9B40031","pos":[150,0.100000001,-40],"rot":[1,0,0,0],"contact":true},"moves":[[0,-2,0]]}"#;
    assert_eq!(Scenario::parse(line.as_bytes()).unwrap().to_line().unwrap(), line);
}

/// A trace of one course of each kind.
fn sample() -> String {
    let courses: Vec<_> = KINDS.map(|kind| random_course(6, kind)).into();
    assert!(courses.iter().all(|(scenario, _)| scenario.job.steps() > 0));
    written(&courses)
}

#[test]
fn a_trace_cut_off_at_any_line_keeps_its_whole_steps() {
    let text = sample();
    let (all, _) = read(&text);
    let lines: Vec<&str> = text.lines().collect();
    for count in 1..=lines.len() {
        let (mut courses, rest) = read(&lines[..count].join("\n"));
        assert!(rest.as_ref().is_none_or(|course| !course.is_complete));
        courses.extend(rest);
        let steps: usize = courses.iter().map(|course| course.record.steps.len()).sum();
        let written = lines[..count].iter().filter(|line| line.starts_with("{\"step\"")).count();
        assert_eq!(steps, written, "{count} lines");
        for (course, whole) in courses.iter().zip(&all) {
            let steps = course.record.steps.len();
            assert_eq!(course.record.steps, whole.record.steps[..steps]);
            let input = |course: &Course| course.scenario.job.input(steps.saturating_sub(1));
            assert!(steps == 0 || input(course) == input(whole));
        }
    }
}

/// What is said about the last of these lines; those before are right.
#[track_caller]
fn check_bad(lines: &[&str], want: &str) {
    let mut reader = TraceReader::new();
    let (last, before) = lines.split_last().unwrap();
    for line in before {
        let _ = reader.line(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let error = reader.line(last.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(want), "{last}: {error}");
    // What follows is read again.
    let call = r#"{"begin":"next","kind":"landdefs"}"#;
    let line = r#"{"trace":1,"world":"made"}"#;
    for good in [line, call, r#"{"step":0,"do":["in_bounds",1,2]}"#] {
        assert_eq!(reader.line(good.as_bytes()), Ok(None), "{good}");
    }
    assert!(reader.line(br#"{"end":"next"}"#).unwrap().unwrap().is_complete);
}

const HEAD: &str = r#"{"trace":1,"by":"somebody","world":"made"}"#;
const BEGIN: &str = r#"{"begin":"c","kind":"landdefs"}"#;
const STEP: &str = r#"{"step":0,"do":["in_bounds",0,0],"ok":true}"#;
const CAMERA: &str = r#"{"begin":"c","kind":"viewer","mover":{"setup":"0x02000001","state":"0x00000408"},"from":{"cell":"0xA9B40031","pos":[1,2,3]},"to":[4,5,6],"radius":0.3}"#;

#[test]
fn errors_say_what_is_wrong() {
    check_bad(&[r#"{"trace":2,"planet":"made"}"#], "trace version 2; only version 1 can be read");
    check_bad(&[r#"{"trace":"new","world":"made"}"#], "column 14: invalid type: string");
    check_bad(&[r#"{"trace":1}"#], "missing field `world`");
    check_bad(&[BEGIN], "no head before this line; a trace begins with {\"trace\":1,");
    check_bad(&[HEAD, STEP], "no beginning of a course before this line");
    check_bad(&[HEAD, r#"{"end":"c"}"#], "no beginning of a course before this line");
    check_bad(&[HEAD, BEGIN, STEP, STEP], "step 0 found, step 1 expected");
    check_bad(
        &[HEAD, BEGIN, STEP, r#"{"end":"d","steps":1}"#],
        "end of \"d\" found, end of \"c\" expected",
    );
    check_bad(
        &[HEAD, BEGIN, STEP, r#"{"end":"c","steps":3}"#],
        "3 steps stated at the end, 1 read",
    );
    check_bad(&[HEAD, CAMERA, r#"{"end":"c"}"#], "a camera has exactly one step");
    check_bad(&[HEAD, CAMERA, "{\"step\":0}", "{\"step\":1}"], "a camera has exactly one step");
    check_bad(&[HEAD, &CAMERA.replace("[4,", "[1e39,")], "not finite in single precision");
    check_bad(&[HEAD, r#"{"begin":"c","kind":"fly"}"#], "unknown variant `fly`");
    check_bad(&[HEAD, r#"{"begin":"c","kind":"walk"}"#], "missing field `mover`");
    check_bad(&[HEAD, BEGIN, r#"{"step":0,"ok":true}"#], "missing field `do`");
    check_bad(&[HEAD, BEGIN, r#"{"step":0,"do":["fly"]}"#], "unknown call \"fly\"");
    check_bad(&[HEAD, BEGIN, r#"{"step":-1,"do":["fly"]}"#], "invalid value: integer `-1`");
    check_bad(
        &[HEAD, BEGIN, r#"{"step":0,"do":["in_bounds",0,0],"ok":3}"#],
        "invalid type: integer `3`",
    );
    check_bad(&[HEAD, BEGIN, "{\"step\":0,"], "EOF while parsing");
    let far = r#"{"step":0,"do":["adjust_to_outside","0xA9B40031",[1e39,0,0]]}"#;
    check_bad(&[HEAD, BEGIN, far], "not finite in single precision");
}

#[test]
fn a_wrong_line_loses_its_course_and_no_other() {
    let text = sample();
    let (all, _) = read(&text);
    let lines: Vec<&str> = text.lines().collect();
    for wrong in 1..lines.len() {
        let mut reader = TraceReader::new();
        let mut courses = Vec::new();
        let mut errors = 0;
        for (index, line) in lines.iter().enumerate() {
            let line = if index == wrong { "{\"begin\":3}" } else { line };
            match reader.line(line.as_bytes()) {
                Ok(course) => courses.extend(course),
                Err(_) => errors += 1,
            }
        }
        assert_eq!((errors, courses.len()), (1, all.len() - 1), "line {wrong}");
    }
}

#[test]
fn what_others_have_to_say_besides_is_passed_over() {
    let text = format!(
        "{HEAD}\n\n{}\n{{\"note\":\"jump\"}}\n  {}  \n{{\"end\":\"c\"}}\n",
        BEGIN.replace('}', ",\"mood\":1}"),
        STEP.replace('}', ",\"frame\":17}")
    );
    let (courses, rest) = read(&text);
    assert_eq!((courses.len(), courses[0].record.steps.len()), (1, 1));
    assert!(courses[0].is_complete && rest.is_none());
}

#[test]
fn traces_may_follow_each_other_and_courses_that_others_cut_off_are_incomplete() {
    let other = HEAD.replace("made", "holt");
    let text = [HEAD, BEGIN, STEP, BEGIN, STEP, &other, BEGIN, STEP].join("\n");
    let (mut courses, rest) = read(&text);
    courses.extend(rest);
    let worlds: Vec<_> = courses.iter().map(|course| course.scenario.world.as_str()).collect();
    assert_eq!(worlds, ["made", "made", "holt"]);
    assert!(courses.iter().all(|course| !course.is_complete && course.record.steps.len() == 1));
}

#[test]
fn rules_are_compared_where_both_have_them() {
    let line = r#"{"trace":1,"by":"x","world":"made","rules":{"steep_ground":"stops","unloaded":"lost","gravity":9.8,"prune":true}}"#;
    let (courses, _) = read(&[line, BEGIN, STEP, r#"{"end":"c"}"#].join("\n"));
    let head = &courses[0].head;
    assert_eq!(head.rules.get("gravity").map(String::as_str), Some("9.8"));
    let others = head.other_rules(&Rules::default());
    let others: Vec<_> =
        others.iter().map(|rule| (rule.name, rule.there.as_str(), rule.here)).collect();
    assert_eq!(others, [("steep_ground", "stops", "passes"), ("prune", "true", "off")]);
}

#[test]
fn what_cannot_be_read_again_is_not_written() {
    let (scenario, record) = random_course(6, Kind::Walk);
    let mut writer = TraceWriter::new(Vec::new(), &Head::new("x", "made")).unwrap();
    let said = |result: std::io::Result<()>| result.unwrap_err().to_string();
    assert_eq!(
        said(writer.step(crate::scenario::StepInput::Nothing, &Step::default())),
        "a step before the beginning of a course; call begin first"
    );
    assert_eq!(said(writer.end()), "an end before the beginning of a course; call begin first");
    writer.begin("a", &scenario.job).unwrap();
    assert_eq!(
        said(writer.begin("b", &scenario.job)),
        "b cannot begin before a has ended; write the end of a first"
    );
    let far = crate::scenario::StepInput::Move(Vec3::new(f32::NAN, 0.0, 0.0));
    assert_eq!(
        said(writer.step(far, &Step::default())),
        "a: the input of step 0 has a number that is not finite"
    );
    writer.end().unwrap();
    let mut more = record.clone();
    more.steps.push(Step::default());
    assert!(said(writer.course(&scenario, &more)).contains("the scenario has no step"));
}
