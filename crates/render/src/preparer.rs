//! Preparation of models and surfaces on another thread than the one that draws.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use threshold_dat::{EnvCell, RecordId, Records, Source};
use threshold_visuals::asset::MeshKey;
use threshold_visuals::mesh::Mesh;
use threshold_world::Piece;

use super::materials::PreparedSurface;

/// Models and surfaces of pieces, read and decoded. [`Renderer::add_prepared`](super::Renderer::add_prepared) only has to
/// upload them.
#[derive(Debug, Default)]
pub struct PreparedAssets {
    pub(super) models: Vec<(MeshKey, Result<Mesh, String>)>,
    pub(super) surfaces: Vec<(RecordId, Result<PreparedSurface, String>)>,
}

/// Reads the models and surfaces of pieces, each once.
///
/// A host that builds pieces on a thread of its own prepares them there, too, and hands over both together:
///
/// ```no_run
/// # use std::sync::Arc;
/// # use threshold_render::{Preparer, Renderer};
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
    keys: PreparedKeys,
}

/// Models and surfaces that a [`Preparer`] has read. A [`Renderer`](super::Renderer) that shares the keys removes those it
/// drops, so that they are prepared again.
#[derive(Clone, Debug, Default)]
pub struct PreparedKeys(Arc<Mutex<KeySets>>);

#[derive(Debug, Default)]
struct KeySets {
    models: BTreeSet<MeshKey>,
    surfaces: BTreeSet<RecordId>,
}

/// Prepared assets that have not been used yet.
#[derive(Debug)]
pub(super) struct PreparedMap<K, V>(BTreeMap<K, PreparedEntry<V>>);

#[derive(Debug)]
struct PreparedEntry<V> {
    value: V,
    /// Whether the world has changed since it was added.
    is_old: bool,
}

impl<K, V> Default for PreparedMap<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, V> PreparedMap<K, V> {
    pub(super) fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, PreparedEntry { value, is_old: false });
    }

    pub(super) fn remove(&mut self, key: &K) -> Option<V> {
        self.0.remove(key).map(|entry| entry.value)
    }

    /// Drops entries older than the last call and returns their keys: their pieces were dropped before they were adopted.
    /// Newer entries may belong to a piece that is adopted next.
    pub(super) fn drop_stale(&mut self) -> Vec<K> {
        let stale = self.0.extract_if(.., |_, entry| std::mem::replace(&mut entry.is_old, true));
        stale.map(|(key, _)| key).collect()
    }
}

impl PreparedKeys {
    fn known(&self) -> MutexGuard<'_, KeySets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remove(&self, models: &[MeshKey], surfaces: &[RecordId]) {
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
        f.debug_struct("Preparer").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Preparer {
    /// Creates a preparer that reads records of `source`.
    pub fn new(source: Arc<dyn Source>) -> Self {
        Self { source, keys: PreparedKeys::default() }
    }

    /// Returns the shared keys of everything prepared so far, for the renderer.
    pub fn prepared_keys(&self) -> PreparedKeys {
        self.keys.clone()
    }

    /// Reads the models and surfaces of a piece, except those prepared before.
    pub fn prepare(&mut self, piece: &Piece) -> PreparedAssets {
        let mut prepared = PreparedAssets::default();
        for key in self.model_keys(piece) {
            if !self.keys.known().models.insert(key.clone()) {
                continue;
            }
            let mesh = key.read(&*self.source);
            if let Ok(mesh) = &mesh {
                self.prepare_surfaces(mesh, &mut prepared);
            }
            prepared.models.push((key, mesh));
        }
        prepared
    }

    fn prepare_surfaces(&mut self, mesh: &Mesh, prepared: &mut PreparedAssets) {
        let used: BTreeSet<u16> = mesh.vertices.iter().map(|corner| corner.surface).collect();
        for id in used.iter().filter_map(|index| mesh.surfaces.get(usize::from(*index))) {
            if self.keys.known().surfaces.insert(*id) {
                prepared.surfaces.push((*id, PreparedSurface::read(&*self.source, *id)));
            }
        }
    }

    fn model_keys(&self, piece: &Piece) -> Vec<MeshKey> {
        let objects = piece.objects().iter().flat_map(|object| &object.setup().parts);
        let mut keys: Vec<MeshKey> = objects.map(|part| MeshKey::Model(part.model.id)).collect();
        match piece {
            Piece::Land(land) => {
                let shells = land.buildings().iter().flat_map(|building| &building.setup.parts);
                keys.extend(shells.map(|part| MeshKey::Shell(part.model.id)));
            }
            Piece::Room(room) => {
                // The renderer reads the record again and reports an error.
                let record = Records::new(&*self.source).get::<EnvCell>(room.id().into());
                keys.extend(record.ok().flatten().map(|record| MeshKey::of_room(&record)));
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

    /// A source that panics when models or images are read while it is muted.
    struct MutedSource {
        world: threshold_forge::MadeWorld,
        is_muted: AtomicBool,
    }

    impl Source for MutedSource {
        fn read<'a>(
            &'a self,
            file: FileKind,
            id: RecordId,
            buffer: &'a mut Vec<u8>,
        ) -> Result<Option<&'a [u8]>, DatError> {
            let is_small =
                matches!(RecordKind::from_id(file, id), RecordKind::EnvCell | RecordKind::Setup);
            assert!(is_small || !self.is_muted.load(Ordering::Relaxed), "{id} is read");
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
    fn prepared_assets_are_not_read_again() {
        let world = threshold_forge::samples::town(1, 1).unwrap();
        let source = Arc::new(MutedSource { world, is_muted: false.into() });
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
    fn assets_of_pieces_that_were_never_adopted_were_kept_for_ever() {
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
        assert!(!again.models.is_empty(), "it would never be prepared again");
    }

    #[test]
    fn new_assets_wait_for_their_piece() {
        let mut prepared = PreparedMap::default();
        prepared.insert(1, "one");
        assert!(prepared.drop_stale().is_empty());
        prepared.insert(2, "two");
        assert_eq!(prepared.drop_stale(), [1]);
        assert_eq!((prepared.remove(&1), prepared.remove(&2)), (None, Some("two")));
    }
}
