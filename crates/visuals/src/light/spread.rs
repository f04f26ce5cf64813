//! Lights of all places of a world.

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::Source;
use threshold_land::{BlockId, CellId, block_offset_between};
use threshold_world::{PieceId, Room, World};

use super::flood::{LightSource, LitPlace, Spread};
use super::skylight::skylights;
use super::{Lamp, Lights, SetupLamps};
use crate::drawn::{drawn_objects, neighbours};

/// Lamps and skylights of each place of a world, after their light was spread through portals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldLights {
    /// Lamps that shine outdoors, by the landblock of the lamp and in its frame.
    lands: BTreeMap<BlockId, Vec<Lamp>>,
    rooms: BTreeMap<CellId, Lights>,
}

impl WorldLights {
    /// Reads the lamps of everything static in a world and spreads their light. Records that cannot be read have no lamps;
    /// `faults` gets a message about each.
    ///
    /// Linear in the lamps of the world; call it when the world has changed, not in every frame.
    pub fn read(world: &World, source: &dyn Source, faults: &mut BTreeSet<String>) -> Self {
        let mut setups = SetupLamps::default();
        let mut lamps = Vec::new();
        for piece in world.resident() {
            let mut own = Vec::new();
            for object in drawn_objects(world, piece) {
                let offset = block_offset_between(piece.block().as_cell(), object.position().cell);
                let all = setups.of_object(source, object, faults);
                own.extend(all.into_iter().map(|lamp| lamp.moved(offset)));
            }
            lamps.push((piece, own));
        }
        Self::spread(world, lamps.iter().map(|(piece, own)| (*piece, &own[..])))
    }

    /// Spreads the light of lamps, given for each piece in the frame of its landblock. A cell is lit only if portals within
    /// the reach of a lamp connect it with the lamp's own cell.
    pub fn spread<'a>(
        world: &World,
        lamps: impl IntoIterator<Item = (PieceId, &'a [Lamp])>,
    ) -> Self {
        let spread = Spread::new(world);
        let mut lights = Self::default();
        for (piece, lamps) in lamps {
            lamps.iter().for_each(|lamp| lights.add(&spread, piece, *lamp));
        }
        for (cell, skylight) in skylights(world, &spread) {
            lights.rooms.entry(cell).or_default().skylights.push(skylight);
        }
        lights
    }

    fn add(&mut self, spread: &Spread<'_>, piece: PieceId, lamp: Lamp) {
        let block = piece.block();
        let start = match piece {
            PieceId::Land(_) => LitPlace::Outdoors,
            PieceId::Room(cell) => LitPlace::Room(cell),
        };
        let source = LightSource { block, at: lamp.at, reach: lamp.reach };
        // Outdoor lamps change with the day, so they do not light rooms without daylight.
        let admits = |room: &Room| !lamp.is_outdoors || room.seen_outside();
        for place in spread.places(source, start, admits) {
            match place {
                LitPlace::Outdoors => self.lands.entry(block).or_default().push(lamp),
                LitPlace::Room(cell) => {
                    let offset = block_offset_between(cell, block.as_cell());
                    self.rooms.entry(cell).or_default().lamps.push(lamp.moved(offset));
                }
            }
        }
    }

    /// Returns the lights of the land of a landblock, those of its neighbours included.
    pub fn of_land(&self, block: BlockId) -> Lights {
        let mut lights = Lights::default();
        for other in neighbours(block).chain([block]) {
            let offset = block_offset_between(block.as_cell(), other.as_cell());
            let lamps = self.lands.get(&other).into_iter().flatten();
            lights.lamps.extend(lamps.map(|lamp| lamp.moved(offset)));
        }
        lights
    }

    /// Returns the lights of a room; `None` if none reaches it.
    pub fn of_room(&self, cell: CellId) -> Option<&Lights> {
        self.rooms.get(&cell)
    }
}
