//! What is drawn of a landblock or room: its static objects, and where each mesh stands.

use std::collections::BTreeSet;

use threshold_dat::{EnvCell, RecordId, RecordKind, SetupRecord, Source};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, block_offset_between};
use threshold_world::{Land, Object, ObjectId, PieceId, Room, World};

use crate::asset::{MeshKey, read_or_fault};

/// A mesh at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshInstance {
    /// The mesh.
    pub key: MeshKey,
    /// Position and rotation in the frame of the landblock that it is drawn with.
    pub frame: Frame,
    /// Scale along its own axes, applied before the frame.
    pub scale: Vec3,
    /// Whether it turns to the eye about the vertical axis.
    pub is_billboard: bool,
}

impl MeshInstance {
    /// Returns the walls of a room; `record` is its record.
    pub fn of_walls(room: &Room, record: &EnvCell) -> Self {
        let (key, frame) = (MeshKey::of_room(record), room.position().frame);
        Self { key, frame, scale: Vec3::ONE, is_billboard: false }
    }

    /// Returns the shells of the buildings of a landblock, without their portals.
    pub fn of_buildings(land: &Land) -> impl Iterator<Item = Self> {
        land.buildings().iter().flat_map(|building| {
            building.setup.parts.iter().map(|part| Self {
                key: MeshKey::Shell(part.model.id),
                frame: building.position.frame.combine(&part.pose),
                scale: part.scale,
                is_billboard: false,
            })
        })
    }

    /// Returns the parts of an object in their poses, in the frame of a landblock, which need not be its own.
    pub fn of_object(object: &Object, block: BlockId) -> impl Iterator<Item = Self> {
        let offset = block_offset_between(block.as_cell(), object.position().cell);
        object.setup().parts.iter().enumerate().filter_map(move |(number, part)| {
            let (at, scale) = (object.part_position(number)?, object.part_scale(number)?);
            Some(Self {
                key: MeshKey::Model(part.model.id),
                frame: Frame { origin: at.frame.origin + offset, ..at.frame },
                scale,
                is_billboard: part.model.always_2d,
            })
        })
    }

    /// Returns the parts of a body at a position in a pose, in the frame of a landblock. `pose` has a frame for each part, in
    /// the space of the body ([`Animator`](crate::pose::Animator)); parts without one keep the pose of the world.
    pub fn of_body(
        object: &Object,
        pose: &[Frame],
        at: &Position,
        block: BlockId,
    ) -> impl Iterator<Item = Self> {
        let (scale, body) = (Vec3::splat(object.scale()), at.frame);
        let offset = block_offset_between(block.as_cell(), at.cell);
        object.setup().parts.iter().enumerate().filter_map(move |(number, part)| {
            let pose = pose.get(number).copied().or_else(|| object.part_pose(number))?;
            let mut frame = body.combine_scaled(&pose, scale);
            frame.origin += offset;
            Some(Self {
                key: MeshKey::Model(part.model.id),
                frame,
                scale: object.part_scale(number)?,
                is_billboard: part.model.always_2d,
            })
        })
    }

    /// Returns everything static of a landblock or room except terrain: walls or buildings, then objects. A record that
    /// cannot be read is left out; `faults` gets a message about it.
    pub fn of_piece(
        world: &World,
        source: &dyn Source,
        piece: PieceId,
        faults: &mut BTreeSet<String>,
    ) -> Vec<Self> {
        let mut instances = Vec::new();
        match piece {
            PieceId::Land(block) => {
                instances.extend(world.land(block).into_iter().flat_map(Self::of_buildings));
            }
            PieceId::Room(cell) => {
                let record = read_or_fault(source, "room", cell.into(), faults);
                let walls = world.room(cell).zip(record);
                instances.extend(walls.map(|(room, record)| Self::of_walls(room, &record)));
            }
        }
        let objects = drawn_objects(world, piece);
        instances.extend(objects.flat_map(|object| Self::of_object(object, piece.block())));
        instances
    }
}

/// Returns the static objects that are drawn with a landblock or room, each once: a room has those registered in it, in
/// their order, and a landblock those whose first land cell is in it, sorted by id. Bodies are not among them.
pub fn drawn_objects(world: &World, piece: PieceId) -> impl Iterator<Item = &Object> {
    let ids: Vec<ObjectId> = match piece {
        PieceId::Land(block) => {
            let cells = (1..=64).map(|low| block.cell(low));
            let is_home = |object: &&Object| {
                drawn_land_cell(object).is_some_and(|cell| cell.block() == block)
            };
            let objects = cells.flat_map(|cell| static_objects(world, cell)).filter(is_home);
            let ids: BTreeSet<ObjectId> = objects.map(Object::id).collect();
            ids.into_iter().collect()
        }
        PieceId::Room(cell) => static_objects(world, cell).map(Object::id).collect(),
    };
    ids.into_iter().filter_map(|id| world.object(id))
}

/// Returns the first land cell of an object: it is drawn with that landblock, so that an object across a border is drawn
/// once. `None` for an object that is only in rooms.
pub fn drawn_land_cell(object: &Object) -> Option<CellId> {
    let lands = object.cells().iter().filter(|cell| cell.resident && cell.cell.is_outdoor());
    lands.map(|registered| registered.cell).next()
}

/// Returns the objects of a cell that are not bodies.
fn static_objects(world: &World, cell: CellId) -> impl Iterator<Item = &Object> {
    world.objects_in(cell).filter(|object| object.id().as_body().is_none())
}

/// Returns the up to eight neighbours of a landblock on the map. Its terrain normals depend on them, and their lamps light
/// it.
pub fn neighbours(block: BlockId) -> impl Iterator<Item = BlockId> {
    let offsets = (-1..=1).flat_map(|x: i8| (-1..=1).map(move |y: i8| (x, y)));
    let offsets = offsets.filter(|offset| *offset != (0, 0));
    offsets.filter_map(move |(x, y)| {
        Some(BlockId::new(block.x().checked_add_signed(x)?, block.y().checked_add_signed(y)?))
    })
}

/// Returns the models and frames of a celestial object, which is a model or a setup with its parts in their static pose.
/// A setup that cannot be read has none; `faults` gets a message about it.
pub fn sky_parts(
    source: &dyn Source,
    id: RecordId,
    faults: &mut BTreeSet<String>,
) -> Vec<(MeshKey, Frame)> {
    if RecordKind::from_id(threshold_dat::FileKind::Portal, id) != RecordKind::Setup {
        return vec![(MeshKey::Model(id), Frame::default())];
    }
    let Some(setup) = read_or_fault::<SetupRecord>(source, "setup", id, faults) else {
        return Vec::new();
    };
    let poses = setup.static_pose().map(|pose| &pose.frames[..]).unwrap_or_default();
    let poses = poses.iter().copied().chain(std::iter::repeat(Frame::default()));
    setup.parts.iter().map(|part| MeshKey::Model(*part)).zip(poses).collect()
}
