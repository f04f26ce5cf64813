//! Models and setups: the shapes of objects.

use std::sync::Arc;

use threshold_dat::{self as dat, BspNode, RecordId};
use threshold_geom::{Bounds, Cylinder, PhysicsTree};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Sphere};

use crate::fault::Problem;
use crate::limits::{
    Item, MAX_RADIUS, MAX_SCALE, MAX_STEP, MIN_SCALE, RangeError, check, check_frame, check_point,
    check_size, check_sphere, is_usable_point,
};
use crate::structure;

/// The shape of one part of an object. Retail: `CGfxObj`.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its id.
    pub id: RecordId,
    /// Box around all vertices, in the model's own space. Retail: `CGfxObj::gfx_bound_box`.
    pub bounds: Bounds,
    /// Physics tree; `None` if movers pass through the model.
    pub physics: Option<PhysicsTree>,
    /// Sphere around the physics polygons, else around the drawn ones; `None` without either.
    pub sphere: Option<Sphere>,
    /// Whether it always faces the viewer. Retail: `CPhysicsPart::Always2D`.
    pub always_2d: bool,
}

impl Model {
    pub(crate) fn new(
        record: &dat::GfxObj,
        degrade: Option<&dat::DegradeInfo>,
    ) -> Result<Self, Problem> {
        check_drawing(record)?;
        // Only vertices that no polygon uses are out of range here.
        let vertices = record.vertices.iter().map(|vertex| vertex.position);
        let bounds = Bounds::from_points(vertices.filter(|vertex| is_usable_point(*vertex)));
        let bounds = bounds.unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
        let physics = record.physics.as_ref();
        let tree = |mesh: &dat::BspMesh| {
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
    /// A model without a shape, in place of a part that cannot be used.
    pub(crate) fn absent(id: RecordId) -> Self {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ZERO };
        Self { id, bounds, physics: None, sphere: None, always_2d: false }
    }
}

/// A level of detail that does not turn to the viewer. Retail: `degrade_mode` 1.
const PLAIN: u32 = 1;

/// Checks the drawn polygons and their sphere; [`structure::physics_tree`] checks the others.
fn check_drawing(record: &dat::GfxObj) -> Result<(), Problem> {
    let Some(mesh) = &record.drawing else { return Ok(()) };
    let problem = |what, number| {
        let item = Item::portal(record.id, what, number);
        move |range| item.problem(range)
    };
    // Usually no vertex is out of range, and this loop is skipped.
    if record.vertices.iter().any(|vertex| !is_usable_point(vertex.position)) {
        for id in mesh.polygons.iter().flat_map(|polygon| polygon.vertex_ids) {
            if let Some(vertex) = record.vertices.by_id(*id) {
                check_point(vertex.position).map_err(problem("vertex", usize::from(*id)))?;
            }
        }
    }
    match mesh.tree.get(mesh.tree.root()) {
        Some(BspNode::Split(dat::BspSplit { sphere: Some(sphere), .. })) => {
            check_sphere(&sphere).map_err(problem("sphere of the drawing tree", 0))
        }
        _ => Ok(()),
    }
}

/// Returns the sphere of the tree's root, or a sphere around the box if the root is a leaf.
fn drawing_sphere(tree: &dat::BspTree, bounds: &Bounds) -> Sphere {
    match tree.get(tree.root()) {
        Some(BspNode::Split(dat::BspSplit { sphere: Some(sphere), .. })) => sphere,
        _ => {
            let centre = (bounds.min + bounds.max) * 0.5;
            Sphere::new(centre, (bounds.max - centre).length())
        }
    }
}

/// The parts and collision shapes of an object. Retail: `CSetup`.
///
/// A bare model is a setup with one part and without cylinders and spheres.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its id, or that of the bare model.
    pub id: RecordId,
    /// Its models, with their poses.
    pub parts: Box<[SetupPart]>,
    /// Collision cylinders, in the object's space. Retail: `CCylSphere`.
    pub cylinders: Box<[Cylinder]>,
    /// Collision spheres, in the object's space; the first is at the feet.
    pub spheres: Box<[Sphere]>,
    /// Height in metres.
    pub height: f32,
    /// Radius in metres.
    pub radius: f32,
    /// Step-up height in metres.
    pub step_up: f32,
    /// Step-down height in metres.
    pub step_down: f32,
    /// Whether it may be turned to any heading.
    pub free_heading: bool,
    /// Sphere for sorting; also gives the cells of an object without any other shape.
    pub sorting_sphere: Option<Sphere>,
    /// Whether any part has a physics tree. Retail: `CPartArray::CacheHasPhysicsBSP`.
    pub has_physics_tree: bool,
    /// Radius around the origin that contains all collision shapes, in metres at natural size, for
    /// any heading and with the parts in their default poses.
    pub reach: f32,
}

/// One part of a setup.
#[derive(Clone, Debug)]
pub struct SetupPart {
    /// Its shape.
    pub model: Arc<Model>,
    /// Its default pose in the object. Retail: placement frame 0x65, else 0.
    pub pose: Frame,
    /// Its own scale. Retail: `default_scale`.
    pub scale: Vec3,
}

/// Step-up and step-down height of a bare model, in metres, at any scale. Retail:
/// `DefaultStepHeight`.
pub const DEFAULT_STEP_HEIGHT: f32 = 0.01;

impl Setup {
    /// Returns whether this stands for a bare model, which has no setup record.
    pub fn is_bare_model(&self) -> bool {
        matches!(&*self.parts, [part] if part.model.id == self.id)
    }

    /// Wraps a bare model.
    pub(crate) fn of_model(model: Arc<Model>) -> Self {
        let part = SetupPart { pose: Frame::IDENTITY, scale: Vec3::ONE, model };
        let mut setup = Self {
            id: part.model.id,
            cylinders: Box::default(),
            spheres: Box::default(),
            height: 0.0,
            radius: 0.0,
            step_up: DEFAULT_STEP_HEIGHT,
            step_down: DEFAULT_STEP_HEIGHT,
            free_heading: false,
            sorting_sphere: part.model.sphere,
            has_physics_tree: part.model.physics.is_some(),
            parts: [part].into(),
            reach: 0.0,
        };
        setup.reach = setup.collision_reach(&[]);
        setup
    }

    /// Computes [`reach`](Self::reach) from the shapes that collide: physics trees, else cylinders,
    /// else spheres. Parts without an entry in `poses` have their default pose.
    pub(crate) fn collision_reach(&self, poses: &[Frame]) -> f32 {
        let tree = |(index, part): (usize, &SetupPart)| {
            let tree = part.model.physics.as_ref()?;
            let size = tree.query_sphere().map_or(f32::INFINITY, |s| s.centre.length() + s.radius);
            let pose = poses.get(index).unwrap_or(&part.pose);
            Some(pose.origin.length() + size * part.scale.z.abs())
        };
        // A cylinder stays upright however its low point is turned.
        let cylinder = |c: &Cylinder| c.low.length() + c.radius.hypot(c.height);
        let sphere = |s: &Sphere| s.centre.length() + s.radius;
        // NaN gives an infinite reach: still correct, only slower.
        let farthest = |a: f32, b: f32| if b <= a || a.is_nan() { a } else { b };
        if self.has_physics_tree {
            self.parts.iter().enumerate().filter_map(tree).fold(0.0, farthest)
        } else if !self.cylinders.is_empty() {
            self.cylinders.iter().map(cylinder).fold(0.0, farthest)
        } else {
            self.spheres.iter().map(sphere).fold(0.0, farthest)
        }
    }

    /// Builds a setup from its record and one model per part. A shape with a number out of its
    /// range is left out and reported; a part keeps its index but loses its shape.
    pub(crate) fn new(record: &dat::SetupRecord, models: Vec<Arc<Model>>) -> (Self, Vec<Problem>) {
        let mut check = Checks { record: record.id, problems: Vec::new() };
        let pose = record.static_pose();
        let mut part = |(index, model): (usize, Arc<Model>)| {
            let pose = pose.and_then(|pose| pose.frames.get(index)).copied().unwrap_or_default();
            let scale = record.scales.as_ref().and_then(|scales| scales.get(index)).copied();
            let scale = scale.unwrap_or(Vec3::ONE);
            if check.passes("part", index, check_part(&model, &pose, scale)) {
                return SetupPart { model, pose, scale };
            }
            let model = Arc::new(Model::absent(model.id));
            SetupPart { model, pose: Frame::IDENTITY, scale: Vec3::ONE }
        };
        let parts: Box<[_]> = models.into_iter().enumerate().map(&mut part).collect();
        let spheres = record.spheres.iter().enumerate();
        let spheres = spheres.filter(|(i, shape)| check.passes("sphere", *i, check_sphere(shape)));
        let spheres = spheres.map(|(_, sphere)| *sphere).collect();
        let cylinders = record.cylinders.iter().enumerate();
        let cylinders =
            cylinders.filter(|(i, shape)| check.passes("cylinder", *i, check_cylinder(shape)));
        let cylinders = cylinders.map(|(_, shape)| cylinder(shape)).collect();
        // The sorting sphere does not collide, so a negative radius does no harm.
        let sorting = Sphere::new(record.sorting_sphere.centre, record.sorting_sphere.radius.abs());
        let sorted = check.passes("sorting sphere", 0, check_sphere(&sorting));
        let mut size = |what, value: f32| {
            let usable = check.passes(what, 0, check_size("length", value, MAX_STEP));
            if usable { value } else { 0.0 }
        };
        let mut setup = Self {
            id: record.id,
            cylinders,
            spheres,
            height: size("height", record.height),
            radius: size("radius", record.radius),
            step_up: size("step up", record.step_up),
            step_down: size("step down", record.step_down),
            free_heading: record.free_heading,
            sorting_sphere: sorted.then_some(record.sorting_sphere),
            has_physics_tree: parts.iter().any(|part| part.model.physics.is_some()),
            parts,
            reach: 0.0,
        };
        setup.reach = setup.collision_reach(&[]);
        (setup, check.problems)
    }
}

/// Collects the problems of a setup.
struct Checks {
    record: RecordId,
    problems: Vec<Problem>,
}

impl Checks {
    fn passes(
        &mut self,
        what: &'static str,
        number: usize,
        checked: Result<(), RangeError>,
    ) -> bool {
        let item = Item::portal(self.record, what, number);
        checked.map_err(|range| self.problems.push(item.problem(range))).is_ok()
    }
}

/// Checks the pose and scale of a part. A part without a physics tree may have scale 0.
fn check_part(model: &Model, pose: &Frame, scale: Vec3) -> Result<(), RangeError> {
    check_frame(pose)?;
    scale.to_array().into_iter().try_for_each(|v| check_size("scale", v, MAX_SCALE))?;
    match &model.physics {
        Some(_) => check("size of the scale", scale.z.abs(), MIN_SCALE..=MAX_SCALE),
        None => Ok(()),
    }
}

fn check_cylinder(shape: &dat::SetupCylinder) -> Result<(), RangeError> {
    check_sphere(&Sphere::new(shape.low_point, shape.radius))?;
    check_size("height", shape.height, MAX_RADIUS)
}

fn cylinder(shape: &dat::SetupCylinder) -> Cylinder {
    Cylinder { low: shape.low_point, radius: shape.radius, height: shape.height }
}
