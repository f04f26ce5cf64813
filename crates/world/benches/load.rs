//! From records to the running world.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark fails on unexpected values"
)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use threshold_testkit::{sample_builder, sample_world};
use threshold_world::{Builder, Piece, PieceId, World};

const TOWN: u16 = 0xA9B4;

fn build_all(builder: &Builder, pieces: &[PieceId]) -> Vec<Piece> {
    pieces.iter().map(|piece| builder.build(*piece).unwrap().unwrap().piece).collect()
}

fn load(c: &mut Criterion) {
    let builder = sample_builder("holt");
    let source = builder.source().clone();
    let town: Vec<PieceId> =
        builder.pieces().into_iter().filter(|piece| piece.block().0 == TOWN).collect();
    c.bench_function("build the town's landblock, shapes new", |b| {
        b.iter_batched(
            || Builder::shared(source.clone()),
            |builder| build_all(&builder, &town),
            BatchSize::SmallInput,
        );
    });
    build_all(&builder, &town);
    c.bench_function("build the town's landblock, shapes known", |b| {
        b.iter(|| build_all(&builder, &town));
    });
    c.bench_function("adopt the town's landblock", |b| {
        b.iter_batched(
            || (World::new(), build_all(&builder, &town)),
            |(mut world, pieces)| {
                pieces.into_iter().for_each(|piece| world.adopt(piece));
                world
            },
            BatchSize::LargeInput,
        );
    });
    let world = sample_world("holt");
    let land = world.land(town[0].block()).unwrap();
    let rooms: usize = world.rooms(town[0].block()).map(|room| room.size()).sum();
    println!(
        "resident: {} bytes of land, {} rooms with {rooms} bytes, {} bytes of shapes",
        land.size(),
        world.rooms(town[0].block()).count(),
        builder.shapes_size()
    );
}

criterion_group!(benches, load);
criterion_main!(benches);
