//! The recorded walks of a sample world.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use threshold_conformance::scenario::{Job, WalkJob};
use threshold_conformance::{Runner, file};
use threshold_dat::DatFolder;
use threshold_motion::MoverShape;
use threshold_world::{BodyId, State};

use crate::scene::{Origin, Solid};

/// A sample world and the walks in it.
pub(crate) struct Course {
    /// Name of the world.
    pub(crate) name: &'static str,
    /// The runner, with everything resident.
    pub(crate) runner: Runner,
    /// The common frame.
    pub(crate) origin: Origin,
    /// Static solids.
    pub(crate) scene: Vec<Solid>,
    /// The walks that are compared.
    pub(crate) walks: Vec<CourseWalk>,
}

/// A walk, with the data that other engines need.
pub(crate) struct CourseWalk {
    /// The recorded walk.
    pub(crate) recorded: WalkJob,
    /// Shape of its mover.
    pub(crate) shape: MoverShape,
    /// Objects of this walk only.
    pub(crate) objects: Vec<Solid>,
}

impl Course {
    /// Loads a sample world with everything resident, and all its walks that start on the ground.
    pub(crate) fn open(name: &'static str) -> anyhow::Result<Self> {
        let folder = data(name);
        let mut runner = Runner::new(DatFolder::open(&folder)?);
        if let Some(fault) = runner.faults().first() {
            // Parts left out here would have to be left out for the other engine, too.
            bail!("{}: {fault}", folder.display());
        }
        let origin = Origin::of(runner.world()).context("the world is empty")?;
        let scene = origin.scene(runner.world());
        let walks = walks(name)?.into_iter().filter(is_on_foot);
        let walks = walks.map(|walk| CourseWalk::new(&mut runner, origin, walk));
        let walks =
            walks.collect::<anyhow::Result<_>>().with_context(|| format!("a walk in {name}"))?;
        Ok(Self { name, runner, origin, scene, walks })
    }
}

impl CourseWalk {
    fn new(runner: &mut Runner, origin: Origin, walk: WalkJob) -> anyhow::Result<Self> {
        let shape = MoverShape::from_setup(&*runner.setup(walk.mover.setup)?, walk.mover.scale);
        let walker = runner.enter(&walk)?;
        // Bodies of objects are numbered from 0.
        let bodies = (0..).map(BodyId).take(walk.objects.len());
        let bodies = bodies.filter_map(|body| runner.world().body(body));
        let objects = bodies.flat_map(|object| origin.object(object)).collect();
        walker.leave(runner);
        Ok(Self { recorded: walk, shape, objects })
    }
}

/// Returns whether the mover stands on the ground, has gravity and is solid: other walks use rules that a character
/// controller does not have.
fn is_on_foot(walk: &WalkJob) -> bool {
    let state = walk.mover.state;
    let special = [State::ETHEREAL, State::MISSILE, State::SLEDDING];
    walk.start.contact
        && state.has(State::GRAVITY)
        && !special.iter().any(|other| state.has(*other))
}

fn walks(world: &str) -> anyhow::Result<Vec<WalkJob>> {
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

/// Returns the path of the sample data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}
