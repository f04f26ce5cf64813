//! Reading ahead what pieces of a world show, on another thread than the one that draws.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use threshold_dat::{EnvCell, RecordId, Records, Source};
use threshold_world::Piece;

use super::materials::Painted;
use super::models::ModelKey;
use crate::mesh::Mesh;

/// What pieces show, read and unpacked: [`Renderer::add_prepared`](super::Renderer::add_prepared) only has to bring it to the device.
#[derive(Debug, Default)]
pub struct PreparedAssets {
    pub(super) models: Vec<(ModelKey, Result<Option<Mesh>, String>)>,
    pub(super) surfaces: Vec<(RecordId, Result<Painted, String>)>,
}

/// Reads what pieces show, each model and picture once.
///
/// Whoever builds pieces on a thread of its own prepares them there too, and hands both over together:
///
/// ```no_run
/// # use std::sync::Arc;
/// # use threshold_render::gpu::{Preparer, Renderer};
/// # use threshold_world::{Builder, PieceId, World};
/// # fn example(builder: &Builder, preparer: &mut Preparer, piece: PieceId, world: &mut World, renderer: &mut Renderer) {
/// // On one thread:
/// let built = builder.build(piece).ok().flatten();
/// let ready = built.map(|built| (preparer.prepare(&built.piece), built.piece));
/// // On the one that draws, between two frames:
/// if let Some((prepared, piece)) = ready {
///     renderer.add_prepared(prepared);
///     world.adopt(piece);
/// }
/// # }
/// ```
pub struct Preparer {
    source: Arc<dyn Source>,
    memory: PreparedKeys,
}

/// What a [`Preparer`] has read already. A [`Renderer`](super::Renderer) that is given it says what it has given up since, so that it
/// is read again.
#[derive(Clone, Debug, Default)]
pub struct PreparedKeys(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    models: BTreeSet<ModelKey>,
    surfaces: BTreeSet<RecordId>,
}

/// What was read ahead and nobody has needed yet.
#[derive(Debug)]
pub(super) struct Ready<K, V>(BTreeMap<K, Waiting<V>>);

#[derive(Debug)]
struct Waiting<V> {
    what: V,
    /// Whether the world has changed since it came.
    is_old: bool,
}

impl<K, V> Default for Ready<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, V> Ready<K, V> {
    pub(super) fn put(&mut self, key: K, what: V) {
        self.0.insert(key, Waiting { what, is_old: false });
    }

    pub(super) fn take(&mut self, key: &K) -> Option<V> {
        self.0.remove(key).map(|waiting| waiting.what)
    }

    /// Gives up what has been waiting since before the last time, and says what that was: its piece went before it was seen. What
    /// came since may still be of a piece that comes next.
    pub(super) fn forget(&mut self) -> Vec<K> {
        let gone = self.0.extract_if(.., |_, waiting| std::mem::replace(&mut waiting.is_old, true));
        gone.map(|(key, _)| key).collect()
    }
}

impl PreparedKeys {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn forget(&self, models: &[ModelKey], surfaces: &[RecordId]) {
        let mut known = self.known();
        models.iter().for_each(|key| {
            known.models.remove(key);
        });
        surfaces.iter().for_each(|id| {
            known.surfaces.remove(id);
        });
    }
}

impl std::fmt::Debug for Preparer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preparer").field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl Preparer {
    /// Reads records of `source`.
    pub fn new(source: Arc<dyn Source>) -> Self {
        Self { source, memory: PreparedKeys::default() }
    }

    /// What it has read already, for the renderer that takes it.
    pub fn prepared_keys(&self) -> PreparedKeys {
        self.memory.clone()
    }

    /// What a piece shows, without what was prepared before.
    pub fn prepare(&mut self, piece: &Piece) -> PreparedAssets {
        let mut prepared = PreparedAssets::default();
        for key in self.keys(piece) {
            if !self.memory.known().models.insert(key.clone()) {
                continue;
            }
            let mesh = key.mesh(&*self.source);
            if let Ok(Some(mesh)) = &mesh {
                self.prepare_surfaces(mesh, &mut prepared);
            }
            prepared.models.push((key, mesh));
        }
        prepared
    }

    fn prepare_surfaces(&mut self, mesh: &Mesh, prepared: &mut PreparedAssets) {
        let used: BTreeSet<u16> = mesh.vertices.iter().map(|corner| corner.surface).collect();
        for id in used.iter().filter_map(|place| mesh.surfaces.get(usize::from(*place))) {
            if self.memory.known().surfaces.insert(*id) {
                prepared.surfaces.push((*id, Painted::read(&*self.source, *id)));
            }
        }
    }

    fn keys(&self, piece: &Piece) -> Vec<ModelKey> {
        let objects = piece.objects().iter().flat_map(|object| &object.setup().parts);
        let mut keys: Vec<ModelKey> = objects.map(|part| ModelKey::Model(part.model.id)).collect();
        match piece {
            Piece::Land(land) => {
                let shells = land.buildings().iter().flat_map(|building| &building.setup.parts);
                keys.extend(shells.map(|part| ModelKey::Shell(part.model.id)));
            }
            Piece::Room(room) => {
                let record = Records::new(&*self.source).get::<EnvCell>(room.id().into());
                keys.extend(record.ok().flatten().map(|record| ModelKey::of_room(&record)));
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Gpu, Renderer};
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use threshold_dat::{DatError, FileKind, RecordKind};
    use threshold_world::{Builder, World};

    /// A source of which, from a moment on, nothing is read that takes long.
    struct Muted {
        world: threshold_forge::MadeWorld,
        is_muted: AtomicBool,
    }

    impl Source for Muted {
        fn read<'a>(
            &'a self,
            file: FileKind,
            id: RecordId,
            buffer: &'a mut Vec<u8>,
        ) -> Result<Option<&'a [u8]>, DatError> {
            let is_light =
                matches!(RecordKind::from_id(file, id), RecordKind::EnvCell | RecordKind::Setup);
            assert!(is_light || !self.is_muted.load(Ordering::Relaxed), "{id} is read");
            self.world.read(file, id, buffer)
        }

        fn contains(&self, file: FileKind, id: RecordId) -> Result<bool, DatError> {
            self.world.contains(file, id)
        }

        fn ids(&self, file: FileKind) -> Vec<RecordId> {
            self.world.ids(file)
        }
    }

    #[test]
    fn what_was_prepared_is_not_read_again_to_be_drawn() {
        let world = threshold_forge::samples::town(1, 1).unwrap();
        let source = Arc::new(Muted { world, is_muted: false.into() });
        let builder = Builder::shared(source.clone());
        let mut preparer = Preparer::new(source.clone());
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut renderer = Renderer::headless(Arc::new(gpu), source.clone(), 1);
        let mut world = World::new();
        for piece in builder.pieces() {
            let piece = builder.build(piece).unwrap().unwrap().piece;
            renderer.add_prepared(preparer.prepare(&piece));
            world.adopt(piece);
        }
        source.is_muted.store(true, Ordering::Relaxed);
        renderer.refresh(&world);
        assert!(renderer.triangles() > 100);
    }

    #[test]
    fn what_was_prepared_of_pieces_that_went_before_they_were_seen_was_kept_for_ever() {
        let source = Arc::new(threshold_forge::samples::two_rooms().unwrap());
        let builder = Builder::shared(source.clone());
        let mut preparer = Preparer::new(source.clone());
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let mut renderer = Renderer::headless(Arc::new(gpu), source, 1);
        renderer.share_prepared_keys(preparer.prepared_keys());
        let pieces = builder.pieces();
        let [first, others @ ..] = &pieces[..] else { panic!("{pieces:?}") };
        let build = |piece: &_| builder.build(*piece).unwrap().unwrap().piece;
        let prepared = preparer.prepare(&build(first));
        assert!(!prepared.models.is_empty() && !prepared.surfaces.is_empty());
        renderer.add_prepared(prepared);
        assert!(preparer.prepare(&build(first)).models.is_empty(), "it is known");
        let mut world = World::new();
        for _ in 0..3 {
            others.iter().for_each(|piece| world.adopt(build(piece)));
            renderer.refresh(&world);
            world.drop_unheld();
            renderer.refresh(&world);
        }
        let again = preparer.prepare(&build(first));
        assert!(!again.models.is_empty(), "nobody would read it ahead any more");
    }

    #[test]
    fn what_came_just_now_waits_for_its_piece() {
        let mut ready = Ready::default();
        ready.put(1, "one");
        assert!(ready.forget().is_empty());
        ready.put(2, "two");
        assert_eq!(ready.forget(), [1]);
        assert_eq!((ready.take(&1), ready.take(&2)), (None, Some("two")));
    }
}
