//! What is seen in the cell world of Asheron's Call: the rooms, through exactly the openings they are seen through, and the landscape where
//! and only where an opening shows it.
//!
//! Asked: a [`World`](threshold_world::World), and a [`Viewer`]: an eye, a direction, a [`Lens`], and **the cell that the eye was carried
//! into**. Answered: a [`VisibleSet`]. It lists cells near to far, each with one or more convex regions of the screen; a region knows the opening it came
//! through. Nothing is drawn here, and nothing is looked up from a point.
//!
//! ```text
//!     plan, from above                              screen
//!
//!     +-----------------+             +-----------------------------------+
//!     |     garden      |             | shop                              |
//!     |    +--| |---+   |             |     +-----------------------+     |
//!     |    | kitchen|   |             |     | landscape             |     |
//!     |    +-|   |--+   |             |     |      +---------+      |     |
//!     |    |  hall  |   |             |     |      |hall     |      |     |
//!     |    +--| |---+   |             |     |      |  +---+  |      |     |
//!     |     street      |             |     |      |  | k |  |      |     |
//!     |    +-|   |--+   |             |     |      |  +---+  |      |     |
//!     |    |  shop  |   |             |     |      +---------+      |     |
//!     |    |   eye  |   |             |     +-----------------------+     |
//!     +-----------------+             +-----------------------------------+
//! ```
//!
//! `cargo run -p threshold-view --example look` makes that world and says what is seen in it; with `-- --svg` it draws the screen.
//!
//! # One look
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::glam::{DVec2, Vec3};
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! use threshold_world::{Builder, World};
//!
//! // Two rooms of a dungeon, side by side, with the wall between them open at x = 4.
//! let builder = Builder::new(samples::two_rooms()?);
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! }
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//!
//! let (eye, look) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(west, eye, look, Lens::default())?;
//! let mut scratch = ViewScratch::new(); // kept from frame to frame
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//!
//! assert_eq!(seen.cells().map(|cell| cell.id()).collect::<Vec<_>>(), [west, east]);
//! let beyond = seen.cell(east).and_then(|cell| cell.regions().next()).expect("it is seen");
//! assert!(beyond.contains(DVec2::ZERO) && !beyond.contains(DVec2::new(0.9, 0.0)));
//! let via = beyond.entry().expect("it came through an opening");
//! assert_eq!((via.cell, via.portal, via.region), (west, 0, 0));
//! // A dungeon: no opening leads outdoors, so there is no landscape to draw.
//! assert_eq!(seen.landscape().len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "Indoors", "underground" and "dungeon" are not modes. A viewer in a land cell has the landscape on the whole screen; a viewer in a room has it in
//! the openings that show it; where there is none, [`VisibleSet::outside`] is empty, and the landscape is not drawn at all. Terrain is never asked for.
//!
//! # Into a house from the street
//!
//! From outdoors one looks into buildings through their doors and windows, and through a building out of its other side. An opening that
//! a region came through from outdoors is the room's own, and its region is one of [`VisibleSet::outside`].
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::glam::Vec3;
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! # use threshold_world::{Builder, World};
//! # let builder = Builder::new(samples::house_on_a_hill()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // Before the door of the house on a hill, which is at (84, 78).
//! let (street, hall, kitchen) = (CellId(0xA9B4_001B), CellId(0xA9B4_0100), CellId(0xA9B4_0101));
//! let (eye, look) = (Vec3::new(84.5, 71.0, 61.7), Vec3::new(84.0, 78.0, 61.3));
//! let viewer = Viewer::looking_at(street, eye, look, Lens::default())?;
//! let mut scratch = ViewScratch::new();
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//!
//! assert_eq!(seen.landscape().map(|region| region.coverage()).collect::<Vec<_>>(), [1.0]);
//! assert_eq!(seen.cells().map(|cell| cell.id()).collect::<Vec<_>>()[..2], [hall, kitchen]);
//! let into_the_hall = seen.cell(hall).and_then(|cell| cell.regions().next()?.entry());
//! assert!(into_the_hall.is_some_and(|via| via.outdoors && via.cell == hall && via.region == 0));
//! let into_the_kitchen = seen.cell(kitchen).and_then(|cell| cell.regions().next()?.entry());
//! assert!(into_the_kitchen.is_some_and(|via| !via.outdoors && via.cell == hall));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Walls and ground hide nothing here: that the back of a hill is not seen is left to the depth test.
//!
//! # Regions
//!
//! The screen is (x, y), x to the right and y up, both from -1 to 1. A [`Region`] is convex, and given twice: by its
//! [corners](Region::corners) and by its [half-planes](Region::planes), for a scissor or a stencil and for a shader. In space it is a cone with
//! its apex in the eye; nothing special happens where an opening is partly behind the eye. It has at most [`MAX_SIDES`] sides, a cell at most
//! [`MAX_REGIONS`] regions. Where there would be more, regions grow or are merged, so that a result may show too much and never too little; a
//! merged region has several [`openings`](Region::openings). An opening that is right before the eye is passed whole, so that a
//! doorway does not flash as one goes through.
//!
//! # Drawing
//!
//! What there is to draw are pairs of a cell and a region, and the landscape for its regions. [`VisibleSet::regions`] has them, the
//! near side of an opening before what is seen through it. They are drawn in the reverse order:
//!
//! 1. mask the stencil with the region, and scissor to its bounds;
//! 2. draw what lies beyond: the room, its objects, its translucent surfaces from far to near, or the landscape;
//! 3. write the depth of the opening it came through over the region: it is sealed ([`Region::openings`]; those outdoors that the landscape is
//!    seen through are also listed as [`VisibleSet::seals`]);
//! 4. go on to the next nearer pair. The viewer's own cell comes last; for a viewer outdoors, the landscape.
//!
//! Nothing is cleared on the way, and rooms that overlap in space, as levels of a dungeon do, do not mix: it is the regions that
//! decide what shows, not where a room lies.
//!
//! # The camera
//!
//! The cell of a viewer comes from a sweep. The camera of `threshold-motion` is one, and its eye has its cell with it.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::glam::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Pivot, Sweeper};
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! # use threshold_world::{BodyId, Builder, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // A player in the eastern room, seen from 3 m behind: the camera is in the western one.
//! let player = Position::new(CellId(0x0102_0101), Vec3::new(5.0, 2.0, 0.0));
//! let pivot = Pivot::above(player, BodyId(1), 1.5);
//! let mut sweeping = threshold_motion::SweepScratch::new();
//! let camera = Sweeper::new(&world).view(&mut sweeping, &pivot, Vec3::new(-3.0, 0.0, 0.4));
//! let head = player.frame.to_global(pivot.head);
//! let viewer = Viewer::looking_at(camera.eye.cell, camera.eye.frame.origin, head, Lens::default())?;
//!
//! let mut scratch = ViewScratch::new();
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! assert_eq!(seen.root(), CellId(0x0102_0100));
//! assert!(seen.cell(player.cell).is_some());
//!
//! // In first person the eye is the head itself.
//! let own = Sweeper::new(&world).view(&mut sweeping, &pivot, Vec3::ZERO);
//! assert_eq!((own.eye.cell, own.failed), (player.cell, false));
//!
//! // The walk can also start in the player's cell; retail starts in the camera's.
//! let eye = threshold_motion::ViewRoot::Player.eye(&camera, &player);
//! let viewer = Viewer::looking_at(eye.cell, eye.frame.origin, head, Lens::default())?;
//! assert_eq!(PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer).root(), player.cell);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Points are in the frame of the landblock of the cell: a head in another landblock than the eye has to be brought over
//! ([`block_offset_between`](threshold_land::block_offset_between)). [`Viewer::at`] takes a position with its rotation.
//!
//! # What is not there
//!
//! A look cannot fail. A room that is not resident, the viewer's own too, is an answer: [`VisibleSet::missing`] has the regions behind which
//! it would be, for fog.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::glam::Vec3;
//! use threshold_view::{Lens, PortalWalk, ViewScratch, RegionContent, Viewer};
//! use threshold_world::{Builder, PieceId, World};
//!
//! let builder = Builder::new(samples::two_rooms()?);
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//! let mut world = World::new();
//! world.adopt(builder.build(PieceId::Room(west))?.expect("there is such a room").piece);
//!
//! let (eye, look) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(west, eye, look, Lens::default())?;
//! let mut scratch = ViewScratch::new();
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! assert_eq!(seen.cells().len(), 1);
//! assert_eq!(seen.not_resident().next().map(|region| region.content()), Some(RegionContent::NotResident(east)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why is it not seen?
//!
//! A [`ViewProbe`] is told every opening that is tried and what became of it; `()` watches nothing and costs nothing. [`PortalLog`] keeps them.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::glam::Vec3;
//! use threshold_view::{PortalOutcome, Lens, PortalWalk, PortalLog, ViewScratch, Viewer};
//! # use threshold_world::{Builder, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // In the western room, with the open wall behind.
//! let (eye, look) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(0.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(CellId(0x0102_0100), eye, look, Lens::default())?;
//! let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut reasons, &viewer);
//!
//! let unseen = reasons.unseen_rooms(seen);
//! let (cell, trials) = &unseen[0];
//! assert_eq!((*cell, trials[0].fate), (CellId(0x0102_0101), PortalOutcome::OffScreen));
//! assert_eq!(trials[0].fate.text(), "is not on the screen");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # ViewRules
//!
//! As in retail, only cells are entered that the list of visible cells of the viewer's room names, or that of the opening of a building.
//! Such lists are not always complete; what is refused stands in [`VisibleSet::refused`], and the rule can be switched off.
//!
//! The landscape shows through an opening outdoors only where the viewer's room, and the room of the opening, have the flag
//! `seen_outside` in their records ([`SeenOutside`]). Where the flag is missing the opening shows what the frame was cleared with.
//! [`PortalLog::landscape_left_out`] names such openings, and [`DrawLandscape`] leaves the landscape out of all of them.
//! [`RULES`] describes all rules.
//!
//! ```
//! use threshold_view::{PortalWalk, ViewRules};
//! # let world = threshold_world::World::new();
//! let mut rules = ViewRules::default();
//! rules.set_text("stab_list=off")?;
//! let walk = PortalWalk { world: &world, rules };
//! # let _ = walk;
//! # Ok::<(), threshold_world::rule::RuleError>(())
//! ```
//!
//! # Retail names
//!
//! | retail | here |
//! |---|---|
//! | `SmartBox::RenderNormalMode` | [`PortalWalk::look`] |
//! | `PView::ConstructView`, `InitCell`, `ClipPortals`, `AddViewToPortals` | inside |
//! | `viewer`, `viewer_cell` | [`Viewer`] |
//! | `cell_draw_list` | [`VisibleSet::cells`] |
//! | `portal_view`, `view_type` | [`VisibleCell::regions`], [`Region`] |
//! | `outside_view` | [`VisibleSet::outside`] |
//! | `stab_list`, `add_views` | [`StabList`] |
//! | `seen_outside` in `SmartBox::RenderNormalMode` | [`SeenOutside`] |
//! | `PView::draw_landscape` | [`DrawLandscape`] |
//! | `cliplandscape` | always on: the landscape is clipped to the opening |
//!
//! # Cost
//!
//! A look allocates nothing after the first few, once its [`ViewScratch`] has grown, and hashes nothing. It costs what is seen, not what there is: on an
//! ordinary machine a microsecond or two for the three rooms that are seen from an eye in a dungeon, seven in the streets of a small town,
//! eight in halls of a thousand rooms with one or two doors in every wall, and 40 at the worst eye of those. Outdoors
//! every opening of every resident building is looked at: some 140 microseconds for 576 houses of which a third is on the screen.
//!
//! Time is bounded: a walk takes up cells at most [`MAX_VISITS_PER_CELL`] times for each cell it may enter. If that is not enough the
//! result says so ([`VisibleSet::budget_hit`]). What costs most are rooms that are open on all sides: among a thousand of them,
//! ten by ten by ten, a look takes a millisecond or two, and up to 60 at the worst eyes, most of it for choosing which regions to merge. Brute force is the
//! better answer there. `cargo bench --package threshold-view` measures all this.
//!
//! # Exactness
//!
//! The same world and the same viewer give the same bits, on every machine, in whatever order cells were loaded. Regions are worked out in double
//! precision. Single precision in retail's order of operations is for what can be compared with retail bit by bit, as sweeps can; regions are
//! ours, and nothing that moves depends on them. Every side of a region keeps the plane it was made of, however many openings it
//! is cut by on the way, so nothing drifts. What is read (portals, planes, sides) is what a sweep reads, as it is.
//!
//! # What is not here
//!
//! - Openings that are not convex, or cross themselves: polygons are taken to be convex, as in `threshold-geom`. Nothing breaks, and what
//!   is seen through such a one is not specified.
//! - Drawing, and anything that knows of a graphics card.
//! - Occlusion by walls within a room, by shells of buildings and by the ground; that is the depth test's.
//! - Objects: they are drawn with the cells they are registered in ([`World::objects_in`](threshold_world::World::objects_in)). The lists of
//!   terrain cells in the frustum: those are the renderer's.
//! - A near and a far plane. The four sides of the screen keep out what is behind; [`Lens::near`] only decides which openings are
//!   passed whole.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod constants;
mod merge;
mod outdoors;
mod outline;
mod portal;
mod portal_walk;
pub mod probe;
mod region;
mod region_order;
pub mod rules;
mod table;
mod viewer;
mod visible_set;
mod walk;

pub use constants::{
    IN_PLANE, MAX_REGIONS, MAX_SIDES, MAX_VISITS_PER_CELL, MIN_SOLID_ANGLE, NEAR_PORTAL,
    NEAR_RECTANGLE_SCALE,
};
pub use portal_walk::PortalWalk;
pub use probe::{PortalLog, PortalOutcome, PortalTest, ViewEvent, ViewProbe};
pub use region::{EntryPortal, Region, RegionContent};
pub use rules::{DrawLandscape, RULES, SeenOutside, StabList, ViewRules};
pub use viewer::{Lens, Viewer, ViewerError};
pub use visible_set::{Seal, VisibleCell, VisibleSet, WalkStats};
pub use walk::ViewScratch;
