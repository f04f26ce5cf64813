//! The data files of Asheron's Call: container, records, and sources of records.
//!
//! ```text
//!  client_cell_1.dat  --> DatFile --+
//!  client_portal.dat  --> DatFile --+--> DatFolder --+
//!                                                    +--> Source --> Records --> EnvCell, SetupRecord, ...
//!  records made in code ------------+--> RecordSet --+
//! ```
//!
//! A data file is a heap of blocks with a B-tree over record ids. [`DatFile`] finds records through
//! the tree and returns their bytes, borrowed if they lie in one block. Each kind of record is a
//! plain struct that implements [`Record`]: [`decode`](Record::decode) reads it from bytes,
//! [`encode`](Record::encode) writes it. [`ContainerWriter`] writes a file from scratch.
//!
//! Reading and writing are opposites: a record that is read and written again has the same bytes,
//! unless the file used another encoding of the same content. Kinds that are not needed to walk or
//! draw the world are kept as bytes ([`OpaqueRecord`]).
//!
//! # Read an installation
//!
//! ```no_run
//! use std::path::Path;
//! use threshold_dat::{DatFolder, EnvCell, RecordId, Records};
//!
//! let folder = DatFolder::open(Path::new("path/to/dats"))?;
//! let mut records = Records::new(&folder);
//! if let Some(cell) = records.get::<EnvCell>(RecordId(0xA9B4_0164))? {
//!     println!("{} has {} portals and sees {} cells", cell.id, cell.portals.len(), cell.visible.len());
//! }
//! # Ok::<(), threshold_dat::DatError>(())
//! ```
//!
//! # Make a world in memory
//!
//! A set of records in memory is a [`Source`] like a folder, and can be written as data files.
//!
//! ```
//! use threshold_dat::{DatFile, FileKind, LandBlock, RecordId, RecordSet, Records};
//! use threshold_land::BlockId;
//!
//! let mut hill = LandBlock::flat(BlockId(0xA9B4));
//! hill.heights[LandBlock::vertex(4, 4).unwrap()] = 12;
//!
//! let mut world = RecordSet::new();
//! world.put(RecordId(0xA9B4_FFFF), &hill)?;
//!
//! let back: Option<LandBlock> = Records::new(&world).get(RecordId(0xA9B4_FFFF))?;
//! assert_eq!(back, Some(hill));
//!
//! let file = DatFile::from_bytes("client_cell_1.dat", world.to_dat(FileKind::Cell)?)?;
//! assert_eq!(file.entries().count(), 2); // the hill, and the record of patches every file needs
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Damaged files
//!
//! Nothing in a file makes this crate panic or loop, and only a compressed record (see
//! [`DatFile::with_inflate_limit`]) makes it use more memory than eight times the file. A
//! [`DatError`] names file, record, byte and the expected value. It affects that record only (or
//! the part of the directory below that node). [`DatFile::verify`] checks the container as a whole.
//!
//! ```
//! use threshold_dat::{LandBlock, Record, RecordId};
//!
//! let error = LandBlock::decode(RecordId(0xA9B4_FFFF), &[0xFF, 0xFF, 0xB4, 0xA9, 1, 0]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "record 0xA9B4FFFF: byte 0x4 of the record: 4 bytes expected, 2 left",
//! );
//! ```
//!
//! # Cost
//!
//! Opening reads a file of up to 16 MiB ([`MEMORY_LIMIT`]) into memory, but only the header of a
//! larger one; its records are then read from disk one by one. The first look-up reads one node
//! of the directory per level (two levels for a thousand records, four for a million) and keeps
//! them; later ones take tens to hundreds of nanoseconds. Decoding runs at about a gigabyte per
//! second on one core. `&DatFile` is `Sync`: threads share it without a lock.
//!
//! # Files that change while open
//!
//! Files are not mapped into memory. If another program cuts a file short, reading a lost record is
//! an error that names the file, and the process continues. [`DatFile`] lists the other cases.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod container;
mod error;
mod reader;
pub mod record;
mod source;
mod writer;

pub use container::{
    ContainerFinding, ContainerWriter, DatFile, DirectoryEntries, DirectoryEntry, Header,
    INFLATE_LIMIT, MEMORY_LIMIT, NewRecord, Verification, WriteError, open_regular,
};
pub use error::{ByteOffset, DatError, DatErrorKind, EncodeError};
pub use reader::{Reader, Result};
pub use record::{
    Animation, AnimationSpan, AnyRecord, AttackCone, BspLeaf, BspMesh, BspNode, BspSplit, BspTag,
    BspTree, BuildingInfo, BuildingPortalInfo, CellPortal, CellStructure, Colour, DegradeInfo,
    DegradeLevel, EnvCell, EnvCellFlags, Environment, Fade, FileKind, FrameHook, GfxObj, Hook,
    HookAction, ITERATIONS_ID, IndexedPolygon, IterationRun, Iterations, LandBlock, LandBlockInfo,
    Light, Location, Motion, MotionLinks, MotionTable, OpaqueRecord, Palette, ParticleHook,
    PixelFormat, Placement, PolygonSides, Polygons, PortalFlags, PortalPolygon, Record, RecordId,
    RecordIdError, RecordKind, Reference, RegionDesc, RenderSurface, Restriction, Restrictions,
    Scene, SceneObject, SetupCylinder, SetupDefaults, SetupRecord, Stab, StanceDefault, Surface,
    SurfaceFill, SurfaceTexture, TerrainWord, Text, TreeKind, Vertex, VertexArray, motion_key,
    region, stippling, surface_type,
};
pub use source::{DatFolder, OpenedFolder, RecordSet, Records, Source};
pub use writer::{WriteResult, Writer};
