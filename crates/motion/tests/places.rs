//! A body can stand at every named place of the built-in world, in the cell that the list gives, on any terrain.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::{MOVER, NamedPlace, SEED, builtin, places};
use threshold_motion::{Body, MoveContext, Rules, Search, StandResult, SweepScratch, Sweeper};
use threshold_testkit::load_all;
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

/// Greatest distance of a standing body from its named place, in metres: floors and ground are met to within this.
const MAX_DISTANCE: f32 = 0.05;

fn spec(builder: &Builder, place: &NamedPlace) -> BodySpec {
    BodySpec {
        body: BodyId(7),
        setup: builder.setup(MOVER).unwrap(),
        position: place.position,
        scale: 1.0,
        state: State::GRAVITY.with(State::EDGE_SLIDE, true),
        kind: ObjectKind::Creature,
    }
}

/// Returns what is wrong with a place, if anything is.
fn fault(builder: &Builder, world: &mut World, place: &NamedPlace) -> Option<String> {
    let (rules, mut scratch) = (Rules::default(), SweepScratch::new());
    let mut body = Body::new(BodyId(7));
    let (entered, _) = body.enter(
        &mut MoveContext::new(world, rules, &mut scratch),
        spec(builder, place),
        Search::Here,
        0.0,
    );
    let Some(mover) = body.mover(world) else {
        return Some(format!("no body can enter: {:?}", entered.refused));
    };
    world.remove(BodyId(7)).unwrap();
    let standing = Sweeper::new(world).can_stand(&mut scratch, &mover, &place.position);
    let StandResult::Stands { at, .. } = standing else { return Some(format!("{standing:?}")) };
    let off = place.position.offset_to(&at);
    let wrong = at.cell != place.position.cell
        || off.length() > MAX_DISTANCE
        || entered.position.cell != at.cell
        || !body.stance.on_walkable;
    wrong.then(|| format!("a body stands {off} beside it, in {}", at.cell))
}

#[test]
fn a_body_can_stand_at_every_named_place_of_every_world() {
    let mut wrong = Vec::new();
    for seed in [SEED, 2, 3, 0, u64::MAX] {
        let builder = Builder::new(builtin(seed).unwrap());
        let mut world = load_all(&builder);
        for place in places(seed) {
            let fault = fault(&builder, &mut world, &place);
            wrong.extend(fault.map(|fault| format!("seed {seed}, {}: {fault}", place.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
