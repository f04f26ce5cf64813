//! Worlds full of bodies, and random questions about them.

use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_query::{ObjectKinds, QueryFilter};
use threshold_testkit::{
    Random, forged, load_all, random_point_in, room_ids, sample_builder, town_cells,
};
use threshold_world::{
    BodyId, BodySpec, Builder, ObjectId, ObjectKind, PlayerStatus, State, World,
};

use super::Reference;

/// A world with bodies, and its reference.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) name: String,
    pub(crate) world: World,
    pub(crate) reference: Reference,
    pub(crate) cells: Vec<CellId>,
}

/// Number of bodies added to each world.
const BODIES: u32 = 120;

pub(crate) fn pick<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len())]
}

pub(crate) fn number(random: &mut Random, low: f64, high: f64) -> f32 {
    random.between(low, high) as f32
}

impl Arena {
    pub(crate) fn new(name: &str, builder: &Builder, seed: u64) -> Self {
        let mut world = load_all(builder);
        let mut cells = room_ids(&world);
        let streets = town_cells(&world);
        // As many questions in the streets as in rooms.
        let rooms = cells.len();
        cells.extend(streets.iter().copied().cycle().take(if streets.is_empty() {
            0
        } else {
            rooms.max(64)
        }));
        let mut random = Random(seed);
        for number in 0..BODIES {
            let spec = body(&world, builder, &cells, number, &mut random);
            world.insert(spec);
        }
        let reference = Reference::new(&world);
        Self { name: name.to_owned(), world, reference, cells }
    }

    /// A random position in a random cell.
    pub(crate) fn position(&self, random: &mut Random) -> Position {
        let cell = pick(random, &self.cells);
        Position::new(cell, random_point_in(&self.world, cell, random))
    }
}

fn body(
    world: &World,
    builder: &Builder,
    cells: &[CellId],
    number: u32,
    random: &mut Random,
) -> BodySpec {
    let cell = pick(random, cells);
    let rotation = Rotation::from_heading(self::number(random, 0.0, 360.0));
    let origin = random_point_in(world, cell, random);
    let player = ObjectKind::Player(PlayerStatus::Peaceful);
    BodySpec {
        body: BodyId(number),
        setup: builder.setup(threshold_forge::MOVER).unwrap(),
        position: Position { cell, frame: Frame { origin, rotation } },
        scale: pick(random, &[0.5, 1.0, 1.0, 2.0]),
        state: pick(random, &[State(0), State::GRAVITY, State::ETHEREAL, State::MISSILE]),
        kind: pick(random, &[ObjectKind::Creature, ObjectKind::Thing, player, ObjectKind::None]),
    }
}

/// The sample worlds, the built-in one, and a random village and dungeon.
pub(crate) fn arenas() -> Vec<Arena> {
    let mut arenas = vec![
        Arena::new("holt", &sample_builder("holt"), 1),
        Arena::new("dungeon", &sample_builder("dungeon"), 2),
        Arena::new("built-in", &forged::builtins()[0].builder(), 3),
    ];
    for made in forged::villages().iter().chain(&forged::deep_dungeons()).step_by(3) {
        arenas.push(Arena::new(&made.name, &made.builder(), made.seed));
    }
    arenas
}

pub(crate) fn direction(random: &mut Random) -> Vec3 {
    let steep = pick(random, &[0.05, 0.3, 1.0]);
    let turn = random.between(0.0, std::f64::consts::TAU);
    let up = random.between(-steep, steep);
    DVec3::new(libm::cos(turn), libm::sin(turn), up).as_vec3()
}

/// Objects that questions name.
pub(crate) const SOME: [ObjectId; 2] = [ObjectId::body(BodyId(3)), ObjectId::body(BodyId(7))];

/// A random filter.
pub(crate) fn filter(random: &mut Random) -> QueryFilter<'static> {
    let all = QueryFilter::default();
    match random.below(8) {
        0 => QueryFilter::surfaces(),
        1 => QueryFilter::objects(ObjectKinds::ALL),
        2 => QueryFilter::objects(ObjectKinds::CREATURES.and(ObjectKinds::PLAYERS)),
        3 => QueryFilter { both_sides: true, ..all },
        4 => QueryFilter { except: &SOME, forbidden: State::MISSILE, ..all },
        5 => QueryFilter { required: State::GRAVITY, ground: false, ..all },
        6 => QueryFilter { only: Some(&SOME), ..all },
        _ => all,
    }
}

/// Number of questions of a kind: a million with `THRESHOLD_SOAK` set.
pub(crate) fn count(ordinary: usize) -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 1_000_000 } else { ordinary }
}
