//! The recorded walks of a sample world.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use threshold_conformance::scenario::{Job, Walk};
use threshold_conformance::{Runner, file};
use threshold_dat::DatFolder;
use threshold_motion::MoverShape;
use threshold_world::{BodyId, State};

use crate::scene::{Origin, Solid};

/// A sample world and the walks in it.
pub(crate) struct Course {
    /// The world's name.
    pub(crate) name: &'static str,
    /// With everything of it resident.
    pub(crate) runner: Runner,
    /// The frame of all that follows.
    pub(crate) origin: Origin,
    /// What never moves.
    pub(crate) scene: Vec<Solid>,
    /// The walks that are compared.
    pub(crate) ways: Vec<Way>,
}

/// A walk, and what other engines are told of it.
pub(crate) struct Way {
    /// As it was recorded.
    pub(crate) walk: Walk,
    /// With what its mover moves.
    pub(crate) shape: MoverShape,
    /// What stands there for this walk alone.
    pub(crate) objects: Vec<Solid>,
}

impl Course {
    /// A sample world with everything resident, and all walks in it that begin on the ground.
    pub(crate) fn open(name: &'static str) -> anyhow::Result<Self> {
        let folder = data(name);
        let mut runner = Runner::new(DatFolder::open(&folder)?);
        if let Some(fault) = runner.faults().first() {
            // What is left out for us would have to be left out for others.
            bail!("{}: {fault}", folder.display());
        }
        let origin = Origin::of(runner.world()).context("the world is empty")?;
        let scene = origin.scene(runner.world());
        let walks = walks(name)?.into_iter().filter(is_on_foot);
        let ways = walks.map(|walk| Way::new(&mut runner, origin, walk));
        let ways =
            ways.collect::<anyhow::Result<_>>().with_context(|| format!("a walk in {name}"))?;
        Ok(Self { name, runner, origin, scene, ways })
    }
}

impl Way {
    fn new(runner: &mut Runner, origin: Origin, walk: Walk) -> anyhow::Result<Self> {
        let shape = MoverShape::from_setup(&*runner.setup(walk.mover.setup)?, walk.mover.scale);
        let walker = runner.enter(&walk)?;
        // They are numbered from 0 on.
        let bodies = (0..).map(BodyId).take(walk.objects.len());
        let bodies = bodies.filter_map(|body| runner.world().body(body));
        let objects = bodies.flat_map(|object| origin.object(object)).collect();
        walker.leave(runner);
        Ok(Self { walk, shape, objects })
    }
}

/// Whether somebody walks who stands on the ground, has weight and is solid: the others go by rules that a character
/// controller does not have.
fn is_on_foot(walk: &Walk) -> bool {
    let state = walk.mover.state;
    let special = [State::ETHEREAL, State::MISSILE, State::SLEDDING];
    walk.start.contact
        && state.has(State::GRAVITY)
        && !special.iter().any(|other| state.has(*other))
}

fn walks(world: &str) -> anyhow::Result<Vec<Walk>> {
    let folder = data("conformance/scenarios");
    let files = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut paths =
        files.map(|file| Ok(file?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    let mut walks = Vec::new();
    for path in paths {
        let read = file::scenarios(&path)?;
        if let Some(bad) = read.bad.into_iter().next() {
            return Err(bad.error.into());
        }
        let here = read.scenarios.into_iter().filter(|scenario| scenario.world == world);
        walks.extend(here.filter_map(|scenario| match scenario.job {
            Job::Walk(walk) => Some(walk),
            _ => None,
        }));
    }
    if walks.is_empty() {
        bail!("{}: no walks in {world}", folder.display());
    }
    Ok(walks)
}

/// The samples that the project carries.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}
