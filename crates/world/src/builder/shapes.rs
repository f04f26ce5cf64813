//! Cached shapes that rooms and objects share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use threshold_dat::{
    DegradeInfo, Environment, GfxObj, Record, RecordId, RecordKind, Records, RegionDesc, Scene,
    SetupRecord,
};

use crate::fault::Problem;
use crate::model::{Model, Setup};
use crate::region::{REGION, RegionTables};
use crate::structure::Structure;

/// Cache of shapes. Two threads that miss the same shape both build it, and one of the two equal
/// results is kept.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    environments: Store<Structures>,
    models: Store<Model>,
    setups: Store<BuiltSetup>,
    scenes: Store<Scene>,
    regions: Store<RegionTables>,
}

/// The structures of an environment by number; a wrong one does not affect the others.
#[derive(Debug)]
struct Structures(Vec<(u32, Result<Arc<Structure>, Problem>)>);

/// A setup, and the problems of its parts.
#[derive(Debug)]
struct BuiltSetup {
    setup: Arc<Setup>,
    problems: Vec<Problem>,
}

/// Results by record id; failures are cached, too.
#[derive(Debug)]
struct Store<T>(Mutex<BTreeMap<RecordId, BuildResult<T>>>);

type BuildResult<T> = Result<Arc<T>, Problem>;

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Store<T> {
    fn with_lock<R>(&self, access: impl FnOnce(&mut BTreeMap<RecordId, BuildResult<T>>) -> R) -> R {
        // Nothing is built while the lock is held, so a poisoned map is still whole.
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn get_or_build(
        &self,
        id: RecordId,
        build: impl FnOnce() -> Result<T, Problem>,
    ) -> BuildResult<T> {
        if let Some(known) = self.with_lock(|map| map.get(&id).cloned()) {
            return known;
        }
        let built = build().map(Arc::new);
        self.with_lock(|map| map.entry(id).or_insert(built).clone())
    }

    /// Keeps the values that `used` accepts; drops all others and all failures.
    fn keep(&self, used: impl Fn(&Arc<T>) -> bool) {
        self.with_lock(|map| map.retain(|_, known| known.as_ref().is_ok_and(&used)));
    }

    fn sum(&self, size: impl Fn(&T) -> usize) -> usize {
        let value_size = |result: &BuildResult<T>| {
            result.as_ref().map_or(0, |value| size_of::<T>() + size(value))
        };
        self.with_lock(|map| map.values().map(value_size).sum())
    }
}

/// Reads a record that must exist.
fn required<R: Record>(
    records: &mut Records<'_>,
    what: &'static str,
    record: RecordId,
) -> Result<R, Problem> {
    records.get(record)?.ok_or(Problem::Missing { what, record })
}

impl Shapes {
    pub(super) fn structure(
        &self,
        records: &mut Records<'_>,
        environment: RecordId,
        number: u32,
    ) -> Result<Arc<Structure>, Problem> {
        let build = || {
            let record: Environment = required(records, "environment", environment)?;
            let shape = |record| Structure::new(environment, record).map(Arc::new);
            Ok(Structures(record.structures.iter().map(|one| (one.id, shape(one))).collect()))
        };
        let all = self.environments.get_or_build(environment, build)?;
        let found = all.0.iter().find(|(id, _)| *id == number);
        let missing = || Err(Problem::NoStructure { environment, structure: number });
        found.map_or_else(missing, |(_, structure)| structure.clone())
    }

    /// Returns the setup, or the bare model as one, and the problems of its parts.
    pub(super) fn setup(
        &self,
        records: &mut Records<'_>,
        id: RecordId,
    ) -> Result<(Arc<Setup>, Vec<Problem>), Problem> {
        let built = self.setups.get_or_build(id, || {
            let (setup, problems) = match RecordKind::from_id(threshold_dat::FileKind::Portal, id) {
                RecordKind::GfxObj => (Setup::of_model(self.model(records, id)?), Vec::new()),
                RecordKind::Setup => self.assemble(records, id)?,
                _ => return Err(Problem::NotAModel { record: id }),
            };
            Ok(BuiltSetup { setup: Arc::new(setup), problems })
        })?;
        Ok((built.setup.clone(), built.problems.clone()))
    }

    /// A part that cannot be used keeps its index, but has no shape.
    fn assemble(
        &self,
        records: &mut Records<'_>,
        id: RecordId,
    ) -> Result<(Setup, Vec<Problem>), Problem> {
        let record: SetupRecord = required(records, "setup", id)?;
        let (mut models, mut problems) = (Vec::with_capacity(record.parts.len()), Vec::new());
        for part in &record.parts {
            models.push(self.model(records, *part).unwrap_or_else(|problem| {
                problems.push(problem);
                Arc::new(Model::absent(*part))
            }));
        }
        let (setup, more) = Setup::new(&record, models);
        problems.extend(more);
        Ok((setup, problems))
    }

    fn model(&self, records: &mut Records<'_>, id: RecordId) -> Result<Arc<Model>, Problem> {
        self.models.get_or_build(id, || {
            let record: GfxObj = required(records, "model", id)?;
            let degrade = record.degrade.map(|id| records.get::<DegradeInfo>(id)).transpose()?;
            Model::new(&record, degrade.flatten().as_ref())
        })
    }

    pub(super) fn scene(
        &self,
        records: &mut Records<'_>,
        id: RecordId,
    ) -> Result<Arc<Scene>, Problem> {
        self.scenes.get_or_build(id, || required(records, "scene", id))
    }

    pub(super) fn region(&self, records: &mut Records<'_>) -> Result<Arc<RegionTables>, Problem> {
        self.regions.get_or_build(REGION, || {
            RegionTables::new(&required::<RegionDesc>(records, "region", REGION)?)
        })
    }

    pub(super) fn forget_unused(&self) {
        self.setups.keep(|built| Arc::strong_count(&built.setup) > 1);
        self.models.keep(|model| Arc::strong_count(model) > 1);
        let in_use = |(_, shape): &(u32, Result<Arc<Structure>, Problem>)| {
            shape.as_ref().is_ok_and(|shape| Arc::strong_count(shape) > 1)
        };
        self.environments.keep(|shapes| shapes.0.iter().any(in_use));
        self.scenes.keep(|_| false);
        self.regions.keep(|_| true);
    }

    pub(super) fn size(&self) -> usize {
        let structure = |(_, shape): &(u32, Result<Arc<Structure>, Problem>)| {
            shape.as_ref().map_or(0, |shape| size_of::<Structure>() + shape.heap_size())
        };
        let tree = |model: &Model| model.physics.as_ref().map_or(0, |tree| tree.heap_size());
        self.environments.sum(|shapes| shapes.0.iter().map(structure).sum())
            + self.models.sum(tree)
            + self.setups.sum(|built| size_of::<Setup>() + size_of_val(&built.setup.parts[..]))
    }
}
