//! Worlds written as text equal those made with the same calls.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_forge::{
    Area, Collision, Face, FaceMaterials, Forge, MOVER, MadeWorld, Material, ObjectSpec, Opening,
    Plan, RoomSpec, SceneryKind, Shape, Soil, StabListMode, TerrainMap, Thing, text,
};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, Frame, Rotation};

const EXAMPLES: [(&str, &str); 3] = [
    ("house", include_str!("worlds/house.txt")),
    ("dungeon", include_str!("worlds/dungeon.txt")),
    ("village", include_str!("worlds/village.txt")),
];

const TOWN: BlockId = BlockId::new(0xA9, 0xB4);
const DEPTHS: BlockId = BlockId::new(0x01, 0x02);

fn read(text: &str) -> MadeWorld {
    text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that a text makes the same world as these calls.
#[track_caller]
fn check(text: &str, make: impl FnOnce(&mut Forge)) {
    let mut forge = Forge::new();
    make(&mut forge);
    let want = forge.finish().unwrap();
    assert!(read(text) == want, "another world than in code:\n{text}");
}

/// Checks the statements of a plan, placed as a dungeon or as a building.
#[track_caller]
fn check_plan(kind: &str, statements: &str, make: impl FnOnce(&mut Plan)) {
    let text = format!("plan it\n{statements}\n{kind} it A9B4 at 84,84,0");
    let mut plan = Plan::new();
    make(&mut plan);
    let frame = Frame::at(Vec3::new(84.0, 84.0, 0.0));
    check(&text, |forge| {
        let block = forge.block(TOWN);
        if kind == "building" {
            block.building(frame, plan)
        } else {
            block.dungeon(frame, plan)
        };
    });
}

#[test]
fn a_house_on_a_hill_equals_that_of_code() {
    check(EXAMPLES[0].1, |forge| {
        let mut land = TerrainMap::new(TOWN, [1, 1], 40.0);
        land.hill([96.0, 96.0], 90.0, 24.0).level(
            &Area::rectangle([72.0, 72.0], [96.0, 96.0]),
            60.0,
            24.0,
        );
        forge.land(&land);
        let mut house = Plan::new();
        let hall = RoomSpec::cuboid([-4.0, -6.0, 0.0], [4.0, 0.0, 3.0]).named("hall");
        let looks = FaceMaterials::new(Material::Plaster, Material::Cobble, Material::Plank);
        let kitchen =
            RoomSpec::cuboid([-4.0, 0.0, 0.0], [4.0, 4.0, 3.0]).named("kitchen").materials(looks);
        let (hall, kitchen) = (house.room(hall), house.room(kitchen));
        house.exit(hall, Opening::door(Face::SOUTH));
        house.join(hall, kitchen, Opening::door(Face::NORTH));
        house.window(kitchen, Opening::pane(Face::EAST));
        let [south, north] = [[-5.0, -7.0], [-5.0, 5.0]].map(|[x, y]| {
            let across = Vec3::X * 10.0;
            let west = Vec3::new(x, y, 3.3);
            [west, west + across, Vec3::new(0.0, y, 6.0)]
        });
        let faces = vec![
            south.to_vec(),
            vec![south[1], north[1], north[2], south[2]],
            vec![north[1], north[0], north[2]],
            vec![north[0], south[0], south[2], north[2]],
            vec![north[0], north[1], south[1], south[0]],
        ];
        house.roof(Material::Slate, Shape::from_faces(faces));
        forge.block(TOWN).building(Frame::at(Vec3::new(84.0, 84.0, 60.15)), house);
    });
}

#[test]
fn rooms_equal_those_of_code() {
    check_plan("dungeon", "room a 0,0,0 to 4,5,3", |plan| {
        plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 5.0, 3.0]).named("a"));
    });
    let framed =
        "room a regular 5 radius 3 from -1 to 2 at 1,2,3 heading 30 tilt 10 of rock floor sand";
    check_plan("dungeon", framed, |plan| {
        let tilt = Rotation::from_scaled_axis(Vec3::X * 10.0_f32.to_radians()).unwrap();
        let rotation = Rotation::from_heading(30.0).product(tilt);
        let frame = Frame { origin: Vec3::new(1.0, 2.0, 3.0), rotation };
        let looks = FaceMaterials::new(Material::Rock, Material::Sand, Material::Rock);
        let room = RoomSpec::shaped(Shape::regular(5, 3.0, -1.0, 2.0))
            .named("a")
            .at(frame)
            .materials(looks);
        plan.room(room);
    });
    check_plan("dungeon", "room a prism 0,0 4,0 0,4 from 0 to 3 up 2 turn 2,0,0,2", |plan| {
        let rotation = Rotation::new(2.0, 0.0, 0.0, 2.0).normalised().unwrap();
        let frame = Frame { origin: Vec3::Z * 2.0, rotation };
        let floor = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
        plan.room(RoomSpec::prism(floor, 0.0, 3.0).named("a").at(frame));
    });
    let tent = "room a faces 0,0,0 4,0,0 4,4,0 0,4,0 / 0,0,0 4,0,0 2,2,3 / 4,0,0 4,4,0 2,2,3 / \\
                4,4,0 0,4,0 2,2,3 / 0,4,0 0,0,0 2,2,3";
    check_plan("dungeon", tent, |plan| {
        let floor = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(Vec2::from);
        let corner = |index: usize| floor[index % 4].extend(0.0);
        let mut faces = vec![(0..4).map(corner).collect()];
        let top = Vec3::new(2.0, 2.0, 3.0);
        faces.extend((0..4).map(|index| vec![corner(index), corner(index + 1), top]));
        plan.room(RoomSpec::shaped(Shape::from_faces(faces)).named("a"));
    });
}

#[test]
fn blocks_equal_those_of_code() {
    let hall = || RoomSpec::cuboid([0.0, 0.0, 0.0], [12.0, 6.0, 4.0]).named("a");
    let statements = "room a 0,0,0 to 12,6,4
        block a 1,1,0 to 2,2,1
        block a prism 4,1 5,1 4,2 from 0 to 1 of timber times 3 step 2,0,0.5
        block a regular 6 around 3,4 radius 0.5 from 0 to 4 of ashlar";
    check_plan("dungeon", statements, |plan| {
        let mut room = hall().block(Shape::cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]));
        for [x, low] in [[0.0, 0.0], [2.0, 0.5], [4.0, 1.0]] {
            let floor = [[4.0 + x, 1.0], [5.0 + x, 1.0], [4.0 + x, 2.0]];
            room = room.block_of(Material::Timber, Shape::prism(floor, low, low + 1.0));
        }
        let pillar = Shape::regular(6, 0.5, 0.0, 4.0);
        let corners = pillar.faces()[6].iter().rev().map(|at| at.truncate() + Vec2::new(3.0, 4.0));
        plan.room(room.block_of(Material::Ashlar, Shape::prism(corners, 0.0, 4.0)));
    });
    // Seven steps of 0.3 m, in both directions.
    for ends in ["from 1,3,0 to 8,3,2.1", "from 8,3,2.1 to 1,3,0"] {
        let statements = format!("room a 0,0,0 to 12,6,4\nstairs a {ends} width 2 of brick");
        check_plan("dungeon", &statements, |plan| {
            let step = |room: RoomSpec, step: u8| {
                let ends = [step, step + 1].map(|v| 1.0 + 7.0 * (f32::from(v) / 7.0));
                let top = 2.1 * (f32::from(step + 1) / 7.0);
                let floor = [(ends[0], 2.0), (ends[1], 2.0), (ends[1], 4.0), (ends[0], 4.0)];
                room.block_of(Material::Brick, Shape::prism(floor.map(Vec2::from), 0.0, top))
            };
            plan.room((0..7).fold(hall(), step));
        });
    }
    check_plan("dungeon", "room a 0,0,0 to 12,6,4\nramp a from 1,3,0 to 5,3,2 width 2", |plan| {
        let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let wedge = Shape::from_faces(vec![
            vec![at(1.0, 2.0, 0.0), at(5.0, 2.0, 0.0), at(5.0, 2.0, 2.0)],
            vec![at(5.0, 2.0, 0.0), at(5.0, 4.0, 0.0), at(5.0, 4.0, 2.0), at(5.0, 2.0, 2.0)],
            vec![at(5.0, 4.0, 0.0), at(1.0, 4.0, 0.0), at(5.0, 4.0, 2.0)],
            vec![at(1.0, 2.0, 0.0), at(1.0, 4.0, 0.0), at(5.0, 4.0, 0.0), at(5.0, 2.0, 0.0)],
            vec![at(1.0, 2.0, 0.0), at(5.0, 2.0, 2.0), at(5.0, 4.0, 2.0), at(1.0, 4.0, 0.0)],
        ]);
        plan.room(hall().block(wedge));
    });
}

#[test]
fn openings_equal_those_of_code() {
    let rooms = "room a 0,0,0 to 6,6,4\nroom b 6,0,0 to 12,6,4";
    let check = |kind: &str, statement: &str, opening: Opening| {
        check_plan("dungeon", &format!("{rooms}\n{kind} {statement}"), |plan| {
            let a = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [6.0, 6.0, 4.0]).named("a"));
            let b = plan.room(RoomSpec::cuboid([6.0, 0.0, 0.0], [12.0, 6.0, 4.0]).named("b"));
            plan.join(a, b, opening);
        });
    };
    check("join a b", "door east", Opening::door(Face::EAST));
    check("join a b", "door wall 1", Opening::door(Face::Wall(1)));
    let narrow = Opening::door(Face::EAST).size(1.0, 2.0).along(0.5).sill(0.25);
    check("join a b", "door east along 0.5 sill 0.25 size 1,2", narrow);
    check("join a b", "pane east", Opening::pane(Face::EAST));
    check("join a b", "whole east", Opening::whole(Face::EAST));
    let hatch = Opening::rectangle(Face::EAST, [1.0, 0.5], [2.0, 1.5]);
    check("join a b", "rectangle east at 1,0.5 size 2,1.5", hatch);
    let polygon = Opening::polygon([[6.0, 1.0, 0.0], [6.0, 3.0, 0.0], [6.0, 2.0, 2.0]]);
    check("join a b", "polygon 6,1,0 6,3,0 6,2,2", polygon);
}

#[test]
fn buildings_equal_those_of_code() {
    let statements = "outside walls brick roof thatch
        lists reach
        room hall   -4,-4,0 to 4,4,3
        room attic  -4,-4,3 to 4,4,5 walls plank
        room cellar -3,-3,-3 to 3,3,0 of rock buried
        join hall attic    rectangle ceiling at 1,1 size 2,2
        join hall cellar   rectangle floor at 1,1 size 2,2
        exit hall          door south
        exit hall          door west
        window hall        pane north
        solid 2,3,5 to 3,4,8 of brick";
    check_plan("building", statements, |plan| {
        plan.outside(FaceMaterials::new(Material::Brick, Material::Thatch, Material::Plank));
        plan.lists(StabListMode::Reach);
        let hall = plan.room(RoomSpec::cuboid([-4.0, -4.0, 0.0], [4.0, 4.0, 3.0]).named("hall"));
        let planks = FaceMaterials::all(Material::Plank);
        let attic =
            RoomSpec::cuboid([-4.0, -4.0, 3.0], [4.0, 4.0, 5.0]).named("attic").materials(planks);
        let attic = plan.room(attic);
        let cellar = RoomSpec::cuboid([-3.0, -3.0, -3.0], [3.0, 3.0, 0.0]).named("cellar").buried();
        let cellar = plan.room(cellar.materials(FaceMaterials::all(Material::Rock)));
        plan.join(hall, attic, Opening::rectangle(Face::Ceiling, [1.0, 1.0], [2.0, 2.0]));
        plan.join(hall, cellar, Opening::rectangle(Face::Floor, [1.0, 1.0], [2.0, 2.0]));
        plan.exit(hall, Opening::door(Face::SOUTH)).exit(hall, Opening::door(Face::WEST));
        plan.window(hall, Opening::pane(Face::NORTH));
        plan.solid(Material::Brick, Shape::cuboid([2.0, 3.0, 5.0], [3.0, 4.0, 8.0]));
    });
}

#[test]
fn land_equals_that_of_code() {
    let text = "world plain 7
        define stone ball 0.6
        scene heath
          plant stone share 0.5 spread 8,9 scale 0.8,1.2 steepest 0.6
        land A9B4 size 2,1 height 40
          roll 6 length 120
          roll 2 length 40 seed 99
          hill 300,100 radius 90 height 60
          raise rectangle 240,0 to 384,40 height 20 slope 10
          raise path 192,96 192,150 width 10 height 4
          level disc 96,96 radius 40 height 44
          lake disc 40,150 radius 45 height 38
          road 0,48 96,48 192,96
          paint disc 300,100 radius 60 rock
          paint everywhere Snow above 90
          paint everywhere sandgrey above 60 below 90
          grow everywhere heath
          grow path 0,0 50,50 width 30 nothing";
    check(text, |forge| {
        let object = forge.object(ObjectSpec::Ball { radius: 0.6 });
        let (spread, scale) = ([8.0, 9.0], [0.8, 1.2]);
        let heath =
            forge.scene(vec![SceneryKind { object, share: 0.5, spread, scale, steepest: 0.6 }]);
        let mut land = TerrainMap::new(TOWN, [2, 1], 40.0);
        land.roll(6.0, 120.0, 7)
            .roll(2.0, 40.0, 99)
            .hill([300.0, 100.0], 90.0, 60.0)
            .raise(&Area::rectangle([240.0, 0.0], [384.0, 40.0]), 20.0, 10.0)
            .raise(&Area::path([[192.0, 96.0], [192.0, 150.0]], 10.0), 4.0, 24.0)
            .level(&Area::disc([96.0, 96.0], 40.0), 44.0, 24.0)
            .lake(&Area::disc([40.0, 150.0], 45.0), 38.0)
            .road(&[[0.0, 48.0], [96.0, 48.0], [192.0, 96.0]])
            .paint(&Area::disc([300.0, 100.0], 60.0), Soil::ROCK)
            .paint_where(Soil::SNOW, |_, height| height > 90.0)
            .paint_where(Soil(11), |_, height| height > 60.0 && height < 90.0)
            .grow(&Area::EVERYWHERE, heath)
            .grow(&Area::path([[0.0, 0.0], [50.0, 50.0]], 30.0), 0);
        forge.land(&land);
    });
}

#[test]
fn landblocks_equal_those_of_code() {
    let text = "scene bare
        landblock 2030
          heights 10
          heights 12 at 5,5 to 2,3
          heights row 8 10 10 11 11 12 11 11 10 10
          terrain grass
          terrain Ice at 0,0 to 2,2
          terrain 21 at 8,8
          roads 3 at 0,4 to 8,4
          scenes bare at 6,6 to 8,8
          scenes nothing at 7,7
          put mover at 100,100,30 heading 20
          put box 1,2,3 at 1,1 up 0.5 times 2 step 3,0,1
          put \"mine\" at 2,2";
    let text = format!("define mine box 1,2,3\n{text}");
    check(&text, |forge| {
        let object = forge.object(ObjectSpec::cuboid([1.0, 2.0, 3.0]));
        let scene = i32::from(forge.scene(Vec::new()));
        let block = forge.block(BlockId::new(0x20, 0x30));
        let row = [10, 10, 11, 11, 12, 11, 11, 10, 10];
        block.heights(|x, y| match (x, y) {
            (_, 8) => row[usize::try_from(x).unwrap()],
            (2..=5, 3..=5) => 12,
            _ => 10,
        });
        block.terrain(|x, y| match (x, y) {
            (0..=2, 0..=2) => 2,
            (8, 8) => 21,
            _ => 1,
        });
        block.roads(|_, y| if y == 4 { 3 } else { 0 });
        block.scenes(|x, y| if x >= 6 && y >= 6 && (x, y) != (7, 7) { scene } else { 0 });
        let rotation = Rotation::from_heading(20.0);
        block.put(MOVER, Frame { origin: Vec3::new(100.0, 100.0, 30.0), rotation });
        block.put(object, Frame::at(Vec3::new(1.0, 1.0, 20.5)));
        block.put(object, Frame::at(Vec3::new(4.0, 1.0, 21.5)));
        block.put(object, Frame::at(Vec3::new(2.0, 2.0, 20.0)));
    });
}

#[test]
fn things_equal_those_of_code() {
    let text = "thing lantern
          solid -0.1,-0.1,0 to 0.1,0.1,2.4 of timber
          solid 0.5,0,0 to 0.6,0.1,1 of iron times 2 step 0.5,0,0
          card leaves -0.5,0,2.7 1,0,0 0,0,0.5
          lamp at 0,0,2.55 colour FFD080 reach 8
          touch cylinder 0.2 2.7
        define guard creature 0.4 1.7 steps 0.5,1.2
        define wedge solid prism 0,0 1,0 0,1 from 0 to 0.5
        plan cave
          room a 0,0,0 to 9,9,4
          put a lantern at 1,1,0
          put a guard at 3,3,0 heading 90
          put a wedge at 4,4,0 tilt 20
          put a cylinder 0.5 1 at 6,6,0 times 2 step 1,0,0
          put a ball 0.25 at 8,8,0
        dungeon cave 0102 at 0,0,0";
    check(text, |forge| {
        let mut lantern =
            Thing::new().solid(Material::Timber, Shape::cuboid([-0.1, -0.1, 0.0], [0.1, 0.1, 2.4]));
        for x in [0.0, 0.5] {
            let bar = Shape::cuboid([0.5 + x, 0.0, 0.0], [0.6 + x, 0.1, 1.0]);
            lantern = lantern.solid(Material::Iron, bar);
        }
        let lantern = lantern
            .card(Material::Leaves, [[-0.5, 0.0, 2.7], [1.0, 0.0, 0.0], [0.0, 0.0, 0.5]])
            .lamp([0.0, 0.0, 2.55], 0xFFFF_D080, 8.0)
            .touch(Collision::Cylinder { radius: 0.2, height: 2.7 });
        let guard = ObjectSpec::Creature { radius: 0.4, height: 1.7, step_up: 0.5, step_down: 1.2 };
        let wedge = Shape::prism([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 0.0, 0.5);
        let objects = [ObjectSpec::Thing(lantern), guard, ObjectSpec::Solid(wedge)];
        let [lantern, guard, wedge] = objects.map(|object| forge.object(object));
        let drum = forge.object(ObjectSpec::Cylinder { radius: 0.5, height: 1.0 });
        let ball = forge.object(ObjectSpec::Ball { radius: 0.25 });
        let at = |v: f32| Vec3::new(v, v, 0.0);
        let mut plan = Plan::new();
        let a = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [9.0, 9.0, 4.0]).named("a"));
        let tilt = Rotation::from_scaled_axis(Vec3::X * 20.0_f32.to_radians()).unwrap();
        plan.put(a, lantern, Frame::at(at(1.0)));
        plan.put(a, guard, Frame { origin: at(3.0), rotation: Rotation::from_heading(90.0) });
        plan.put(a, wedge, Frame { origin: at(4.0), rotation: tilt });
        plan.put(a, drum, Frame::at(at(6.0))).put(a, drum, Frame::at(Vec3::new(7.0, 6.0, 0.0)));
        plan.put(a, ball, Frame::at(at(8.0)));
        forge.block(DEPTHS).dungeon(Frame::IDENTITY, plan);
    });
}

#[test]
fn plans_are_placed_as_often_as_requested() {
    let text = "plan hut
          room a -3,-3,0 to 3,3,3
          exit a door south
        building hut A9B4 at 12,12,0 times 3 step 24,0,0
        building hut A9B4 at 84,84,0 heading 45
        dungeon hut2 0102 at 0,0,0";
    let (text, cave) = text.split_once("dungeon").unwrap();
    let text = format!("plan hut2\nroom a 0,0,0 to 1,1,1\n{text}dungeon{cave}");
    check(&text, |forge| {
        let mut hut = Plan::new();
        let a = hut.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]).named("a"));
        hut.exit(a, Opening::door(Face::SOUTH));
        let mut cave = Plan::new();
        cave.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]).named("a"));
        for x in [12.0, 36.0, 60.0] {
            forge.block(TOWN).building(Frame::at(Vec3::new(x, 12.0, 0.0)), hut.clone());
        }
        let rotation = Rotation::from_heading(45.0);
        forge.block(TOWN).building(Frame { origin: Vec3::new(84.0, 84.0, 0.0), rotation }, hut);
        forge.block(DEPTHS).dungeon(Frame::IDENTITY, cave);
    });
}

#[test]
fn a_dressed_world_depends_on_its_seed() {
    let want = Forge::dressed(5).finish().unwrap();
    assert!(read("world dressed 5") == want);
    assert!(read("") == Forge::new().finish().unwrap());
}

#[test]
fn line_ends_and_indentation_do_not_matter() {
    for (name, example) in EXAMPLES {
        let want = read(example);
        let forms = [
            example.replace('\n', "\r\n"),
            example.replace("  ", "\t"),
            format!("\u{FEFF}{example}"),
            example.trim_end().to_owned(),
            example.lines().map(|line| format!("   {line}  # so\n")).collect(),
        ];
        for (number, form) in forms.iter().enumerate() {
            // A backslash must be the last character of its line, or come before a comment.
            assert!(read(form) == want, "{name} in form {number}");
        }
    }
}
