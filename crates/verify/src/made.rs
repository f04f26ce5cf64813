//! The built-in world.

use std::sync::Arc;

use threshold_dat::{FileKind, RecordId};
use threshold_forge::{MadeWorld, SEED, builtin};
use threshold_world::{Builder, Setup, World};

use crate::hash::ResultHasher;
use crate::{Progress, Section, VerifyError};

/// The built-in world, wholly resident.
#[derive(Debug)]
pub(crate) struct MadeScene {
    builder: Builder,
    pub(crate) world: World,
}

impl MadeScene {
    fn new(made: MadeWorld) -> Result<Self, VerifyError> {
        let (builder, mut world) = (Builder::new(made), World::new());
        for piece in builder.pieces() {
            builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
        }
        Ok(Self { builder, world })
    }

    pub(crate) fn setup(&self, id: RecordId) -> Result<Arc<Setup>, VerifyError> {
        Ok(self.builder.setup(id)?)
    }
}

/// Forges the world and hashes its records and its data files, then loads it.
pub(crate) fn run(
    progress: &mut dyn FnMut(Progress),
) -> Result<(MadeScene, Vec<(Section, ResultHasher)>), VerifyError> {
    let files = [(Section::CellFile, FileKind::Cell), (Section::PortalFile, FileKind::Portal)];
    let total = files.len() + 1;
    let made = builtin(SEED)?;
    let mut hasher = ResultHasher::default();
    for file in FileKind::ALL {
        for (id, bytes) in made.records().records(file) {
            hasher.word(id.0);
            hasher.bytes(bytes);
        }
    }
    let mut hashers = vec![(Section::Records, hasher)];
    progress(Progress { section: Section::Records, done: 1, total });
    for (section, file) in files {
        let mut hasher = ResultHasher::default();
        hasher.bytes(&made.records().to_dat(file)?);
        hashers.push((section, hasher));
        progress(Progress { section, done: hashers.len(), total });
    }
    Ok((MadeScene::new(made)?, hashers))
}
