//! Materials: a few plain colours.

use threshold_dat::{Colour, RecordId, Surface, SurfaceFill, surface_type};

use crate::tree::drawing::Look;
use threshold_land::glam::Vec3;

/// Low words of the materials of every room, by the index that polygons use.
pub(crate) const ROOM: [u16; 4] = [WALL, FLOOR, CEILING, STONE];
/// Materials of every model and shell, by the index that polygons use.
pub(crate) const MODEL: [RecordId; 2] = [id(PLASTER), id(ROOF)];

/// Blocks inside rooms.
pub(crate) const BLOCK: Look = Look(3);

const WALL: u16 = 0x0100;
const FLOOR: u16 = 0x0101;
const CEILING: u16 = 0x0102;
const STONE: u16 = 0x0103;
const PLASTER: u16 = 0x0104;
const ROOF: u16 = 0x0105;

/// Normals that point up by more than this, about 45 degrees, are those of floors and roofs.
const LEVEL: f32 = 0.7;

const fn id(low: u16) -> RecordId {
    RecordId(0x0800_0000 | low as u32)
}

/// What a face of a room shows, by the way it faces.
pub(crate) fn room_look(normal: Vec3) -> Look {
    match normal.z {
        z if z > LEVEL => Look(1),
        z if z < -LEVEL => Look(2),
        _ => Look(0),
    }
}

/// What a face of a model or a shell shows, by the way it faces.
pub(crate) fn model_look(normal: Vec3) -> Look {
    Look(i16::from(normal.z > LEVEL))
}

/// All materials.
pub(crate) fn surfaces() -> impl Iterator<Item = (RecordId, Surface)> {
    let colours = [
        (WALL, 0xFFC8_BEA5),
        (FLOOR, 0xFF8B_6B4A),
        (CEILING, 0xFFD8_D2C4),
        (STONE, 0xFF8A_8A8A),
        (PLASTER, 0xFFE0_D6BC),
        (ROOF, 0xFF8C_3B2A),
    ];
    colours.into_iter().map(|(low, colour)| {
        let surface = Surface {
            surface_type: surface_type::SOLID,
            fill: SurfaceFill::Colour(Colour(colour)),
            translucency: 0.0,
            luminosity: 0.0,
            diffuse: 1.0,
        };
        (id(low), surface)
    })
}
