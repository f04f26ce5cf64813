//! Sources that hold back their reads, for tests of what happens while pieces are loaded.

use std::sync::{Arc, Condvar, Mutex};

use threshold_dat::{FileKind, RecordId, Result, Source};
use threshold_forge::{MadeWorld, SEED, builtin};

/// The built-in world, with a function that is called before a landblock or room is read.
#[derive(Debug)]
pub struct HookedSource<F> {
    world: MadeWorld,
    before_cells: F,
}

impl<F: Fn() + Send + Sync> HookedSource<F> {
    /// Calls `before_cells` before each read of a landblock or room.
    pub fn before_cells(before_cells: F) -> Self {
        Self { world: builtin(SEED).unwrap(), before_cells }
    }
}

impl<F: Fn() + Send + Sync> Source for HookedSource<F> {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>> {
        if file == FileKind::Cell {
            (self.before_cells)();
        }
        self.world.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
        self.world.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.world.ids(file)
    }
}

/// Lets the building thread read only as many records as the test allows.
#[derive(Clone, Debug)]
pub struct ReadGate {
    allowed: Arc<(Mutex<usize>, Condvar)>,
}

impl ReadGate {
    /// Returns a gate, and the built-in world behind it: each read of a landblock or room passes the gate.
    pub fn before_builtin(allowed: usize) -> (Self, Arc<dyn Source>) {
        let gate = Self { allowed: Arc::new((Mutex::new(allowed), Condvar::new())) };
        let passed = gate.clone();
        (gate, Arc::new(HookedSource::before_cells(move || passed.pass())))
    }

    /// Sets the number of reads that may pass from now on; `usize::MAX` lets all pass.
    pub fn allow(&self, reads: usize) {
        *self.allowed.0.lock().unwrap() = reads;
        self.allowed.1.notify_all();
    }

    fn pass(&self) {
        let (allowed, changed) = &*self.allowed;
        let mut left = changed.wait_while(allowed.lock().unwrap(), |left| *left == 0).unwrap();
        if *left < usize::MAX {
            *left -= 1;
        }
    }
}
