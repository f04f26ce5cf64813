//! Visibility in the cell world of Asheron's Call: which rooms are visible, through which portals,
//! and where a portal shows the landscape.
//!
//! Input is a [`World`](threshold_world::World) and a [`Viewer`]: an eye, a direction, a [`Lens`],
//! and **the cell that the eye was swept into**. A [`PortalWalk`] returns a [`VisibleSet`]: rooms
//! near to far, each with one or more convex regions of the screen, and the regions of the
//! landscape. A region names the portal it was entered through. A [`DrawList`] turns the set into
//! steps for a renderer. Nothing is drawn here, and no cell is looked up from a point.
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
//! `cargo run -p threshold-view --example look` makes that world and lists what is visible; with
//! `-- --svg` it draws the screen.
//!
//! # From room to room
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::vector::{DVec2, Vec3};
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
//! let (eye, target) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(west, eye, target, Lens::default())?;
//! let mut scratch = ViewScratch::new(); // kept from frame to frame
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//!
//! assert_eq!(visible.cells().map(|cell| cell.id()).collect::<Vec<_>>(), [west, east]);
//! let beyond = visible.cell(east).and_then(|cell| cell.regions().next()).expect("visible");
//! assert!(beyond.contains(DVec2::ZERO) && !beyond.contains(DVec2::new(0.9, 0.0)));
//! let entry = beyond.entry().expect("entered through a portal");
//! assert_eq!((entry.cell, entry.portal, entry.region), (west, 0, 0));
//! // No portal of this dungeon leads outdoors, so there is no landscape to draw.
//! assert_eq!(visible.landscape().len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "Indoors", "underground" and "dungeon" are not modes. A viewer in a land cell has the landscape
//! on the whole screen; a viewer in a room has it in the portals that show it. Where
//! [`VisibleSet::landscape`] is empty, it is not drawn at all. Terrain is never read.
//!
//! # From the street into a house
//!
//! From outdoors the walk enters buildings through their doors and windows, and leaves them on the
//! other side. The entry portal of a room that is entered from outdoors is its own, and the region
//! on the near side is one of [`VisibleSet::landscape`].
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::vector::Vec3;
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! # use threshold_world::{Builder, World};
//! # let builder = Builder::new(samples::house_on_a_hill()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // In front of the door of the house on a hill, which is at (84, 78).
//! let (street, hall, kitchen) = (CellId(0xA9B4_001B), CellId(0xA9B4_0100), CellId(0xA9B4_0101));
//! let (eye, target) = (Vec3::new(84.5, 71.0, 61.7), Vec3::new(84.0, 78.0, 61.3));
//! let viewer = Viewer::looking_at(street, eye, target, Lens::default())?;
//! let mut scratch = ViewScratch::new();
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//!
//! let coverage: Vec<f64> = visible.landscape().map(|region| region.coverage()).collect();
//! assert_eq!(coverage, [1.0]);
//! assert_eq!(visible.cells().map(|cell| cell.id()).collect::<Vec<_>>()[..2], [hall, kitchen]);
//! let into_the_hall = visible.cell(hall).and_then(|cell| cell.regions().next()?.entry());
//! assert!(into_the_hall.is_some_and(|it| it.outdoors && it.cell == hall && it.region == 0));
//! let into_the_kitchen = visible.cell(kitchen).and_then(|cell| cell.regions().next()?.entry());
//! assert!(into_the_kitchen.is_some_and(|it| !it.outdoors && it.cell == hall));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Walls and ground hide nothing here: the depth test hides the back of a hill.
//!
//! # Regions
//!
//! The screen is (x, y), x to the right and y up, both from -1 to 1. A [`Region`] is convex, and
//! given by its [corners](Region::corners) and its [half-planes](Region::planes). In space it is a
//! cone with its apex in the eye; a portal that is partly behind the eye is no special case. A
//! region has at most [`MAX_SIDES`] sides, a cell at most [`MAX_REGIONS`] regions. Beyond that
//! regions grow or are merged: still correct, only larger. A merged region has several
//! [entries](Region::entries). A portal at the eye is passed whole, so that a doorway does not
//! flash as the eye moves through it.
//!
//! # Drawing
//!
//! A renderer draws each region in a mask, far side first. It needs a depth buffer, a mask with
//! one number for each pixel (a stencil buffer), and a clip plane. A [`DrawList`] has the steps:
//!
//! | action | where | what |
//! |---|---|---|
//! | [`Enter`](DrawAction::Enter) | in [`DrawRegion::mask`], where the mask is `level - 1` and the seal depth is not behind the depth there | mask becomes `level`, depth becomes 0 (far) |
//! | | where the mask is now `level` | fill with the colour of an empty room; the landscape has its sky |
//! | [`Draw`](DrawAction::Draw) | where the mask is `level` | draw [`DrawRegion::content`] with depth test, beyond [`PortalPlane::clip_plane`]: opaque surfaces, sky, then transparent ones far to near |
//! | [`Leave`](DrawAction::Leave) | in the mask, where the mask is `level` and the depth is still 0 | mask becomes `level - 1`; the near side is drawn there, too. Not for rooms that are not resident |
//! | | in the mask, where the mask is still `level` | mask becomes `level - 1`, depth becomes the seal depth |
//!
//! - Before the first step depth and mask are 0 everywhere. At level 0 there is nothing to mark or
//!   to seal: `Enter` only fills, `Leave` does nothing.
//! - **Depth is reset by `Enter`, inside the region only, and written by `Leave`.** In between
//!   nothing is compared with what is outside the region, so rooms that overlap in space, such as
//!   levels of a dungeon, do not mix. Nothing else clears depth within a frame.
//! - Depth is `near / forward distance`: 1 at the near plane, 0 far away, greater is nearer. The
//!   **seal depth** is [`PortalPlane::seal_depth`], clamped to 1 and to a value just above 0, so
//!   that a sealed pixel does not count as empty. For a region without [`DrawRegion::portal`] it is
//!   that least value. The sky writes a depth just above 0 for the same reason.
//! - Everything may be limited to [`DrawRegion::scissor`], and objects to those that
//!   [`RegionVolume::placement`] does not rule out. Only those that cross the portal need the clip
//!   plane.
//!
//! The complete loop, on a target in memory. Instead of triangles it follows a ray for each pixel:
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::{DVec2, DVec3, DVec4, Vec3};
//! use threshold_land::{CellId, block_offset_between};
//! use threshold_view::{
//!     DrawAction, DrawList, DrawSettings, Lens, PortalWalk, RegionContent, ViewScratch, Viewer,
//! };
//! use threshold_world::{Builder, Room, World};
//!
//! const SIZE: [u32; 2] = [64, 36];
//! /// Minimum depth of a pixel that is not empty.
//! const MIN_DEPTH: f64 = 4e-7;
//!
//! #[derive(Clone, Copy, Default)]
//! struct Pixel {
//!     cell: Option<CellId>,
//!     depth: f64,
//!     mask: u32,
//! }
//!
//! /// Whether a point is in a convex outline.
//! fn contains(corners: &[DVec2], at: DVec2) -> bool {
//!     let next = corners.iter().cycle().skip(1);
//!     let side = |(a, b): (&DVec2, &DVec2)| (*b - *a).perp_dot(at - *a);
//!     let sides: Vec<f64> = corners.iter().zip(next).map(side).collect();
//!     sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
//! }
//!
//! /// The forward distance at which a ray meets a wall of a room.
//! fn nearest(room: &Room, viewer: &Viewer, ray: DVec3, clip: DVec4) -> Option<f64> {
//!     let offset = block_offset_between(viewer.cell(), room.id()).as_dvec3() - viewer.eye();
//!     let is_portal = |index| room.portals().iter().any(|portal| portal.polygon == index);
//!     let walls = (0..).zip(room.structure().drawing.iter());
//!     let walls = walls.filter(|(index, _)| !is_portal(*index)).filter_map(|(_, wall)| {
//!         let to_eye = |at: &Vec3| room.to_block(*at).as_dvec3() + offset;
//!         let corners: Vec<DVec3> = wall.vertices.iter().map(to_eye).collect();
//!         let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
//!         let far = normal.dot(corners[0]) / normal.dot(ray);
//!         let at = ray * far;
//!         let sides = corners.iter().zip(corners.iter().cycle().skip(1));
//!         let is_inside =
//!             sides.into_iter().all(|(a, b)| normal.dot((*b - *a).cross(at - *a)) >= 0.0);
//!         let is_front = normal.dot(ray) < 0.0;
//!         let shows = is_front && is_inside && far > 0.0 && clip.dot(at.extend(1.0)) >= 0.0;
//!         shows.then_some(far)
//!     });
//!     walls.min_by(f64::total_cmp)
//! }
//!
//! fn draw(world: &World, viewer: &Viewer, list: &DrawList, near: f64) -> Vec<Pixel> {
//!     let mut pixels = vec![Pixel::default(); (SIZE[0] * SIZE[1]) as usize];
//!     for step in list.steps() {
//!         let (region, level) = (list.region(step.region), step.level);
//!         let clip = region.portal().map_or(DVec4::W, |portal| portal.clip_plane());
//!         let seal = |at: DVec2| match region.portal() {
//!             Some(portal) => portal.seal_depth(near).dot(at.extend(1.0)).clamp(MIN_DEPTH, 1.0),
//!             None => MIN_DEPTH,
//!         };
//!         let [columns, rows] = region.scissor();
//!         for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
//!             let pixel = &mut pixels[(y * SIZE[0] + x) as usize];
//!             let part = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of) * 2.0 - 1.0;
//!             let at = DVec2::new(part(x, SIZE[0]), -part(y, SIZE[1]));
//!             let is_in_mask = region.mask().any(|corners| contains(corners, at));
//!             match step.action {
//!                 DrawAction::Enter if level > 0 => {
//!                     if is_in_mask && pixel.mask == level - 1 && seal(at) >= pixel.depth {
//!                         *pixel = Pixel { cell: None, depth: 0.0, mask: level };
//!                     }
//!                 }
//!                 DrawAction::Draw if pixel.mask == level => {
//!                     // The landscape would be drawn here, too.
//!                     let RegionContent::Room(cell) = region.content() else { continue };
//!                     let Some(room) = world.room(cell) else { continue };
//!                     let far = nearest(room, viewer, viewer.direction(at), clip);
//!                     if let Some(depth) = far.map(|far| near / far)
//!                         && (pixel.depth..=1.0).contains(&depth)
//!                     {
//!                         (pixel.cell, pixel.depth) = (Some(cell), depth);
//!                     }
//!                 }
//!                 DrawAction::Leave if level > 0 && is_in_mask && pixel.mask == level => {
//!                     let is_resident = !matches!(region.content(), RegionContent::NotResident(_));
//!                     let is_empty = pixel.depth == 0.0 && is_resident;
//!                     pixel.depth = if is_empty { 0.0 } else { seal(at) };
//!                     pixel.mask = level - 1;
//!                 }
//!                 _ => {}
//!             }
//!         }
//!     }
//!     pixels
//! }
//!
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//! let (eye, target) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(west, eye, target, Lens::default())?;
//! // All three are kept from frame to frame.
//! let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new());
//! let settings = DrawSettings::new(&viewer, SIZE);
//!
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! list.build(&world, &viewer, visible, &settings);
//! let pixels = draw(&world, &viewer, &list, settings.near);
//!
//! let actions: Vec<DrawAction> = list.steps().iter().map(|step| step.action).collect();
//! use DrawAction::{Draw, Enter, Leave};
//! assert_eq!(actions, [Enter, Enter, Draw, Leave, Draw, Leave]);
//! assert_eq!(pixels[18 * 64 + 32].cell, Some(east), "through the open wall");
//! assert_eq!(pixels[0].cell, Some(west), "beside it");
//! assert!(pixels.iter().all(|pixel| pixel.cell.is_some() && pixel.mask == 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The list has a budget ([`DrawBudget`]). A region that is nested deeper than the mask can count
//! is drawn in the mask that encloses it: still correct where rooms do not overlap in space. In a
//! long row of open buildings the interiors of the last ones are left out, and the landscape
//! behind them shows. [`DrawList::unmasked`] and [`DrawList::omitted`] count both.
//!
//! # Matrices and planes
//!
//! A renderer of its own takes matrices from the viewer, for any range of depth, and the planes of
//! regions and of the frustum, all in the coordinate frame of the viewer's landblock. They are in
//! f64, as plain arrays; the device takes them in f32.
//!
//! ```
//! use threshold_land::CellId;
//! use threshold_land::vector::Vec3;
//! use threshold_view::{DepthMapping, Lens, Viewer};
//!
//! let (eye, target) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(CellId(0x0102_0100), eye, target, Lens::default())?;
//! let view = viewer.view_matrix();
//! // Reversed depth from 0 to 1 without a far plane; others are a field away.
//! let projection = viewer.projection_matrix(&DepthMapping::default());
//! let for_the_device = projection.map(|column| column.map(|number| number as f32));
//!
//! let frustum = viewer.frustum();
//! assert!(frustum.touches_sphere(target, 0.5));
//! assert!(!frustum.touches_box(Vec3::new(-3.0, 0.0, 0.0), Vec3::new(-1.0, 4.0, 3.0)));
//! # let _ = (view, for_the_device);
//! # Ok::<(), threshold_view::ViewerError>(())
//! ```
//!
//! [`Viewer::region_planes`] has the clip planes of a region, for renderers that clip or cull by
//! planes instead of a stencil.
//!
//! # The camera
//!
//! The cell of a viewer comes from a sweep. The eye of the camera of `threshold-motion` carries its
//! cell with it.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::vector::Vec3;
//! use threshold_land::{CellId, Position};
//! use threshold_motion::{Pivot, SweepScratch, Sweeper, ViewRoot};
//! use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
//! # use threshold_world::{BodyId, Builder, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // A player in the eastern room, and the camera 3 m behind, in the western room.
//! let player = Position::new(CellId(0x0102_0101), Vec3::new(5.0, 2.0, 0.0));
//! let pivot = Pivot::above(player, BodyId(1), 1.5);
//! let mut sweep_scratch = SweepScratch::new();
//! let camera = Sweeper::new(&world).view(&mut sweep_scratch, &pivot, Vec3::new(-3.0, 0.0, 0.4));
//! let head = player.frame.to_global(pivot.head);
//! let viewer = Viewer::looking_at(camera.eye.cell, camera.eye.frame.origin, head, Lens::default())?;
//!
//! let mut scratch = ViewScratch::new();
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! assert_eq!(visible.root(), CellId(0x0102_0100));
//! assert!(visible.cell(player.cell).is_some());
//!
//! // In first person the eye is the head itself.
//! let own = Sweeper::new(&world).view(&mut sweep_scratch, &pivot, Vec3::ZERO);
//! assert_eq!((own.eye.cell, own.failed), (player.cell, false));
//!
//! // The walk can also start in the player's cell; retail starts in the camera's.
//! let eye = ViewRoot::Player.eye(&camera, &player);
//! let viewer = Viewer::looking_at(eye.cell, eye.frame.origin, head, Lens::default())?;
//! assert_eq!(PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer).root(), player.cell);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Points are in the coordinate frame of the landblock of their cell: convert a head in another
//! landblock with [`block_offset_between`](threshold_land::block_offset_between). [`Viewer::at`]
//! takes a position with its rotation.
//!
//! # Rooms that are not resident
//!
//! A walk cannot fail. A room that is not resident, the viewer's own included, is part of the
//! result: [`VisibleSet::not_resident`] has the regions in which it would show, for fog.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::vector::Vec3;
//! use threshold_view::{Lens, PortalWalk, RegionContent, ViewScratch, Viewer};
//! use threshold_world::{Builder, PieceId, World};
//!
//! let builder = Builder::new(samples::two_rooms()?);
//! let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
//! let mut world = World::new();
//! world.adopt(builder.build(PieceId::Room(west))?.expect("the record exists").piece);
//!
//! let (eye, target) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(4.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(west, eye, target, Lens::default())?;
//! let mut scratch = ViewScratch::new();
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! assert_eq!(visible.cells().len(), 1);
//! let region = visible.not_resident().next().expect("the portal is on the screen");
//! assert_eq!(region.content(), RegionContent::NotResident(east));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why a room is not visible
//!
//! A [`ViewProbe`] receives every portal test with its outcome; `()` receives nothing and costs
//! nothing. A [`PortalLog`] records them.
//!
//! ```
//! use threshold_forge::samples;
//! use threshold_land::CellId;
//! use threshold_land::vector::Vec3;
//! use threshold_view::{Lens, PortalLog, PortalOutcome, PortalWalk, ViewScratch, Viewer};
//! # use threshold_world::{Builder, World};
//! # let builder = Builder::new(samples::two_rooms()?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! // In the western room, with the open wall behind the viewer.
//! let (eye, target) = (Vec3::new(1.0, 2.0, 1.6), Vec3::new(0.0, 2.0, 1.6));
//! let viewer = Viewer::looking_at(CellId(0x0102_0100), eye, target, Lens::default())?;
//! let (mut scratch, mut log) = (ViewScratch::new(), PortalLog::default());
//! let visible = PortalWalk::new(&world).run(&mut scratch, &mut log, &viewer);
//!
//! let hidden = log.unseen_rooms(visible);
//! let (cell, tests) = &hidden[0];
//! assert_eq!((*cell, tests[0].outcome), (CellId(0x0102_0101), PortalOutcome::OffScreen));
//! assert_eq!(tests[0].outcome.text(), "is off the screen");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//!
//! As in retail, a walk enters only cells that the stab list of the viewer's room, or of the portal
//! of a building, names. Such lists are not always complete: [`VisibleSet::unlisted`] has the rooms
//! that were refused, and the rule can be switched off.
//!
//! The landscape shows through an exit portal only if the viewer's room and the room of the portal
//! have the flag `seen_outside` in their records ([`SeenOutside`]). Without it the portal shows the
//! colour that the frame was cleared with. [`PortalLog::landscape_left_out`] names such portals,
//! and [`DrawLandscape`] leaves the landscape out of all of them. [`RULES`] describes all rules.
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
//! | `SmartBox::RenderNormalMode` | [`PortalWalk::run`] |
//! | `PView::ConstructView`, `InitCell`, `ClipPortals`, `AddViewToPortals` | inside |
//! | `PView::DrawCells`, `Render::PortalList` | [`DrawList`] |
//! | `viewer`, `viewer_cell` | [`Viewer`] |
//! | `cell_draw_list` | [`VisibleSet::cells`] |
//! | `portal_view`, `view_type` | [`VisibleCell::regions`], [`Region`] |
//! | `outside_view` | [`VisibleSet::landscape`] |
//! | `stab_list`, `add_views` | [`StabList`] |
//! | `seen_outside` in `SmartBox::RenderNormalMode` | [`SeenOutside`] |
//! | `PView::draw_landscape` | [`DrawLandscape`] |
//! | `cliplandscape` | always on: the landscape is clipped to the portal |
//!
//! # Cost
//!
//! A walk allocates nothing once its [`ViewScratch`] has grown, and hashes nothing. Its cost grows
//! with what is visible, not with the world: on an ordinary machine one or two microseconds for the
//! three rooms visible from a place in a dungeon, seven in the streets of a small town, eight in
//! halls of a thousand rooms with one or two doors in every wall, and 40 at the worst eye of those.
//! Outdoors every portal of every resident building is tested: about 140 microseconds for 576
//! houses of which a third is on the screen.
//!
//! Time is bounded: a walk visits cells at most [`MAX_VISITS_PER_CELL`] times for each cell it may
//! enter. If that is not enough, [`VisibleSet::budget_hit`] is set. Rooms that are open on all sides
//! cost most: among a thousand of them, ten by ten by ten, a walk takes one or two milliseconds, and
//! up to 60 at the worst eyes, most of it for choosing which regions to merge. Drawing everything is
//! the better answer there. `cargo bench --package threshold-view` measures all this.
//!
//! # Exactness
//!
//! The same world and the same viewer give the same bits on every machine, in whatever order cells
//! were loaded. Regions are computed in double precision: unlike sweeps they need not match retail
//! bit by bit, and no movement depends on them. Every side of a region keeps its original plane,
//! however many portals clip it on the way, so nothing drifts. Portals, planes and sides are those
//! that a sweep reads.
//!
//! # What is not here
//!
//! - Portals that are not convex or that cross themselves: polygons are taken to be convex, as in
//!   `threshold-geom`. Nothing panics, but what shows through such a portal is not specified.
//! - Anything that knows of a graphics card.
//! - Occlusion by walls within a room, by shells of buildings and by the ground: that is left to the
//!   depth test.
//! - Objects: draw them with the cells they are registered in
//!   ([`World::objects_in`](threshold_world::World::objects_in)). Land cells in the frustum: test
//!   their boxes with [`RegionVolume::placement`].
//! - A near and a far plane. The four sides of the screen exclude what is behind the eye;
//!   [`Lens::near`] only decides which portals are passed whole.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod constants;
mod draw_list;
mod matrices;
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
pub use draw_list::{
    BoxPlacement, CLIP_SLACK, DrawAction, DrawBudget, DrawList, DrawRegion, DrawSettings, DrawStep,
    MIN_NEAR, PortalPlane, RegionVolume,
};
pub use matrices::{DepthMapping, DepthRange, Frustum, Matrix};
pub use portal_walk::PortalWalk;
pub use probe::{PortalLog, PortalOutcome, PortalTest, ViewEvent, ViewProbe};
pub use region::{EntryPortal, Region, RegionContent};
pub use rules::{DrawLandscape, RULES, SeenOutside, StabList, ViewRules};
pub use viewer::{Lens, Viewer, ViewerError};
pub use visible_set::{Seal, VisibleCell, VisibleSet, WalkStats};
pub use walk::ViewScratch;
