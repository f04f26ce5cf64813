//! Objects: models and setups.

use threshold_dat::{
    Animation, GfxObj, MotionTable, Placement, RecordId, SetupCylinder, SetupDefaults, SetupRecord,
};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Sphere};

use crate::stock::material::Material;
use crate::stock::thing::{Card, Collision, Thing};
use crate::stock::{door, figure};
use crate::tool::error::{ForgeError, ForgeErrorKind};
use crate::tool::form::boards;
use crate::tool::layout::solid;
use crate::tool::record::shell::{around, model};
use crate::tool::room::{FaceMaterials, LEVEL};
use crate::tool::shape::{Boards, Shape};
use crate::tool::solid::union::{self, SurfacePiece};
use crate::tool::solid::{Convex, Side};
use crate::tool::tree::drawing::{Drawing, DrawnPolygon};
use crate::tool::tree::enclosing;
use crate::tool::tree::physics::Physics;

/// The setup of the mover, which every made world has: two spheres of 0.48 m, 1.835 m high, with steps of
/// 0.6 m up and 1.5 m down. Retail: the human.
pub const MOVER: RecordId = RecordId(0x0200_0001);

/// An object that can be put into a world. Retail: `CSetup`, `CGfxObj`.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectSpec {
    /// A creature: a sphere at the feet and one at the head. The feet reach 5 mm below the
    /// origin, so it stands 5 mm over the floor.
    Creature {
        /// Of both spheres, in metres.
        radius: f32,
        /// In metres.
        height: f32,
        /// Maximum step up, in metres.
        step_up: f32,
        /// Maximum step down, in metres.
        step_down: f32,
    },
    /// An upright cylinder on the origin. Retail: `CCylSphere`.
    Cylinder {
        /// In metres.
        radius: f32,
        /// In metres.
        height: f32,
    },
    /// A ball that lies on the origin. Retail: `CSphere`.
    Ball {
        /// In metres.
        radius: f32,
    },
    /// A convex solid with a physics tree: a model, not a setup.
    Solid(Shape),
    /// Furniture, plants, tools.
    Thing(Thing),
    /// A door leaf that turns about its left edge, as seen when walking through it to the north. The origin is in the middle of
    /// the doorway, on the floor. It opens to the north, by 100 degrees to the left.
    ///
    /// A record places it open and out of the way: placement 0x65. Placement 0 is shut.
    /// Its motion table opens and shuts it, retail's commands On and Off.
    Door {
        /// Width and height of the doorway, in metres.
        size: [f32; 2],
        /// Material of the leaf, which has iron bands.
        material: Material,
    },
    /// A human that walks: with parts and motions of its own, and the collision shapes of the [`MOVER`]. Retail: setup
    /// 0x02000001.
    Figure,
}

impl ObjectSpec {
    /// The mover; see [`MOVER`].
    pub const MOVER: Self =
        Self::Creature { radius: 0.48, height: 1.835, step_up: 0.6, step_down: 1.5 };

    /// A box with a physics tree that stands on the origin.
    pub fn cuboid(size: impl Into<Vec3>) -> Self {
        let size: Vec3 = size.into();
        let half = Vec3::new(size.x / 2.0, size.y / 2.0, 0.0);
        Self::Solid(Shape::cuboid(-half, half + Vec3::Z * size.z))
    }

    fn sizes(&self) -> Vec<f32> {
        match self {
            Self::Creature { radius, height, .. } => vec![*radius, height - 2.0 * radius],
            Self::Cylinder { radius, height } => vec![*radius, *height],
            Self::Ball { radius } => vec![*radius],
            Self::Thing(Thing { touch: Collision::Cylinder { radius, height }, .. }) => {
                vec![*radius, *height]
            }
            Self::Door { size, .. } => size.to_vec(),
            Self::Solid(_) | Self::Thing(_) | Self::Figure => Vec::new(),
        }
    }
}

/// The records of an object, before ids are assigned.
pub(crate) struct ObjectRecords {
    /// The models; at least one.
    pub(crate) models: Vec<GfxObj>,
    /// The setup, unless the object is a bare model.
    pub(crate) setup: Option<Assembly>,
}

/// A setup with its animations.
pub(crate) struct Assembly {
    /// Its parts are set when models have ids.
    pub(crate) setup: SetupRecord,
    /// For each part, the index of its model.
    pub(crate) parts: Vec<usize>,
    /// Its motions.
    pub(crate) moves: Option<MotionRecords>,
}

/// Animations and motion table of an object. The table refers to animations by their index in the list.
pub(crate) struct MotionRecords {
    pub(crate) animations: Vec<Animation>,
    pub(crate) table: MotionTable,
}

impl ObjectRecords {
    /// A setup with one part.
    fn single(model: GfxObj, setup: SetupRecord) -> Self {
        let assembly = Assembly { setup, parts: vec![0], moves: None };
        Self { models: vec![model], setup: Some(assembly) }
    }
}

/// Depth of the feet below the origin, in metres: retail's movers float that much over the floor.
pub(crate) const FEET: f32 = 0.005;

pub(crate) fn make(object: &ObjectSpec) -> Result<ObjectRecords, ForgeError> {
    if !object.sizes().iter().all(|size| size.is_finite() && *size > 0.0) {
        return Err(ForgeErrorKind::NoSize("an object").here());
    }
    let (shape, setup) = match object {
        ObjectSpec::Solid(shape) => {
            return Ok(ObjectRecords { models: vec![solid_model(shape)?], setup: None });
        }
        ObjectSpec::Creature { radius, height, step_up, step_down } => {
            let steps = [*step_up, *step_down];
            (Shape::regular(6, *radius, 0.0, *height), creature(*radius, *height, steps))
        }
        ObjectSpec::Cylinder { radius, height } => {
            (Shape::regular(8, *radius, 0.0, *height), cylinder(*radius, *height))
        }
        ObjectSpec::Ball { radius } => (octahedron(*radius), ball(*radius)),
        ObjectSpec::Thing(thing) => return thing_of(thing),
        ObjectSpec::Door { size, material } => return door::make(*size, *material),
        ObjectSpec::Figure => return figure::make(),
    };
    Ok(ObjectRecords::single(drawn(&shape)?, setup))
}

pub(crate) fn creature(radius: f32, height: f32, [step_up, step_down]: [f32; 2]) -> SetupRecord {
    let foot = Sphere::new(Vec3::Z * (radius - FEET), radius);
    let head = Sphere::new(Vec3::Z * (height - radius - FEET), radius);
    let around = Sphere::new(Vec3::Z * (height / 2.0 - FEET), height / 2.0 + 2.0 * FEET);
    let spheres = vec![foot, head];
    SetupRecord {
        free_heading: true,
        spheres,
        step_up,
        step_down,
        ..upright(radius, height, around)
    }
}

fn cylinder(radius: f32, height: f32) -> SetupRecord {
    let reach = Vec3::new(radius, 0.0, height / 2.0).length();
    let cylinders = vec![SetupCylinder { low_point: Vec3::ZERO, radius, height }];
    let around = Sphere::new(Vec3::Z * (height / 2.0), reach);
    SetupRecord { cylinders, ..upright(radius, height, around) }
}

fn ball(radius: f32) -> SetupRecord {
    let ball = Sphere::new(Vec3::Z * radius, radius);
    SetupRecord { spheres: vec![ball], ..upright(radius, 2.0 * radius, ball) }
}

/// A setup of one part, without collision shapes.
pub(crate) fn upright(radius: f32, height: f32, sorting_sphere: Sphere) -> SetupRecord {
    let placement = Placement { key: 0, frames: [Frame::IDENTITY].into(), hooks: [].into() };
    SetupRecord {
        id: RecordId::NONE,
        free_heading: false,
        says_physics_tree: false,
        other_flags: 0,
        parts: Vec::new(),
        parents: None,
        scales: None,
        holding_locations: Vec::new(),
        connection_points: Vec::new(),
        placements: vec![placement],
        cylinders: Vec::new(),
        spheres: Vec::new(),
        height,
        radius,
        step_up: 0.0,
        step_down: 0.0,
        sorting_sphere,
        selection_sphere: sorting_sphere,
        lights: Vec::new(),
        defaults: SetupDefaults::default(),
    }
}

/// A model with drawing and physics polygons.
fn solid_model(shape: &Shape) -> Result<GfxObj, ForgeError> {
    let solid = solid(shape, "an object")?;
    let (low, high) = solid.bounds();
    let is_solid = |at: Vec3| solid.distance(at) < 0.0;
    let bounds = around(low - Vec3::ONE, high + Vec3::ONE);
    let physics = Physics::of_solids(&solid.sides, &[], is_solid, &bounds);
    model(&physics, &drawing(&solid))
}

/// A model with drawing polygons only.
fn drawn(shape: &Shape) -> Result<GfxObj, ForgeError> {
    let solid = solid(shape, "an object")?;
    let physics = Physics::of_solids(&[], &[], |_| false, &[]);
    Ok(GfxObj { physics: None, ..model(&physics, &drawing(&solid))? })
}

fn drawing(solid: &Convex) -> Drawing {
    let draw = |side: &Side| DrawnPolygon {
        side: side.clone(),
        material: FaceMaterials::SHELL.facing(side.plane.normal, LEVEL),
        card: None,
    };
    Drawing::of_surface(solid.sides.iter().map(draw).collect(), Vec::new())
}

/// A thing: its model, and a setup with its lights and collision shape.
fn thing_of(thing: &Thing) -> Result<ObjectRecords, ForgeError> {
    let (model, sorting) = thing_model(thing)?;
    let height = sorting.centre.z + sorting.radius;
    let mut setup = match thing.touch {
        Collision::Cylinder { radius, height } => cylinder(radius, height),
        Collision::Solids | Collision::Nothing => upright(sorting.radius, height, sorting),
    };
    setup.sorting_sphere = sorting;
    setup.selection_sphere = sorting;
    setup.says_physics_tree = model.physics.is_some();
    setup.lights = thing.lights.clone();
    Ok(ObjectRecords::single(model, setup))
}

/// The model of a thing, and its bounding sphere.
pub(crate) fn thing_model(thing: &Thing) -> Result<(GfxObj, Sphere), ForgeError> {
    let mut solids = Vec::with_capacity(thing.solids.len());
    for (shape, _) in &thing.solids {
        solids.push(solid(shape, "an object")?);
    }
    let surface = match thing.touch {
        Collision::Solids => union::surface(&solids)?,
        // No camera gets inside: faces may intersect other solids, which needs fewer polygons than cutting.
        Collision::Cylinder { .. } | Collision::Nothing => whole(&solids),
    };
    let sides: Vec<Side> = surface.iter().map(|piece| piece.side.clone()).collect();
    let laid: Vec<Boards> = thing.solids.iter().map(|(shape, _)| boards(shape)).collect();
    let drawn = |piece: SurfacePiece| {
        let material = thing.solids[piece.solid].1;
        let card = Card::with_grain(material, piece.side.plane.normal, laid[piece.solid]);
        DrawnPolygon { side: piece.side, material, card }
    };
    let mut drawing: Vec<DrawnPolygon> = surface.into_iter().map(drawn).collect();
    for (card, material) in &thing.cards {
        drawing.push(card.drawn(*material)?);
    }
    let corners = drawing.iter().flat_map(|drawn| drawn.side.outline.iter().copied());
    let Some(sorting) = enclosing(corners) else {
        return Err(ForgeErrorKind::NoSize("an object").here());
    };
    let drawing = Drawing::of_thing(drawing);
    if thing.touch != Collision::Solids || sides.is_empty() {
        let physics = Physics::of_solids(&[], &[], |_| false, &[]);
        return Ok((GfxObj { physics: None, ..model(&physics, &drawing)? }, sorting));
    }
    let is_solid = |at: Vec3| solids.iter().any(|solid| solid.distance(at) < 0.0);
    let reach = Vec3::splat(sorting.radius + 1.0);
    let bounds = around(sorting.centre - reach, sorting.centre + reach);
    let physics = Physics::of_solids(&sides, &[], is_solid, &bounds);
    Ok((model(&physics, &drawing)?, sorting))
}

/// Returns all faces of the solids, uncut.
fn whole(solids: &[Convex]) -> Vec<SurfacePiece> {
    let of = |(index, solid): (usize, &Convex)| {
        let own = move |side: &Side| SurfacePiece { side: side.clone(), solid: index };
        solid.sides.iter().map(own).collect::<Vec<_>>()
    };
    solids.iter().enumerate().flat_map(of).collect()
}

impl Card {
    fn drawn(self, material: Material) -> Result<DrawnPolygon, ForgeError> {
        let Self { corner, right, up, .. } = self;
        let outline = vec![corner, corner + right, corner + right + up, corner + up];
        match threshold_geom::plane_of(&outline) {
            Some(plane) => {
                Ok(DrawnPolygon { side: Side { outline, plane }, material, card: Some(self) })
            }
            None => Err(ForgeErrorKind::FaceWithoutArea("a card of an object").here()),
        }
    }
}

fn octahedron(radius: f32) -> Shape {
    let mut faces = Vec::new();
    for signs in 0..8_u8 {
        let sign = |bit: u8| if signs & bit == 0 { radius } else { -radius };
        let corners = [Vec3::X * sign(1), Vec3::Y * sign(2), Vec3::Z * sign(4)];
        faces.push(corners.map(|corner| Vec3::Z * radius + corner).to_vec());
    }
    Shape::from_faces(faces)
}
