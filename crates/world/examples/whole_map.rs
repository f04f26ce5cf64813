//! Makes terrain for the whole map, 255 x 255 landblocks, and loads it.
//!
//! `cargo run --release --package threshold-world --example whole_map [SIDE]` prints the time and
//! memory that it takes.

#![allow(clippy::print_stdout, reason = "examples print their results")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use threshold_forge::samples;
use threshold_land::BlockId;
use threshold_land::vector::Vec2;
use threshold_world::{Builder, PieceId, World};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side: u8 = std::env::args().nth(1).map_or(Ok(255), |side| side.parse())?;
    let begun = Instant::now();
    let builder = Builder::shared(Arc::new(samples::plain(side, side)?));
    let made = MEMORY.current_usage_as_mb();
    println!(
        "{side} x {side} landblocks made in {:.2?}: {made:.0} MiB of records",
        begun.elapsed()
    );

    let begun = Instant::now();
    let world = load(&builder, side)?;
    let count = world.lands().count();
    let resident = MEMORY.current_usage_as_mb() - made;
    println!("{count} resident after {:.2?}: {resident:.0} MiB", begun.elapsed());
    println!("{:.0} bytes a landblock", resident * 1_048_576.0 / count as f32);

    let middle = BlockId::new(side / 2, side / 2);
    let height = world.land(middle).and_then(|land| land.terrain().height(Vec2::splat(96.0)));
    println!("the ground in the middle of {middle} is at {:.2} m", height.unwrap_or_default());
    Ok(())
}

/// Builds on one thread per core, adopts on this one.
fn load(builder: &Builder, side: u8) -> Result<World, Box<dyn std::error::Error>> {
    let total = usize::from(side) * usize::from(side);
    let (next, (send, receive)) = (AtomicUsize::new(0), mpsc::sync_channel(1024));
    let mut world = World::new();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && index < total
                {
                    let at = |v: usize| u8::try_from(v).unwrap_or(u8::MAX);
                    let side = usize::from(side);
                    let block = BlockId::new(at(index / side), at(index % side));
                    if send.send(builder.build(PieceId::Land(block))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for built in receive {
            if let Some(built) = built? {
                world.adopt(built.piece);
            }
        }
        Ok(world)
    })
}
