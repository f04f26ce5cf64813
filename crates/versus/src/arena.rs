//! The static world of rapier, with the same solids as colliders.

use anyhow::Context;
use clap::ValueEnum;
use rapier3d::prelude::*;
use serde::Serialize;
use threshold_land::vector::Vec3;

use crate::scene::Solid;

/// Static colliders without bodies, and the structures that find them.
pub(crate) struct Arena {
    bodies: RigidBodySet,
    soft_bodies: SoftBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    pipeline: CollisionPipeline,
}

/// Number of colliders made from the meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Grain {
    /// One for each landblock's ground, room, shell and part of an object.
    Pieces,
    /// One for all of them together.
    Whole,
}

/// Updates of the collider tree before a walk: rapier improves it with every update.
const WARM_UP_UPDATES: usize = 100;

impl Arena {
    pub(crate) fn new(solids: &[Solid], grain: Grain) -> anyhow::Result<Self> {
        let mut arena = Self {
            bodies: RigidBodySet::new(),
            soft_bodies: SoftBodySet::new(),
            colliders: ColliderSet::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            pipeline: CollisionPipeline::new(),
        };
        match grain {
            Grain::Pieces => arena.add(solids)?,
            Grain::Whole => arena.add(&whole(solids))?,
        };
        (0..WARM_UP_UPDATES).for_each(|_| arena.update());
        Ok(arena)
    }

    /// Adds solids; queries find them from now on.
    pub(crate) fn add(&mut self, solids: &[Solid]) -> anyhow::Result<Vec<ColliderHandle>> {
        let colliders = solids.iter().map(collider);
        let colliders: Vec<Collider> = colliders.collect::<anyhow::Result<_>>()?;
        let handles =
            colliders.into_iter().map(|collider| self.colliders.insert(collider)).collect();
        self.update();
        Ok(handles)
    }

    /// Removes solids.
    pub(crate) fn remove(&mut self, handles: Vec<ColliderHandle>) {
        for handle in handles {
            let Self { colliders, islands, bodies, soft_bodies, .. } = self;
            colliders.remove(handle, islands, bodies, soft_bodies, false);
        }
        self.update();
    }

    fn update(&mut self) {
        let prediction = IntegrationParameters::default().prediction_distance();
        self.pipeline.step(
            prediction,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &(),
        );
    }

    /// Returns the query pipeline for a character controller.
    pub(crate) fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let filter = QueryFilter::default();
        self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, filter)
    }

    /// Returns the number of colliders.
    pub(crate) fn len(&self) -> usize {
        self.colliders.len()
    }
}

/// Merges all meshes into one; keeps the other solids.
fn whole(solids: &[Solid]) -> Vec<Solid> {
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for solid in solids {
        match solid {
            Solid::Mesh(triangles) => all.extend_from_slice(triangles),
            other => others.push(other.clone()),
        }
    }
    others.push(Solid::Mesh(all));
    others
}

fn collider(solid: &Solid) -> anyhow::Result<Collider> {
    let builder = match solid {
        Solid::Mesh(triangles) => {
            let corners: Vec<Vector> = triangles.iter().flatten().copied().map(vector).collect();
            let count = u32::try_from(triangles.len()).context("too many triangles")?;
            let indices = (0..count).map(|number| [3 * number, 3 * number + 1, 3 * number + 2]);
            let flags = TriMeshFlags::MERGE_DUPLICATE_VERTICES;
            ColliderBuilder::trimesh_with_flags(corners, indices.collect(), flags)
                .context("rapier rejects a mesh")?
        }
        Solid::Cylinder { low, radius, height } => {
            let middle = *low + Vec3::Z * (height * 0.5);
            // Rapier's cylinders are along y.
            let upright = Rotation::from_rotation_arc(Vector::Y, Vector::Z);
            let pose = Pose::from_parts(vector(middle), upright);
            ColliderBuilder::cylinder(height * 0.5, *radius).position(pose)
        }
        Solid::Ball(ball) => {
            ColliderBuilder::ball(ball.radius).position(Pose::from_translation(vector(ball.centre)))
        }
    };
    Ok(builder.build())
}

/// Converts a vector to rapier's own type.
pub(crate) fn vector(v: Vec3) -> Vector {
    Vector::from_array(v.to_array())
}
