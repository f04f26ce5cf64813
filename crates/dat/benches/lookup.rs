//! Look-ups in files with a thousand and a million entries.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails on unexpected values")]

use std::hint::black_box;
use std::io::{BufWriter, Write};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tempfile::NamedTempFile;
use threshold_dat::{ContainerWriter, DatFile, FileKind, NewRecord, RecordId};

/// Ids spread over the map like those of retail's cells.
fn id(index: u32) -> RecordId {
    RecordId(((index / 64) << 16) | (0x100 + index % 64))
}

fn file_with(entries: u32) -> NamedTempFile {
    let mut writer = ContainerWriter::new(FileKind::Cell);
    (1..=entries).for_each(|index| writer.add(NewRecord::new(id(index), vec![7; 16])));
    let file = NamedTempFile::new().unwrap();
    let mut out = BufWriter::new(file.as_file());
    writer.write(&mut out).unwrap();
    out.flush().unwrap();
    drop(out);
    file
}

/// Visits all ids in a random-looking order: steps by a prime, modulo the count.
fn scattered(entries: u32) -> impl Iterator<Item = RecordId> {
    let mut at = 1;
    std::iter::repeat_with(move || {
        at = (at + 613_651_349 % entries) % entries;
        id(at + 1)
    })
}

fn lookup(c: &mut Criterion) {
    for entries in [1_000, 1_000_000] {
        let path = file_with(entries);

        let mut group = c.benchmark_group("open and find one");
        let mut ids = scattered(entries);
        group.bench_function(BenchmarkId::from_parameter(entries), |b| {
            b.iter(|| {
                let file = DatFile::open(path.path()).unwrap();
                black_box(file.find(ids.next().unwrap()).unwrap().unwrap())
            });
        });
        group.finish();

        let file = DatFile::open(path.path()).unwrap();
        assert_eq!(file.entries().filter(Result::is_ok).count(), entries as usize + 1);
        let mut group = c.benchmark_group("find, warm");
        group.throughput(Throughput::Elements(1));
        let mut ids = scattered(entries);
        group.bench_function(BenchmarkId::from_parameter(entries), |b| {
            b.iter(|| black_box(file.find(ids.next().unwrap()).unwrap().unwrap()));
        });
        group.finish();

        let mut group = c.benchmark_group("find and read, warm");
        group.throughput(Throughput::Elements(1));
        let mut ids = scattered(entries);
        let mut buffer = Vec::new();
        group.bench_function(BenchmarkId::from_parameter(entries), |b| {
            b.iter(|| black_box(file.get(ids.next().unwrap(), &mut buffer).unwrap().unwrap()[0]));
        });
        group.finish();
    }
}

criterion_group!(benches, lookup);
criterion_main!(benches);
