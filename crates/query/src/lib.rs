//! What is there? Scene queries on the cell graph of Asheron's Call.
//!
//! | question | method | answers with |
//! |---|---|---|
//! | what does a ray hit? | [`SceneQuery::ray`], [`ray_all`](SceneQuery::ray_all) | the first surface, or all in order |
//! | what does a moving sphere touch? | [`SceneQuery::sphere_cast`], [`sphere_cast_all`](SceneQuery::sphere_cast_all) | the same |
//! | what overlaps a sphere or a box? | [`SceneQuery::sphere_overlaps`], [`box_overlaps`](SceneQuery::box_overlaps) | every polygon and shape |
//! | what is the nearest object? | [`SceneQuery::nearest`] | up to a number of objects |
//! | which objects are in a cone? | [`SceneQuery::cone`] | each object once |
//! | where does a missile land? | [`SceneQuery::arc`], [`arc_all`](SceneQuery::arc_all) | what stops it, when, how fast |
//! | many of these at once | [`Batch`] | the same, on all cores with the feature `rayon` |
//!
//! # A ray through a doorway
//!
//! Every question starts at a position: a point, and the cell that it is in. No cell is looked up
//! from a point. The query walks from cell to cell through portals, so it goes into a building and
//! out again, over the border of a landblock, and never into a room that merely lies at the same
//! place.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_query::{HitTarget, QueryFilter, QueryScratch, Ray, SceneQuery};
//! # use threshold_world::{Builder, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//! let from = Position::new(west, Vec3::new(1.0, 2.0, 1.0));
//! let (scene, mut scratch) = (SceneQuery::new(&world), QueryScratch::new());
//! let ray = Ray::new(from, [1.0, 0.0, 0.0], 50.0);
//! let found = scene.ray(&mut scratch, &ray, &QueryFilter::default())?;
//! let hit = found.hit.expect("there is a wall");
//! assert!(matches!(hit.target, HitTarget::Room { cell, .. } if cell == east));
//! assert_eq!(hit.position.cell, east);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The end of a ray has a cell, too: `found.extent.end`. So a ray from the origin of a body to its
//! eye finds the cell of the eye.
//!
//! # What counts
//!
//! A [`QueryFilter`] chooses ground, rooms, shells of buildings, and objects by kind, by state and by
//! id. The default is what stops a mover.
//!
//! ```
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_query::{NearestObjects, ObjectKinds, QueryFilter, QueryScratch, SceneQuery};
//! # use threshold_forge::{MOVER, samples};
//! # use threshold_world::{BodyId, BodySpec, Builder, ObjectId, ObjectKind, State, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! # for (number, x) in [(1, 1.0), (2, 3.0)] {
//! #     let position = Position::new(CellId(0x0102_0100), Vec3::new(x, 2.0, 0.0));
//! #     let (body, setup) = (BodyId(number), builder.setup(MOVER)?);
//! #     let (state, kind) = (State::default(), ObjectKind::Creature);
//! #     world.insert(BodySpec { body, setup, position, scale: 1.0, state, kind });
//! # }
//! let own = [ObjectId::body(BodyId(1))];
//! let others = QueryFilter::objects(ObjectKinds::CREATURES).without(&own);
//! let at = Position::new(CellId(0x0102_0100), Vec3::new(1.0, 2.0, 1.0));
//! let mut hits = Vec::new();
//! let nearest = NearestObjects { at, radius: 10.0, count: 1 };
//! let extent =
//!     SceneQuery::new(&world).nearest(&mut QueryScratch::new(), &nearest, &others, &mut hits)?;
//! assert_eq!(hits[0].target.object(), Some(ObjectId::body(BodyId(2))));
//! assert!(extent.unknown.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//!
//! - **Cells.** The centre of a cast is in one cell at a time, and what it hits belongs to that cell
//!   or is registered there. A sphere, and a volume at rest, also reaches into the cells behind
//!   portals that it touches, and from there on; a cast for as long as it touches them. Portals that
//!   a closed door or a window fills are passed; what is in them is hit.
//! - **Land.** Outdoors the cells are land cells. The shell and the doors of a building belong to one
//!   of them, as for movers. Below the ground there is nothing but rooms, and off the map nothing.
//! - **Sides.** A cast hits a polygon that it moves against from its front, and passes it from behind
//!   and along it, as movers do. Polygons with two sides are hit from both, and all of them with
//!   [`QueryFilter::both_sides`]. Overlaps know no sides.
//! - **Solids.** Cylinders and spheres of objects are solid: a cast whose centre starts inside hits at
//!   once ([`Hit::initial`]). Physics trees are surfaces: inside one there is nothing to hit.
//! - **Starts.** A sphere that overlaps a surface from the start hits it at distance 0 if it moves
//!   towards the nearest point, and not if it moves along it or away.
//! - **Margins.** A ray that passes a polygon or the edge of a portal by less than 0.2 mm hits it, and
//!   one that starts up to 0.2 mm behind a polygon hits it at distance 0. So rays do not slip between
//!   polygons. A centre that starts up to 0.2 mm behind a portal, where its room still contains it,
//!   passes the portal at once if it moves on. Spheres have no margin. A sphere meets a cylinder as
//!   movers do, its rim as that of a box. Boxes and cones touch a cylinder that is up to 1 mm away.
//! - **Length.** A surface at exactly the end of a ray is hit. A ray without length hits solids that
//!   it starts in.
//! - **Objects** collide with the physics trees of their parts; without any with their cylinders;
//!   without these with their spheres. Entry restrictions of cells play no part.
//! - **Arcs** are followed in chords that leave the parabola by at most a millimetre. The speed is not
//!   limited to that of a body.
//!
//! # What is not resident
//!
//! A cell that is not resident is an answer, not an error: [`Extent::unknown`] names the nearest such
//! cell and how far away it was reached, and [`FirstHit::is_certain`] says whether it could hide
//! something nearer. The portals of a building are known from its rooms; while one of these is not
//! resident, every query near the building reports it.
//!
//! # Exactness
//!
//! Casts compute in f64 and depend on no order of loading, so the same world gives the same bits on
//! every machine and for any number of threads. Numbers that are not finite or out of their range are
//! refused ([`QueryError`]). Nothing here changes the world.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod arc;
mod batch;
mod collect;
mod constants;
mod contents;
mod filter;
mod hit;
mod place;
mod question;
mod scene_query;
mod volume;
mod walk;
mod whole;

pub use batch::{Batch, BatchAnswer, BatchQuestion, Want};
pub use constants::{GRAVITY, MAX_FLIGHT, MAX_LENGTH, MAX_REACH};
pub use filter::{ObjectKinds, QueryFilter};
pub use hit::{ArcFlight, Extent, FirstHit, Hit, HitTarget, ObjectShape, UnknownCell};
pub use question::{
    BoxOverlap, Cone, Launch, NearestObjects, QueryError, Question, Ray, SphereCast, SphereOverlap,
};
pub use scene_query::SceneQuery;
pub use walk::QueryScratch;
