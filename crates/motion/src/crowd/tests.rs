use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane};
use threshold_world::{BodyId, ObjectId, World};

use super::*;
use crate::gait::Gait;
use crate::mover::Stationary;

fn hash(body: Body) -> StateHash {
    let mut crowd = Crowd::new();
    assert!(crowd.insert(body).is_none());
    crowd.hash(&World::new())
}

#[test]
fn every_field_of_a_body_changes_the_hash() {
    let changes: &[fn(&mut Body)] = &[
        |body| body.id = BodyId(2),
        |body| body.velocity.x = -0.0,
        |body| body.spin.z = 1.0,
        |body| body.stance.contact = true,
        |body| body.stance.on_walkable = true,
        |body| body.stance.plane = Plane { normal: Vec3::Z, d: 0.0 },
        |body| body.stance.plane.d = f32::from_bits(1),
        |body| body.stance.plane_cell = CellId(1),
        |body| body.stance.water = true,
        |body| body.stance.sliding = true,
        |body| body.stance.sliding_normal = Vec3::X,
        |body| body.stance.stationary = Stationary { fall: true, ..Stationary::default() },
        |body| body.stance.stationary = Stationary { stop: true, ..Stationary::default() },
        |body| body.stance.stationary = Stationary { stuck: true, ..Stationary::default() },
        |body| body.gait = Some(Gait::stand()),
        |body| body.gait = Some(Gait::walk()),
        |body| body.gait = Some(Gait::run(1.0)),
        |body| body.target = Some(ObjectId::body(BodyId(9))),
        |body| body.elasticity = 0.0,
        |body| body.friction = 0.0,
        |body| body.actual_velocity = Vec3::Y,
        |body| body.colliding_with_environment = true,
        |body| body.awake = false,
        |body| body.becoming_solid = true,
        |body| body.clock = 1.0,
        |body| assert!(body.collisions.record(ObjectId::body(BodyId(9)), 0.0, false)),
        |body| assert!(body.collisions.record(ObjectId::body(BodyId(9)), 0.0, true)),
    ];
    let mut seen = vec![hash(Body::new(BodyId(1)))];
    for (number, change) in changes.iter().enumerate() {
        let mut body = Body::new(BodyId(1));
        change(&mut body);
        let now = hash(body);
        assert!(!seen.contains(&now), "change {number}");
        seen.push(now);
    }
}

#[test]
fn the_hash_is_fnv_1a() {
    assert_eq!(Crowd::new().hash(&World::new()).to_string(), "cbf29ce484222325");
    let mut one = StateHash(0xCBF2_9CE4_8422_2325);
    one.word(u32::from(b'a'));
    assert_eq!(one.to_string(), "af63dc4c8601ec8c");
}
