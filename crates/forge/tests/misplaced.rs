//! Objects, blocks and plans in invalid positions, and the error messages.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use threshold_dat::RecordId;
use threshold_forge::{
    Face, Forge, MOVER, ObjectSpec, Opening, Plan, RoomKey, RoomSpec, Shape, samples,
};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, Frame};

#[track_caller]
fn check(forge: Forge, want: &str) {
    let error = forge.finish().unwrap_err();
    assert_eq!(error.to_string(), want, "{error:?}");
}

fn at(x: f32, y: f32, z: f32) -> Frame {
    Frame::at(Vec3::new(x, y, z))
}

/// A hall and a den, the wall between them at x = 4, with a door in it.
fn pair(
    hall: impl FnOnce(RoomSpec) -> RoomSpec,
    den: impl FnOnce(RoomSpec) -> RoomSpec,
) -> (Plan, [RoomKey; 2]) {
    let mut plan = Plan::new();
    let west = RoomSpec::cuboid([0.0; 3], [4.0, 4.0, 3.0]).named("hall");
    let east = RoomSpec::cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]).named("den");
    let keys = [plan.room(hall(west)), plan.room(den(east))];
    plan.join(keys[0], keys[1], Opening::door(Face::EAST));
    (plan, keys)
}

fn bare() -> (Plan, [RoomKey; 2]) {
    pair(|hall| hall, |den| den)
}

fn building(plan: Plan) -> Forge {
    let mut forge = Forge::new();
    forge.block(samples::TOWN).building(at(60.0, 60.0, 10.0), plan);
    forge
}

#[test]
fn objects_must_come_from_the_forge() {
    // An id of the wrong kind; one never returned; and the model of the mover's setup, which is not public.
    for id in [0x0600_1234, 0x0200_9999, 0x0100_0001] {
        let (mut plan, [hall, den]) = bare();
        plan.put(hall, MOVER, at(1.0, 1.0, 0.0));
        plan.put(den, RecordId(id), at(5.0, 1.0, 0.0));
        let place = "landblock A9B4, building 0, room 1 \"den\", object 1";
        check(building(plan), &format!("{place}: object 0x{id:08X} was not made by this forge"));
        let mut forge = Forge::new();
        let ball = forge.object(ObjectSpec::Ball { radius: 1.0 });
        let block = forge.block(samples::TOWN);
        block.put(ball, at(9.0, 9.0, 0.0)).put(RecordId(id), at(9.0, 9.0, 0.0));
        check(
            forge,
            &format!("landblock A9B4, object 1: object 0x{id:08X} was not made by this forge"),
        );
    }
}

#[test]
fn an_object_must_be_in_its_room() {
    let (mut plan, [hall, _]) = bare();
    plan.put(hall, MOVER, at(4.25, 1.0, 0.0));
    let want = "landblock A9B4, building 0, room 0 \"hall\", object 0: the origin of the object is \
                0.250 m outside the room";
    check(building(plan), want);
    let (mut plan, [hall, _]) = bare();
    plan.put(hall, MOVER, at(3.99, 1.0, -0.009));
    assert!(building(plan).finish().is_ok(), "a little below the floor");
}

#[test]
fn an_object_must_be_in_its_landblock() {
    for out in [at(-0.1, 9.0, 0.0), at(9.0, 192.0, 0.0)] {
        let mut forge = Forge::new();
        forge.block(samples::TOWN).put(MOVER, out);
        let want = "landblock A9B4, object 0: the origin of the object is not inside the landblock";
        check(forge, want);
    }
}

#[test]
fn an_object_needs_an_existing_room() {
    let (_, [_, strange]) = bare();
    let mut plan = Plan::new();
    plan.put(strange, MOVER, Frame::IDENTITY);
    let mut forge = Forge::new();
    forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
    let want = "landblock 0102, dungeon 0, room 1, object 0: the plan does not contain this room";
    check(forge, want);
}

/// The door in the wall between the rooms is 1.1 to 2.9 m along it and 2.3 m high.
#[test]
fn a_block_must_not_stand_in_an_opening() {
    let block =
        |low: [f32; 3], high: [f32; 3]| move |room: RoomSpec| room.block(Shape::cuboid(low, high));
    let shelf = block([0.0, 3.0, 0.0], [1.0, 4.0, 1.0]);
    let (plan, _) = pair(|hall| block([3.0, 0.0, 0.0], [4.0, 4.0, 1.0])(shelf(hall)), |den| den);
    let want = "landblock A9B4, building 0, room 0 \"hall\", opening 0: block 1 of the room stands in \
                the opening";
    check(building(plan), want);
    let (plan, _) = pair(|hall| hall, block([4.0, 2.0, 2.0], [5.0, 2.5, 3.0]));
    let want = "landblock A9B4, building 0, room 1 \"den\", opening 0: block 0 of the room stands in the \
                opening";
    check(building(plan), want);
    // Beside it, above it, and in front of it.
    for (low, high) in [
        ([3.0, 0.0, 0.0], [4.0, 1.1, 3.0]),
        ([3.0, 0.0, 2.3], [4.0, 4.0, 3.0]),
        ([3.0, 0.0, 0.0], [3.99, 4.0, 1.0]),
    ] {
        let (plan, _) = pair(block(low, high), |den| den);
        assert!(building(plan).finish().is_ok(), "{low:?}");
    }
}

#[test]
fn a_block_must_not_stand_in_a_window() {
    let block = Shape::cuboid([1.0, 0.0, 0.0], [3.0, 1.0, 1.0]);
    let (mut plan, [hall, _]) = pair(|hall| hall.block(block), |den| den);
    plan.window(hall, Opening::pane(Face::SOUTH));
    let want = "landblock A9B4, building 0, room 0 \"hall\", opening 1: block 0 of the room stands in \
                the opening";
    check(building(plan), want);
}

#[test]
fn blocks_must_leave_free_space() {
    let want = "landblock 0102, dungeon 0, room 0: the blocks leave no free space in the room";
    let whole = vec![([0.0; 3], [4.0, 4.0, 3.0])];
    let halves = vec![([0.0; 3], [2.5, 4.0, 3.0]), ([2.0, 0.0, 0.0], [4.0, 4.0, 3.0])];
    for blocks in [whole, halves] {
        let room = RoomSpec::cuboid([0.0; 3], [4.0, 4.0, 3.0]);
        let add = |room: RoomSpec, (low, high)| room.block(Shape::cuboid(low, high));
        let mut plan = Plan::new();
        plan.room(blocks.into_iter().fold(room, add));
        let mut forge = Forge::new();
        forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
        check(forge, want);
    }
}

#[test]
fn rooms_of_different_plans_must_not_overlap() {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.dungeon(Frame::IDENTITY, bare().0);
    block.dungeon(at(8.0, 0.0, 0.0), bare().0); // side by side
    block.dungeon(at(15.5, 0.0, 0.0), bare().0);
    let want = "landblock A9B4, dungeon 1, room 1 \"den\" and dungeon 2, room 0 \"hall\": the rooms \
                overlap by 0.500 m";
    check(forge, want);

    let mut forge = building(samples::house());
    forge.block(samples::TOWN).dungeon(at(60.0, 60.0, 12.0), bare().0);
    let want = "landblock A9B4, building 0, room 1 \"kitchen\" and dungeon 1, room 0 \"hall\": the rooms \
                overlap by 1.000 m";
    check(forge, want);
}

#[test]
fn shells_may_touch() {
    let hut = || {
        let mut plan = Plan::new();
        plan.room(RoomSpec::cuboid([-11.8, -4.0, 0.0], [11.8, 4.0, 3.0]));
        plan
    };
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.building(at(12.2, 60.0, 0.0), hut());
    block.building(at(36.0, 60.0, 0.0), hut());
    assert!(forge.finish().is_ok());
}

#[test]
fn many_plans_may_be_adjacent() {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    for index in 0..500_u16 {
        let (x, y) = (f32::from(index % 25), f32::from(index / 25));
        block.dungeon(at(8.0 * x, 4.0 * y, 0.0), bare().0);
    }
    assert!(forge.finish().is_ok());
}

#[test]
fn adjacent_landblocks_must_agree_on_their_border() {
    let refuse = |(x, y): (u8, u8), odd: (i32, i32), want: &str| {
        let mut forge = Forge::new();
        forge.block(BlockId::new(0x10, 0x20)).heights(|_, _| 20);
        let other = forge.block(BlockId::new(x, y));
        other.heights(|x, y| if (x, y) == odd { 25 } else { 20 });
        check(forge, &format!("landblock {want}"));
    };
    refuse(
        (0x11, 0x20),
        (0, 3),
        "1020: height 20 at corner (8, 3), but 25 at the same corner (0, 3) of landblock 1120",
    );
    refuse(
        (0x10, 0x21),
        (5, 0),
        "1020: height 20 at corner (5, 8), but 25 at the same corner (5, 0) of landblock 1021",
    );
    refuse(
        (0x0F, 0x20),
        (8, 7),
        "0F20: height 25 at corner (8, 7), but 20 at the same corner (0, 7) of landblock 1020",
    );
    refuse(
        (0x11, 0x21),
        (0, 0),
        "1020: height 20 at corner (8, 8), but 25 at the same corner (0, 0) of landblock 1121",
    );
    refuse(
        (0x11, 0x1F),
        (0, 8),
        "1020: height 20 at corner (8, 0), but 25 at the same corner (0, 8) of landblock 111F",
    );
    let mut forge = Forge::new();
    forge.block(BlockId::new(0x10, 0x20)).heights(|_, _| 20);
    forge.block(BlockId::new(0x12, 0x20));
    assert!(forge.finish().is_ok(), "not side by side");
}

#[test]
fn nothing_may_be_too_far_away() {
    let dungeon = |frame: Frame, plan: Plan| {
        let mut forge = Forge::new();
        forge.block(samples::DEPTHS).dungeon(frame, plan);
        forge
    };
    let far = "reaches more than 10 km from the origin";
    let forge = dungeon(at(0.0, -10_001.0, 0.0), bare().0);
    check(forge, &format!("landblock 0102, dungeon 0: the plan's frame {far}"));
    let forge = dungeon(at(9_995.0, 0.0, 0.0), bare().0);
    check(forge, &format!("landblock 0102, dungeon 0, room 1 \"den\": the room {far}"));
    let (plan, _) = pair(|hall| hall, |den| den.at(at(0.0, 0.0, 1e6)));
    let forge = dungeon(Frame::IDENTITY, plan);
    check(forge, &format!("landblock 0102, dungeon 0, room 1 \"den\": the room's frame {far}"));
    let mut forge = Forge::new();
    forge.block(samples::DEPTHS).put(MOVER, at(1.0, 1.0, 1e5));
    check(forge, &format!("landblock 0102, object 0: an object {far}"));
}
