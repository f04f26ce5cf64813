//! Models and setups: what objects are made of.

use std::sync::Arc;

use threshold_dat::{self as dat, BspNode, RecordId};
use threshold_geom::{Bounds, Cylinder, PhysicsTree};
use threshold_land::glam::Vec3;
use threshold_land::{Frame, Sphere};

use crate::fault::Problem;
use crate::structure;

/// The shape of one part of an object. Retail: `CGfxObj`.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its id.
    pub id: RecordId,
    /// Round all vertices, in the model's own space. Retail: `CGfxObj::gfx_bound_box`.
    pub bounds: Bounds,
    /// What is bumped into; `None` for what can be walked through.
    pub physics: Option<PhysicsTree>,
    /// Round the physics polygons, else round the drawing ones; `None` without either.
    pub sphere: Option<Sphere>,
    /// Whether it always turns to the viewer. Retail: `CPhysicsPart::Always2D`.
    pub always_2d: bool,
}

impl Model {
    pub(crate) fn new(
        record: &dat::GfxObj,
        degrade: Option<&dat::DegradeInfo>,
    ) -> Result<Self, Problem> {
        // A vertex that is not a number belongs to a polygon that no tree lists.
        let vertices = record.vertices.iter().map(|vertex| vertex.position);
        let bounds = Bounds::of(vertices.filter(|vertex| vertex.is_finite()));
        let bounds = bounds.unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
        let physics = record.physics.as_ref();
        let tree = |mesh: &dat::Mesh| {
            structure::physics_tree(record.id, &record.vertices, &mesh.polygons, &mesh.tree)
        };
        let physics = physics.map(tree).transpose()?;
        let drawing = || record.drawing.as_ref().map(|mesh| drawing_sphere(&mesh.tree, &bounds));
        Ok(Self {
            id: record.id,
            bounds,
            sphere: physics.as_ref().map(PhysicsTree::bounding_sphere).or_else(drawing),
            physics,
            always_2d: degrade
                .and_then(|info| info.levels.first())
                .is_some_and(|level| level.mode != PLAIN),
        })
    }
}

impl Model {
    /// What stands in for a part that cannot be used: it keeps its place, and is nothing.
    pub(crate) fn absent(id: RecordId) -> Self {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ZERO };
        Self { id, bounds, physics: None, sphere: None, always_2d: false }
    }
}

/// A level of detail that does not turn to the viewer. Retail: `degrade_mode` 1.
const PLAIN: u32 = 1;

/// The sphere of the tree's root; round the box where the root is a leaf.
fn drawing_sphere(tree: &dat::BspTree, bounds: &Bounds) -> Sphere {
    match tree.get(tree.root()) {
        Some(BspNode::Split(dat::BspSplit { sphere: Some(sphere), .. })) => sphere,
        _ => {
            let centre = (bounds.min + bounds.max) * 0.5;
            Sphere::new(centre, (bounds.max - centre).length())
        }
    }
}

/// What an object is: its parts, and the shapes it collides with. Retail: `CSetup`.
///
/// A bare model is a setup of one part, without cylinders and spheres.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its id, or that of the bare model.
    pub id: RecordId,
    /// Its models and how they stand at rest.
    pub parts: Box<[SetupPart]>,
    /// Collision cylinders, in the object's space. Retail: `CCylSphere`.
    pub cylinders: Box<[Cylinder]>,
    /// Collision spheres, in the object's space; the first is at the feet.
    pub spheres: Box<[Sphere]>,
    /// In metres.
    pub height: f32,
    /// In metres.
    pub radius: f32,
    /// How high it steps, in metres.
    pub step_up: f32,
    /// How far down it steps, in metres.
    pub step_down: f32,
    /// Whether it may be turned freely.
    pub free_heading: bool,
    /// For sorting and for the cells of what has no other shape.
    pub sorting_sphere: Option<Sphere>,
    /// Whether any part has a physics tree. Retail: `CPartArray::CacheHasPhysicsBSP`.
    pub has_physics_tree: bool,
    /// Nothing that is bumped into is farther from its origin than this, in metres at natural size, however it
    /// is turned, while its parts stand at rest.
    pub reach: f32,
}

/// One part of a setup.
#[derive(Clone, Debug)]
pub struct SetupPart {
    /// Its shape.
    pub model: Arc<Model>,
    /// Where it stands in the object at rest. Retail: placement frame 0x65, else 0.
    pub pose: Frame,
    /// Its own scale. Retail: `default_scale`.
    pub scale: Vec3,
}

impl Setup {
    /// A bare model.
    pub(crate) fn of_model(model: Arc<Model>) -> Self {
        let part = SetupPart { pose: Frame::IDENTITY, scale: Vec3::ONE, model };
        let mut setup = Self {
            id: part.model.id,
            cylinders: Box::default(),
            spheres: Box::default(),
            height: 0.0,
            radius: 0.0,
            step_up: 0.0,
            step_down: 0.0,
            free_heading: false,
            sorting_sphere: part.model.sphere,
            has_physics_tree: part.model.physics.is_some(),
            parts: [part].into(),
            reach: 0.0,
        };
        setup.reach = setup.collision_reach(&[]);
        setup
    }

    /// By the shapes that collide: trees, or else cylinders, or else spheres. Parts stand at `poses`, and at rest
    /// where there is none.
    pub(crate) fn collision_reach(&self, poses: &[Frame]) -> f32 {
        let tree = |(index, part): (usize, &SetupPart)| {
            let tree = part.model.physics.as_ref()?;
            let size = tree.query_sphere().map_or(f32::INFINITY, |s| s.centre.length() + s.radius);
            let pose = poses.get(index).unwrap_or(&part.pose);
            Some(pose.origin.length() + size * part.scale.z.abs())
        };
        // A cylinder stands upright however its foot is turned.
        let cylinder = |c: &Cylinder| c.low.length() + c.radius.hypot(c.height);
        let sphere = |s: &Sphere| s.centre.length() + s.radius;
        // What cannot be measured is everywhere.
        let farthest = |a: f32, b: f32| if b <= a || a.is_nan() { a } else { b };
        if self.has_physics_tree {
            self.parts.iter().enumerate().filter_map(tree).fold(0.0, farthest)
        } else if !self.cylinders.is_empty() {
            self.cylinders.iter().map(cylinder).fold(0.0, farthest)
        } else {
            self.spheres.iter().map(sphere).fold(0.0, farthest)
        }
    }

    /// `models` are those of the record's parts, one for each. A shape that is not made of numbers is left out and
    /// named.
    pub(crate) fn new(record: &dat::Setup, models: Vec<Arc<Model>>) -> (Self, Vec<Problem>) {
        let pose = record.static_pose();
        let part = |(index, model): (usize, Arc<Model>)| {
            let pose = pose.and_then(|pose| pose.frames.get(index)).copied();
            let scale = record.scales.as_ref().and_then(|scales| scales.get(index)).copied();
            let (pose, scale) = (pose.unwrap_or_default(), scale.unwrap_or(Vec3::ONE));
            SetupPart { model, pose, scale }
        };
        let parts: Box<[_]> = models.into_iter().enumerate().map(part).collect();
        let mut problems = Vec::new();
        let mut usable = |what, number, usable: bool| {
            if !usable {
                problems.push(Problem::NotFinite { record: record.id, what, number });
            }
            usable
        };
        let spheres = record.spheres.iter().enumerate();
        let spheres = spheres.filter(|(i, sphere)| usable("sphere", *i, is_finite(sphere)));
        let spheres = spheres.map(|(_, sphere)| *sphere).collect();
        let sorting_sphere = Some(record.sorting_sphere)
            .filter(|sphere| usable("sorting sphere", 0, is_finite(sphere)));
        let cylinders = record.cylinders.iter().enumerate().filter(|(i, shape)| {
            let foot = Sphere::new(shape.low_point, shape.radius);
            usable("cylinder", *i, is_finite(&foot) && shape.height.is_finite())
        });
        let cylinders = cylinders.map(|(_, shape)| cylinder(shape)).collect();
        let mut setup = Self {
            id: record.id,
            cylinders,
            spheres,
            height: record.height,
            radius: record.radius,
            step_up: record.step_up,
            step_down: record.step_down,
            free_heading: record.free_heading,
            sorting_sphere,
            has_physics_tree: parts.iter().any(|part| part.model.physics.is_some()),
            parts,
            reach: 0.0,
        };
        setup.reach = setup.collision_reach(&[]);
        (setup, problems)
    }
}

fn is_finite(sphere: &Sphere) -> bool {
    sphere.centre.is_finite() && sphere.radius.is_finite()
}

fn cylinder(shape: &dat::Cylinder) -> Cylinder {
    Cylinder { low: shape.low_point, radius: shape.radius, height: shape.height }
}
