use threshold_dat::{Animation, GfxObj, MotionTable, RecordId, Records, SetupRecord, motion_key};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Rotation};

use super::skeleton::{
    ANKLE, COUNT, ELBOW, HIP, KNEE, NECK, PARTS, Part, SHOULDER, SOLE, WAIST, WRIST,
};
use super::table::{self, CLIPS, Clip};
use crate::tool::model::{FEET, MOVER};
use crate::{Forge, MadeWorld, ObjectSpec};

/// Which part hangs on which, and where.
const JOINTS: [(usize, usize, Vec3); COUNT - 1] = {
    const fn left(joint: Vec3) -> Vec3 {
        Vec3::new(-joint.x, joint.y, joint.z)
    }
    [
        (1, 0, WAIST),
        (2, 1, NECK),
        (3, 1, left(SHOULDER)),
        (4, 3, ELBOW),
        (5, 4, WRIST),
        (6, 1, SHOULDER),
        (7, 6, ELBOW),
        (8, 7, WRIST),
        (9, 0, left(HIP)),
        (10, 9, KNEE),
        (11, 10, ANKLE),
        (12, 0, HIP),
        (13, 12, KNEE),
        (14, 13, ANKLE),
    ]
};

/// The parts that are feet: left and right.
const FOOT: [usize; 2] = [11, 14];

fn each_frame(mut look: impl FnMut(Clip, u32, &[Frame])) {
    for clip in CLIPS {
        let animation = clip.animation();
        for index in 0..animation.frames {
            look(clip, index, animation.frame(index).unwrap());
        }
    }
}

#[test]
fn limbs_stay_connected() {
    each_frame(|clip, index, frames| {
        for (part, on, joint) in JOINTS {
            let gap = frames[on].to_global(joint).distance(frames[part].origin);
            assert!(gap < 1e-3, "{clip:?} {index}: {:?} is {gap} m off", PARTS[part]);
            assert!(frames[part].is_valid(), "{clip:?} {index}");
        }
    });
}

#[test]
fn nothing_goes_through_the_ground_and_the_head_stays_up() {
    let models = super::make().unwrap().models;
    let corners = |part: Part| -> Vec<Vec3> {
        models[part as usize].vertices.iter().map(|vertex| vertex.position).collect()
    };
    let corners = PARTS.map(corners);
    each_frame(|clip, index, frames| {
        let all = frames.iter().zip(&corners);
        let heights = all.flat_map(|(frame, own)| own.iter().map(|at| frame.to_global(*at).z));
        let (low, high) = heights
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
        assert!(low > -FEET - 0.02, "{clip:?} {index}: {low}");
        assert!((1.3..2.25).contains(&high), "{clip:?} {index}: {high}");
    });
}

/// The places of a foot that can be on the ground, in the object's space.
fn soles(frame: &Frame) -> [Vec3; 2] {
    [-0.07, 0.17].map(|y| frame.to_global(Vec3::new(0.0, y, -SOLE)))
}

/// A point of the object's space in a world that the body has moved through for some frames.
fn in_world(clip: Clip, frames: f32, at: Vec3) -> Vec2 {
    let gait = clip.gait().unwrap();
    let seconds = frames / 30.0;
    let turn =
        Rotation::from_scaled_axis(Vec3::Z * (gait.turn * seconds)).unwrap_or(Rotation::IDENTITY);
    (turn.rotate(at) + gait.velocity * seconds).truncate()
}

#[test]
fn a_foot_on_the_ground_does_not_slide() {
    for clip in CLIPS.into_iter().filter(|clip| clip.gait().is_some()) {
        let animation = clip.animation();
        let mut on_ground = 0;
        for index in 0..animation.frames {
            let now = animation.frame(index).unwrap();
            let next = animation.frame((index + 1) % animation.frames).unwrap();
            for foot in FOOT {
                for (before, after) in soles(&now[foot]).into_iter().zip(soles(&next[foot])) {
                    // Both on the ground: what rolls or swings is not.
                    if before.z.max(after.z) > -FEET + 0.002 {
                        continue;
                    }
                    on_ground += 1;
                    let distance = in_world(clip, 1.0, after).distance(in_world(clip, 0.0, before));
                    assert!(distance * 30.0 < 0.1, "{clip:?} {index}: {} m/s", distance * 30.0);
                }
            }
        }
        // Long enough, on either foot, to carry the body.
        assert!(on_ground >= 12, "{clip:?}: {on_ground} frames");
    }
}

#[test]
fn left_and_right_take_turns() {
    for clip in CLIPS.into_iter().filter(|clip| clip.gait().is_some()) {
        let animation = clip.animation();
        let half = animation.frames / 2;
        for index in 0..half {
            let now = animation.frame(index).unwrap();
            let later = animation.frame(index + half).unwrap();
            let [left, right] = [now[FOOT[0]].origin, later[FOOT[1]].origin];
            assert!((left.z - right.z).abs() < 1e-3, "{clip:?} {index}");
            if clip == Clip::Walk || clip == Clip::Run {
                let mirrored = Vec3::new(-left.x, left.y, left.z);
                assert!(mirrored.distance(right) < 1e-3, "{clip:?} {index}");
            }
        }
        let lifted = |foot: usize| {
            let high = |index: &u32| animation.frame(*index).unwrap()[foot].origin.z > SOLE + 0.03;
            (0..animation.frames).filter(high).collect::<Vec<_>>()
        };
        assert_ne!(lifted(FOOT[0]), lifted(FOOT[1]), "{clip:?}");
        assert!(!lifted(FOOT[0]).is_empty(), "{clip:?}");
    }
}

#[test]
fn motions_are_smooth_also_where_they_begin_again() {
    for clip in CLIPS {
        let animation = clip.animation();
        let last = if clip.repeats() { animation.frames } else { animation.frames - 1 };
        // Feet swing ahead twice as fast as the body goes, and more.
        let speed = clip.gait().map_or(0.0, |gait| gait.velocity.length());
        let max = if clip.repeats() { (1.5 + 3.2 * speed) / 30.0 } else { 0.32 };
        for index in 0..last {
            let now = animation.frame(index).unwrap();
            let next = animation.frame((index + 1) % animation.frames).unwrap();
            for part in 0..COUNT {
                let distance = now[part].origin.distance(next[part].origin);
                assert!(distance < max, "{clip:?} {index} {:?}: {distance} m", PARTS[part]);
                let turn = now[part].rotation.dot(next[part].rotation).abs();
                assert!(turn > 0.93, "{clip:?} {index} {:?}: {turn}", PARTS[part]);
            }
        }
    }
}

#[test]
fn links_begin_and_end_where_the_motions_do() {
    let frame = |clip: Clip, index: Option<u32>| {
        let animation = clip.animation();
        animation.frame(index.unwrap_or(animation.frames - 1)).unwrap().to_vec()
    };
    for (link, from, to) in [
        (Clip::TakeOff, Clip::Ready, Clip::Falling),
        (Clip::Landing, Clip::Falling, Clip::Ready),
        (Clip::StartWalk, Clip::Ready, Clip::Walk),
        (Clip::StartRun, Clip::Ready, Clip::Run),
    ] {
        for (own, other) in [(Some(0), from), (None, to)] {
            let (own, other) = (frame(link, own), frame(other, Some(0)));
            let near = own.iter().zip(&other).all(|(a, b)| a.origin.distance(b.origin) < 1e-4);
            assert!(near, "{link:?} from {from:?} to {to:?}");
        }
    }
}

fn dressed() -> MadeWorld {
    Forge::dressed(1).finish().unwrap()
}

#[test]
fn the_mover_of_a_dressed_world_is_the_figure_with_the_shapes_of_the_plain_one() {
    let plain = Forge::new().finish().unwrap();
    let [plain, figure] = [&plain, &dressed()].map(|world| -> SetupRecord {
        let mut records = Records::new(world);
        records.get(MOVER).unwrap().unwrap()
    });
    assert_eq!((plain.parts.len(), figure.parts.len()), (1, COUNT));
    assert_eq!(figure.placements[0].frames.len(), COUNT);
    let held = figure.holding_locations.iter().map(|own| (own.key, PARTS[own.part as usize]));
    assert_eq!(held.collect::<Vec<_>>(), [(1, Part::Hand), (2, Part::Hand)]);
    assert_eq!(figure.defaults.motion_table, RecordId(0x0900_0001));
    let shapes = |setup: &SetupRecord| {
        let steps = [setup.height, setup.radius, setup.step_up, setup.step_down];
        (setup.spheres.clone(), setup.cylinders.clone(), setup.sorting_sphere, steps)
    };
    assert_eq!(shapes(&plain), shapes(&figure));
}

#[test]
fn every_record_of_the_figure_reads_back() {
    let world = dressed();
    let mut records = Records::new(&world);
    let setup: SetupRecord = records.get(MOVER).unwrap().unwrap();
    for part in &setup.parts {
        let model: GfxObj = records.get(*part).unwrap().unwrap();
        assert!(model.physics.is_none() && model.drawing.is_some());
    }
    let table: MotionTable = records.get(setup.defaults.motion_table).unwrap().unwrap();
    let default = table.stance_defaults[0];
    let keys: Vec<u32> = table.cycles.iter().map(|cycle| cycle.key).collect();
    assert!(keys.contains(&motion_key(default.stance, default.motion)));
    let links = table.links.iter().flat_map(|links| &links.motions);
    for motion in table.cycles.iter().chain(&table.modifiers).chain(links) {
        let span = motion.animations[0];
        let animation: Animation = records.get(span.animation).unwrap().unwrap();
        assert_eq!(animation.parts as usize, COUNT);
        assert!(animation.frames >= 5, "{:?}", animation.id);
    }
    let walk = table.cycles.iter().find(|cycle| cycle.key == 0x3D_0005).unwrap();
    assert_eq!(walk.velocity.as_deref(), Some(&Vec3::new(0.0, 3.12, 0.0)));
    let ready: Animation = records.get(RecordId(0x0300_0001)).unwrap().unwrap();
    assert_eq!(ready, Animation { id: ready.id, ..Clip::Ready.animation() });
    assert_eq!(table::animations().len(), CLIPS.len());
}

#[test]
fn others_can_be_figures_too_and_bare_models_keep_their_numbers() {
    let mut forge = Forge::dressed(1);
    let other = forge.object(ObjectSpec::Figure);
    let solid = forge.object(ObjectSpec::cuboid([1.0, 1.0, 1.0]));
    let world = forge.finish().unwrap();
    let mut records = Records::new(&world);
    let setup: SetupRecord = records.get(other).unwrap().unwrap();
    assert_eq!(setup.defaults.motion_table, RecordId(0x0900_0002));
    let model: GfxObj = records.get(solid).unwrap().unwrap();
    assert!(model.physics.is_some());
    assert!(!setup.parts.contains(&solid));
}
