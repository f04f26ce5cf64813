//! Decodes every record of a file on one core; bytes per second.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails on unexpected values")]

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use threshold_dat::{AnyRecord, DatFolder, RecordKind};

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("decode every record");
    for world in ["holt", "dungeon"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(world);
        let folder = DatFolder::open(&path).unwrap();
        for (kind, file) in folder.files() {
            let entries: Vec<_> = file.entries().map(Result::unwrap).collect();
            let bytes: u64 = entries.iter().map(|entry| u64::from(entry.size)).sum();
            group.throughput(Throughput::Bytes(bytes));
            let mut buffer = Vec::new();
            group.bench_function(BenchmarkId::new(world, kind.file_name()), |b| {
                b.iter(|| {
                    for entry in &entries {
                        let bytes = file.read(entry, &mut buffer).unwrap();
                        let kind = RecordKind::from_id(kind, entry.id);
                        black_box(AnyRecord::decode_exact(kind, entry.id, bytes).unwrap());
                    }
                });
            });
        }
    }
    group.finish();
}

/// Each kind separately.
fn kinds(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/holt");
    let folder = DatFolder::open(&path).unwrap();
    let mut group = c.benchmark_group("decode by kind");
    for (kind, file) in folder.files() {
        let mut entries: Vec<_> = file.entries().map(Result::unwrap).collect();
        entries.sort_by_key(|entry| RecordKind::from_id(kind, entry.id));
        for entries in entries
            .chunk_by(|a, b| RecordKind::from_id(kind, a.id) == RecordKind::from_id(kind, b.id))
        {
            let record_kind = RecordKind::from_id(kind, entries[0].id);
            let bytes: u64 = entries.iter().map(|entry| u64::from(entry.size)).sum();
            group.throughput(Throughput::Bytes(bytes));
            let mut buffer = Vec::new();
            let name = format!("{record_kind} ({})", kind.file_name());
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| {
                    for entry in entries {
                        let bytes = file.read(entry, &mut buffer).unwrap();
                        black_box(AnyRecord::decode_exact(record_kind, entry.id, bytes).unwrap());
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, decode, kinds);
criterion_main!(benches);
