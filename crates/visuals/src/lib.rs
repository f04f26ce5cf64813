//! What a renderer needs of the cell world of Asheron's Call, as plain data: triangles with materials, RGBA images, poses,
//! light, days, and what is drawn where. For any engine: no graphics interface is used here, and points are arrays or
//! convert into them.
//!
//! ```text
//!  records --> asset, mesh ---> triangles by material        \
//!          --> material, images -> RGBA pixels, blending      |
//!          --> ground ---------> terrain with blended layers  +--> your renderer, or gltf
//!  World ----> drawn ----------> which mesh stands where      |
//!          --> light, day -----> lamps, sky, sun and fog      |
//!          --> pose -----------> frames of figures           /
//!  VisibleSet -> DrawList (threshold-view) -> the order
//! ```
//!
//! `cargo run -p threshold-visuals --example room_mesh` prints the mesh of a room of the built-in world, and writes its
//! textures into a folder that is given as argument.
//!
//! # Conventions
//!
//! Metres; x is east, y north, z up; right-handed. Points are in the frame of a landblock, whose origin is its
//! south-western corner. [`block_offset_between`](threshold_land::block_offset_between) leads from one landblock to
//! another; keep positions relative to the eye's landblock, or 32-bit floats lose millimetres. Triangles are
//! counter-clockwise from their visible side. Texture coordinates begin at the top left. Images are sRGB with straight
//! alpha; light and colours of light are linear.
//!
//! # Meshes and materials of a room
//!
//! [`MeshInstance::of_piece`](drawn::MeshInstance::of_piece) lists what is drawn of a room or landblock: a key of each mesh,
//! and where it stands. Equal keys are equal meshes, so each is read and uploaded once.
//!
//! ```
//! use std::collections::{BTreeMap, BTreeSet};
//!
//! use threshold_land::CellId;
//! use threshold_visuals::asset::MeshKey;
//! use threshold_visuals::drawn::MeshInstance;
//! use threshold_visuals::material::{Blend, SurfaceMaterial};
//! use threshold_visuals::mesh::{MaterialKey, Mesh};
//! use threshold_world::{Builder, PieceId, World};
//!
//! let source = threshold_forge::builtin(threshold_forge::SEED)?;
//! let builder = Builder::new(source);
//! let mut world = World::new();
//! for piece in builder.pieces() {
//!     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! }
//! let source = &**builder.source();
//!
//! let taproom = PieceId::Room(CellId(0xA9B4_0106));
//! let mut faults = BTreeSet::new(); // messages about records that cannot be read
//! let instances = MeshInstance::of_piece(&world, source, taproom, &mut faults);
//! let mut meshes: BTreeMap<MeshKey, Mesh> = BTreeMap::new();
//! let mut materials: BTreeMap<MaterialKey, SurfaceMaterial> = BTreeMap::new();
//! for instance in &instances {
//!     let mesh = instance.key.read(source)?;
//!     for (material, indices) in mesh.indices_by_material() {
//!         assert_eq!(indices.len() % 3, 0);
//!         materials.insert(material, SurfaceMaterial::read(source, material.surface)?);
//!     }
//!     meshes.insert(instance.key.clone(), mesh);
//! }
//! assert!(faults.is_empty() && meshes.len() < instances.len(), "chairs share a mesh");
//!
//! // The walls come first. Everything is plain arrays, at the latest after `into`.
//! let walls = &meshes[&instances[0].key];
//! let positions: Vec<[f32; 3]> = walls.vertices.iter().map(|it| it.position.into()).collect();
//! let normals: Vec<[f32; 3]> = walls.vertices.iter().map(|it| it.normal.into()).collect();
//! let uvs: Vec<[f32; 2]> = walls.vertices.iter().map(|it| it.uv.into()).collect();
//! assert!(positions.len() == normals.len() && positions.len() == uvs.len());
//!
//! // The transform of an instance: scale, then three axes and an origin.
//! let frame = instances[0].frame;
//! let [x, y, z]: [[f32; 3]; 3] = frame.rotation.rows().0.map(Into::into);
//! let origin: [f32; 3] = frame.origin.into();
//! # let _ = (x, y, z, origin);
//!
//! let stone = &materials.values().next().expect("it has walls");
//! assert_eq!(stone.shading.blend, Blend::Opaque);
//! let image = &stone.surface.image;
//! assert_eq!(image.as_bytes().len() as u32, 4 * image.width * image.height); // RGBA
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A material is a surface and whether its texture repeats ([`MaterialKey`](mesh::MaterialKey)).
//! [`SurfaceShading`](material::SurfaceShading) says how it is blended and lit. Textures that do not repeat are clamped at
//! their edges.
//!
//! # Land
//!
//! A landblock is 128 triangles. Each land cell blends up to six textures through masks: on the graphics device, from
//! [`TerrainLayers`](ground::TerrainLayers) and [`TerrainTextures`](ground::TerrainTextures), or beforehand into one image
//! for each landblock with a [`TilePainter`](ground::TilePainter).
//!
//! ```
//! use threshold_dat::{Records, RegionDesc};
//! use threshold_land::BlockId;
//! use threshold_visuals::ground::{TerrainTextures, TilePainter, terrain_vertices};
//! # use threshold_world::{Builder, PieceId, REGION, World};
//! # let builder = Builder::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! # let mut world = World::new();
//! # let block = BlockId(0xA9B4);
//! # let land = builder.build(PieceId::Land(block))?.expect("it is there");
//! # world.adopt(land.piece);
//! # let source = &**builder.source();
//!
//! let mut textures = TerrainTextures::new(source);
//! let vertices = terrain_vertices(&world, block, textures.masks());
//! assert_eq!(vertices.len(), 128 * 3);
//! let base = textures.texture(vertices[0].layers.base); // an image, and its repeats in a land cell
//! assert!(base.tiling >= 1 && !textures.mask_images().is_empty());
//!
//! // Or painted: 8 x 8 tiles of 32 x 32 pixels, with north at the top.
//! let region: RegionDesc = Records::new(source).get(REGION)?.expect("it has a region");
//! let mut painter = TilePainter::new(source, region.terrain, 32);
//! let image = painter.block(world.land(block).expect("it is resident").terrain());
//! assert_eq!((image.width, image.height), (256, 256));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Light and day
//!
//! [`day::daylight`] has sun, ambient light, fog and sky at a moment. A room has [`RoomLight`](light::RoomLight) instead of
//! them, and near its exits both, by [`Skylight::share`](light::Skylight::share). Lamps reach as far as portals let them.
//!
//! ```
//! use std::collections::BTreeSet;
//! use threshold_dat::{Records, RegionDesc};
//! use threshold_land::CellId;
//! use threshold_visuals::day::{Moment, daylight, fraction_of, group_named};
//! use threshold_visuals::light::{LAMP_BRIGHTNESS, RoomLight, WorldLights};
//! # use threshold_world::{Builder, PieceId, REGION, World};
//! # let builder = Builder::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! # let source = &**builder.source();
//!
//! let region: RegionDesc = Records::new(source).get(REGION)?.expect("it has a region");
//! let evening = Moment::new(0, fraction_of("20:30").expect("a clock"));
//! let day = daylight(&region, &evening, group_named(&region, "clear"));
//! let sky: Vec<_> = day.objects.iter().map(|thing| (thing.model, thing.frame(1.7))).collect();
//! assert!(!sky.is_empty() && day.fog.far > day.fog.near);
//!
//! // Once for a world: where the light of each lamp goes.
//! let lights = WorldLights::read(&world, source, &mut BTreeSet::new());
//! let taproom = world.room(CellId(0xA9B4_0106)).expect("it is resident");
//! let own = RoomLight::of(&day, taproom.seen_outside());
//! let lit = lights.of_room(taproom.id()).expect("it has lamps");
//! for lamp in &lit.lamps {
//!     let (at, colour): ([f32; 3], [f32; 3]) =
//!         (lamp.at.into(), (lamp.colour * LAMP_BRIGHTNESS).into());
//!     assert!(lamp.reach > 0.0 && at[2] > 0.0 && colour[0] > 0.0);
//! }
//! assert!(own.ambient.length() > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Figures
//!
//! [`pose`] is [`threshold_pose`]: an [`Animator`](pose::Animator) returns a frame for each part of a figure, and
//! [`MeshInstance::of_body`](drawn::MeshInstance::of_body) the meshes at those frames.
//!
//! ```
//! use std::sync::Arc;
//! use threshold_dat::Records;
//! use threshold_forge::{Forge, MOVER};
//! use threshold_land::{CellId, Position};
//! use threshold_visuals::drawn::MeshInstance;
//! use threshold_visuals::pose::{Animator, Figure, MotionCommand};
//! use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};
//!
//! let builder = Builder::new(Forge::dressed(1).finish()?);
//! let (mut world, setup) = (World::new(), builder.setup(MOVER)?);
//! let position = Position::from((CellId(0xA9B4_0001), [10.0, 10.0, 0.0]));
//! let (body, scale) = (BodyId(1), 1.0);
//! let (state, kind) = (State::default(), ObjectKind::default());
//! world.insert(BodySpec { body, setup, position, scale, state, kind });
//! let figure = Figure::load(&mut Records::new(&**builder.source()), MOVER)?.expect("it is there");
//! let mut animator = Animator::new(Arc::new(figure), 0.0); // kept with the body
//! animator.change(MotionCommand::WALK_FORWARD, 1.0);
//!
//! let mut pose = Vec::new(); // kept from frame to frame
//! animator.pose(1.5, &mut pose);
//! let body = world.bodies().next().expect("it was inserted");
//! let block = position.cell.block();
//! let parts: Vec<_> = MeshInstance::of_body(body, &pose, &position, block).collect();
//! assert_eq!(parts.len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The order of drawing
//!
//! A portal walk finds what is visible, and a draw list puts it in order. Its manual ([`threshold_view`]) says what each
//! step means for mask and depth; this is the loop with what is drawn in each.
//!
//! ```
//! # use std::collections::BTreeSet;
//! use threshold_land::CellId;
//! use threshold_view::{DrawAction, DrawList, DrawSettings, RegionContent};
//! use threshold_view::{DepthMapping, Lens, PortalWalk, ViewScratch, Viewer};
//! use threshold_visuals::drawn::MeshInstance;
//! # use threshold_world::{Builder, PieceId, World};
//! # let builder = Builder::new(threshold_forge::builtin(threshold_forge::SEED)?);
//! # let mut world = World::new();
//! # for piece in builder.pieces() {
//! #     builder.build(piece)?.into_iter().for_each(|built| world.adopt(built.piece));
//! # }
//! # let source = &**builder.source();
//!
//! let (eye, target) = ([132.0, 109.0, 41.7], [132.0, 100.0, 41.4]);
//! let viewer = Viewer::looking_at(CellId(0xA9B4_0106), eye, target, Lens::default())?;
//! let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new()); // kept from frame to frame
//! let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
//! list.build(&world, &viewer, seen, &DrawSettings::new(&viewer, [1280, 720]));
//!
//! let camera = [viewer.view_matrix(), viewer.projection_matrix(&DepthMapping::default())];
//! let (mut rooms, mut landscapes) = (0, 0);
//! for step in list.steps().iter().filter(|step| step.action == DrawAction::Draw) {
//!     match list.region(step.region).content() {
//!         RegionContent::Room(cell) => {
//!             // A renderer keeps these with the room, and reads them again when the world's edition changes.
//!             let piece = PieceId::Room(cell);
//!             let all = MeshInstance::of_piece(&world, source, piece, &mut BTreeSet::new());
//!             rooms += usize::from(!all.is_empty());
//!         }
//!         RegionContent::Landscape => landscapes += 1, // all resident land, and the sky
//!         RegionContent::NotResident(_) => {}
//!     }
//! }
//! assert!(rooms > 2 && landscapes > 0);
//! # let _ = camera;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Debugging, and files
//!
//! [`debug_draw`] draws cells, portals, regions and contact planes through a trait of three methods. [`gltf`] writes any
//! part of a world, and a recording of debug drawing, as binary glTF.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod asset;
pub mod day;
pub mod debug_draw;
pub mod drawn;
pub mod gltf;
pub mod ground;
pub mod images;
pub mod light;
pub mod material;
pub mod mesh;

pub use threshold_pose as pose;
