//! Invalid worlds and their error messages.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use threshold_forge::{
    Face, Forge, ForgeError, ForgeErrorKind, ObjectSpec, Opening, Plan, RoomKey, RoomSpec, Shape,
    samples,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame, Rotation};

fn room(low: [f32; 3], high: [f32; 3]) -> RoomSpec {
    RoomSpec::cuboid(low, high)
}

/// Two adjacent rooms, with the wall between them at x = 4, changed by `change`.
fn pair(change: impl FnOnce(&mut Plan, RoomKey, RoomKey)) -> Plan {
    let mut plan = Plan::new();
    let hall = plan.room(room([0.0; 3], [4.0, 4.0, 3.0]).named("hall"));
    let den = plan.room(room([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]).named("den"));
    change(&mut plan, hall, den);
    plan
}

fn finish(plan: Plan, building: bool) -> Result<(), ForgeError> {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    let frame = Frame::at(Vec3::new(60.0, 60.0, 10.0));
    if building {
        block.building(frame, plan)
    } else {
        block.dungeon(frame, plan)
    };
    forge.finish().map(|_| ())
}

#[track_caller]
fn check(plan: Plan, building: bool, want: &str) {
    let error = finish(plan, building).unwrap_err();
    assert_eq!(error.to_string(), want, "{error:?}");
}

#[track_caller]
fn check_forge(forge: Forge, want: &str) {
    let error = forge.finish().unwrap_err();
    assert_eq!(error.to_string(), want, "{error:?}");
}

#[test]
fn rooms_must_be_convex() {
    let bent = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
    let mut plan = Plan::new();
    plan.room(RoomSpec::prism(bent, 0.0, 3.0).named("bent"));
    check(plan, true, "landblock A9B4, building 0, room 0 \"bent\": the room is not convex");

    let mut plan = Plan::new();
    let faces = Shape::cuboid([0.0; 3], [1.0; 3]).faces()[1..].to_vec();
    plan.room(RoomSpec::shaped(Shape::from_faces(faces)));
    check(plan, false, "landblock A9B4, dungeon 0, room 0: the faces of the room do not close it");
}

#[track_caller]
fn check_shape(shape: Shape, want: &str) {
    let mut plan = Plan::new();
    plan.room(RoomSpec::shaped(shape).named("odd"));
    check(plan, false, &format!("landblock A9B4, dungeon 0, room 0 \"odd\": {want}"));
}

#[test]
fn shapes_must_have_a_valid_size() {
    check_shape(Shape::cuboid([0.0; 3], [4.0, 0.0, 3.0]), "the room is thinner than 1 mm");
    check_shape(Shape::cuboid([0.0; 3], [4.0, 4.0, 1e-4]), "the room is thinner than 1 mm");
    check_shape(Shape::cuboid([0.0; 3], [1e20; 3]), "the room is larger than 20 km");
    let far = Shape::cuboid([0.0; 3], [4.0, 10_001.0, 3.0]);
    check_shape(far, "the room reaches more than 10 km from the origin");
    let doubled = [[0.0, 0.0], [4.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    check_shape(Shape::prism(doubled, 0.0, 3.0), "the room has a doubled corner");
    let mut faces = Shape::cuboid([0.0; 3], [1.0; 3]).faces().to_vec();
    faces.push(vec![Vec3::ZERO, Vec3::X, Vec3::X * 0.5]);
    check_shape(Shape::from_faces(faces), "a face of the room has no area");
    let round = Shape::regular(256, 20.0, 0.0, 3.0);
    check_shape(round, "vertices of a polygon: 256, the format holds at most 255");
}

#[test]
fn openings_must_not_be_tiny() {
    let place = "landblock A9B4, building 0, room 0 \"hall\", opening 0: ";
    let refuse = |opening: Opening, want: &str| {
        let plan = pair(|plan, hall, _| {
            plan.exit(hall, opening);
        });
        check(plan, true, &format!("{place}{want}"));
    };
    let door = |width, height| Opening::door(Face::SOUTH).size(width, height);
    refuse(door(0.005, 2.0), "a side of the opening is 0.0050 m; the minimum is 0.01 m");
    refuse(door(1.0, -2.0), "a side of the opening is -2.0000 m; the minimum is 0.01 m");
    let needle = [[1.0, 0.0, 1.0], [3.0, 0.0, 1.0], [2.0, 0.0, 1.004]];
    let needle = Opening::polygon(needle);
    refuse(needle, "the width of the opening is 0.0040 m; the minimum is 0.01 m");
    let smallest = pair(|plan, hall, _| {
        plan.exit(hall, door(0.01, 0.01));
    });
    assert_eq!(finish(smallest, true), Ok(()));
}

#[test]
fn openings_must_lie_in_a_wall() {
    let off = [[4.1, 1.0, 0.0], [4.1, 2.0, 0.0], [4.1, 2.0, 2.0], [4.1, 1.0, 2.0]];
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::polygon(off));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: the opening lies in no wall; the \
         nearest is 0.100 m away",
    );
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::door(Face::SOUTH).along(3.0));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: the opening reaches 0.800 m \
         beyond the edge of its wall",
    );
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::door(Face::Wall(9)));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: the room has no wall 9",
    );
    let bent = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.5], [2.0, 0.0, 2.0]];
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::polygon(bent));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: the opening is not a flat convex \
         polygon",
    );
}

#[test]
fn openings_must_not_overlap() {
    let overlapping = |plan: &mut Plan, hall, den| {
        plan.exit(hall, Opening::door(Face::SOUTH).along(0.5));
        plan.join(hall, den, Opening::door(Face::EAST));
        plan.window(hall, Opening::pane(Face::SOUTH).along(2.0));
    };
    check(
        pair(overlapping),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 2: the opening overlaps opening 0 by \
         0.300 m",
    );
}

#[test]
fn joined_rooms_must_meet() {
    check(
        pair(|plan, hall, den| {
            plan.join(hall, den, Opening::door(Face::WEST));
        }),
        false,
        "landblock A9B4, dungeon 0, room 0 \"hall\" and room 1 \"den\", opening 0: the rooms do not \
         meet in this opening: the opening lies in no wall; the nearest is 2.300 m away",
    );
    let mut plan = Plan::new();
    let hall = plan.room(room([0.0; 3], [4.0, 4.0, 3.0]).named("hall"));
    let low = plan.room(room([4.0, 0.0, 0.0], [8.0, 4.0, 2.0]).named("low"));
    plan.join(hall, low, Opening::door(Face::EAST));
    let error = finish(plan, false).unwrap_err();
    assert!(
        matches!(&error.kind, ForgeErrorKind::JoinMismatch(why) if matches!(**why, ForgeErrorKind::OpeningOutsideWall(_))),
        "{error}"
    );
    let place = error.place;
    assert_eq!((place.room.unwrap().number, place.other_room.unwrap().number), (0, 1));
    check(
        pair(|plan, hall, _| {
            plan.join(hall, hall, Opening::door(Face::EAST));
        }),
        false,
        "landblock A9B4, dungeon 0, room 0 \"hall\" and room 0 \"hall\", opening 0: a room cannot be \
         joined to itself",
    );
}

#[test]
fn rooms_must_not_overlap() {
    let overlapping = |plan: &mut Plan, _, _| {
        plan.room(room([7.5, 1.0, 0.0], [9.0, 2.0, 3.0]).named("cell"));
    };
    check(
        pair(overlapping),
        false,
        "landblock A9B4, dungeon 0, room 1 \"den\" and room 2 \"cell\": the rooms overlap by 0.500 m",
    );
    let touching = |plan: &mut Plan, _, _| {
        plan.room(room([7.9995, 1.0, 0.0], [9.0, 2.0, 3.0]));
    };
    assert_eq!(finish(pair(touching), false), Ok(()), "half a millimetre is rounding");
}

#[test]
fn blocks_must_stand_in_their_room() {
    let mut plan = Plan::new();
    let block = Shape::cuboid([3.0, 1.0, 0.0], [4.5, 2.0, 1.0]);
    plan.room(room([0.0; 3], [4.0, 4.0, 3.0]).block(block));
    check(
        plan,
        false,
        "landblock A9B4, dungeon 0, room 0: a block reaches 0.500 m out of the room",
    );
}

#[test]
fn dungeons_have_no_exits() {
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::door(Face::SOUTH));
        }),
        false,
        "landblock A9B4, dungeon 0, room 0 \"hall\", opening 0: a dungeon cannot have exits or windows",
    );
}

#[test]
fn a_door_must_not_open_into_another_room() {
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::door(Face::EAST));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: the opening leads outdoors, but rooms or solids block \
         100 % of it",
    );
}

#[test]
fn a_building_must_stand_in_its_landblock() {
    for at in [Vec3::new(-0.1, 60.0, 0.0), Vec3::new(60.0, 192.0, 0.0)] {
        let mut forge = Forge::new();
        forge.block(samples::TOWN).building(Frame::at(at), samples::house());
        let want =
            "landblock A9B4, building 0: the origin of the building is not inside the landblock";
        check_forge(forge, want);
    }
}

#[test]
fn a_land_cell_has_one_building() {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.building(Frame::at(Vec3::new(8.0, 8.0, 0.0)), samples::house());
    block.building(Frame::at(Vec3::new(36.0, 12.0, 0.0)), samples::house());
    block.building(Frame::at(Vec3::new(20.0, 20.0, 0.0)), samples::house());
    check_forge(forge, "landblock A9B4, building 2: land cell 0xA9B40001 already has building 0");
}

#[test]
fn a_building_must_fit_into_its_land_cell() {
    let mut forge = Forge::new();
    // Its hall reaches four metres to the west, and its land cell begins at 72.
    forge.block(samples::TOWN).building(Frame::at(Vec3::new(75.0, 84.0, 0.0)), samples::house());
    let want = "landblock A9B4, building 0, room 0 \"hall\": the room reaches 1.000 m out of land cell \
                0xA9B4001C, which the building belongs to";
    check_forge(forge, want);
}

#[test]
fn heights_must_be_in_the_table() {
    let mut forge = Forge::new();
    forge.block(samples::TOWN).heights(|x, y| if (x, y) == (3, 7) { 256 } else { 255 });
    check_forge(forge, "landblock A9B4: height 256 at corner (3, 7); 0 to 255 expected");
    let mut forge = Forge::new();
    forge.block(samples::TOWN).terrain(|_, y| 30 + y);
    check_forge(forge, "landblock A9B4: kind of ground 32 at corner (0, 2); 0 to 31 expected");
    let mut forge = Forge::new();
    forge.block(samples::TOWN).roads(|x, _| -x);
    check_forge(forge, "landblock A9B4: road -1 at corner (1, 0); 0 to 3 expected");
}

#[test]
fn numbers_must_be_finite_and_rotations_of_unit_length() {
    let mut plan = Plan::new();
    plan.room(room([0.0; 3], [4.0, f32::NAN, 3.0]));
    check(plan, false, "landblock A9B4, dungeon 0, room 0: a number in the room is not finite");

    let mut plan = Plan::new();
    let frame = Frame { rotation: Rotation::new(2.0, 0.0, 0.0, 0.0), ..Frame::IDENTITY };
    plan.room(room([0.0; 3], [4.0, 4.0, 3.0]).at(frame));
    check(
        plan,
        false,
        "landblock A9B4, dungeon 0, room 0: the rotation of the room's frame is not of unit length",
    );

    let mut forge = Forge::new();
    let frame = Frame::at(Vec3::new(f32::INFINITY, 0.0, 0.0));
    forge.block(samples::TOWN).put(threshold_forge::MOVER, frame);
    check_forge(forge, "landblock A9B4, object 0: a number in an object is not finite");

    let hole = [[f32::NAN; 3]; 4];
    check(
        pair(|plan, hall, _| {
            plan.exit(hall, Opening::polygon(hole));
        }),
        true,
        "landblock A9B4, building 0, room 0 \"hall\", opening 0: a number in an opening is not finite",
    );

    let mut forge = Forge::new();
    forge.object(ObjectSpec::Ball { radius: 0.0 });
    check_forge(forge, "object 0: the size of an object is not positive");
}

#[test]
fn a_plan_knows_only_its_own_rooms() {
    let mut other = Plan::new();
    let strange = (0..5).map(|_| other.room(room([0.0; 3], [1.0; 3]))).last().unwrap();
    check(
        pair(|plan, _, _| {
            plan.exit(strange, Opening::door(Face::SOUTH));
        }),
        true,
        "landblock A9B4, building 0, room 4, opening 0: the plan does not contain this room",
    );
    check(
        pair(|plan, _, _| {
            plan.put(strange, threshold_forge::MOVER, Frame::IDENTITY);
        }),
        true,
        "landblock A9B4, building 0, room 4, object 0: the plan does not contain this room",
    );
}

#[test]
fn a_landblock_has_a_maximum_number_of_rooms() {
    let mut plan = Plan::new();
    for _ in 0..0xFEFF {
        plan.room(room([0.0; 3], [1.0; 3]));
    }
    check(plan, false, "landblock A9B4: 65279 rooms; the maximum in a landblock is 65,278");
    let mut forge = Forge::new();
    forge.block(BlockId::new(0xFF, 0x10));
    check_forge(forge, "landblock FF10: the landblock is off the map, which ends at FEFE");
}

#[test]
fn a_room_has_at_most_255_openings() {
    let mut plan = Plan::new();
    let hall = plan.room(room([0.0; 3], [256.0, 4.0, 3.0]));
    for index in 0..256_u16 {
        let x = f32::from(index);
        let closet = plan.room(room([x, 4.0, 0.0], [x + 1.0, 5.0, 3.0]));
        plan.join(closet, hall, Opening::whole(Face::SOUTH));
    }
    check(
        plan,
        false,
        "landblock A9B4, dungeon 0, room 0: 256 openings; the maximum in a room is 255",
    );
}
