//! Finds the place in the text for an error of the forge.

use std::collections::BTreeMap;

use threshold_land::BlockId;

use super::TextError;
use super::lexer::Place;
use super::rooms::PlanOrigin;
use crate::tool::error::{ForgeError, ForgeErrorKind, PlanSite, RoomSite, Site};
use crate::tool::layout::{Layout, solid};
use crate::tool::plan::Plan;

/// The places of the parts of a world in the text.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub(super) plans: Vec<PlanOrigin>,
    pub(super) blocks: BTreeMap<BlockId, BlockOrigin>,
    /// Things, in the order they were made.
    pub(super) objects: Vec<Place>,
}

/// The places of the parts of a landblock in the text.
#[derive(Debug)]
pub(super) struct BlockOrigin {
    pub(super) place: Place,
    /// The land that contains it.
    pub(super) land: Option<Place>,
    /// Plans placed in it: the place of the statement, and the index of the plan.
    pub(super) plans: Vec<(Place, usize)>,
    /// Things outdoors.
    pub(super) objects: Vec<Place>,
}

impl Origins {
    /// Returns the landblock; a new one gets this place.
    pub(super) fn block(&mut self, id: BlockId, place: Place) -> &mut BlockOrigin {
        let new = BlockOrigin { place, land: None, plans: Vec::new(), objects: Vec::new() };
        self.blocks.entry(id).or_insert(new)
    }

    /// Returns an error of the forge with its place in the text.
    pub(super) fn located(&self, error: &ForgeError) -> TextError {
        self.place(error).unwrap_or(Place::START).error(error.to_string())
    }

    fn place(&self, error: &ForgeError) -> Option<Place> {
        let Site { block, plan, other_plan, object, .. } = error.place.as_ref();
        let Some(block) = block else {
            return object.and_then(|number| self.objects.get(number)).copied();
        };
        let block = self.blocks.get(block)?;
        let Some(plan) = plan else {
            let object = object.and_then(|number| block.objects.get(number)).copied();
            // Of two landblocks, the later one in the text.
            let block =
                self.neighbour(&error.kind).map_or(block.place, |other| other.max(block.place));
            return object.or(Some(block));
        };
        let (statement, number) = block.plan(*plan)?;
        // The plan itself may be right, and its position wrong.
        if let Some(other) = other_plan.and_then(|other| block.plan(other)) {
            return Some(statement.max(other.0));
        }
        match error.kind {
            ForgeErrorKind::LeavesLandCell { .. } => Some(statement),
            _ => self.plans.get(number)?.place(error).or(Some(statement)),
        }
    }

    /// The place of the other landblock of a border.
    fn neighbour(&self, kind: &ForgeErrorKind) -> Option<Place> {
        match kind {
            ForgeErrorKind::BordersDiffer { other, .. } => {
                self.blocks.get(other).map(|block| block.place)
            }
            _ => None,
        }
    }
}

impl BlockOrigin {
    /// Returns the place of the statement for a plan, and the index of the plan.
    fn plan(&self, site: PlanSite) -> Option<(Place, usize)> {
        let (PlanSite::Building(number) | PlanSite::Dungeon(number)) = site;
        self.plans.get(number).copied()
    }
}

impl PlanOrigin {
    /// Returns the place of an error within the plan; of two rooms, the later one.
    fn place(&self, error: &ForgeError) -> Option<Place> {
        let Site { room, other_room, opening, object, .. } = error.place.as_ref();
        let opening = opening.and_then(|number| self.openings.get(number));
        let object = object.and_then(|number| self.objects.get(number));
        let in_room = |room: &RoomSite| self.in_room(room.number, &error.kind);
        let rooms = || room.iter().chain(other_room).filter_map(in_room).max();
        let solid = || self.solid_at_fault(&error.kind);
        opening.or(object).copied().or_else(rooms).or_else(solid)
    }

    /// Returns the room, or one of its blocks if that block alone causes the same error.
    fn in_room(&self, number: usize, kind: &ForgeErrorKind) -> Option<Place> {
        let (room, origin) = (self.plan.rooms.get(number)?, self.rooms.get(number)?);
        let refused = |block: &usize| {
            let Some(block) = room.blocks.get(*block) else { return false };
            let mut alone = room.clone();
            alone.blocks = vec![block.clone()];
            let mut plan = Plan::new();
            plan.room(alone);
            Layout::of(&plan, PlanSite::Dungeon(0)).is_err_and(|error| error.kind == *kind)
        };
        let mut bare = room.clone();
        bare.blocks = Vec::new();
        let mut plan = Plan::new();
        plan.room(bare);
        let room_itself = Layout::of(&plan, PlanSite::Dungeon(0)).is_err();
        let block = (0..room.blocks.len()).filter(|_| !room_itself).find(refused);
        block.and_then(|block| origin.blocks.get(block)).or(Some(&origin.place)).copied()
    }

    /// Returns the first invalid solid of the shell.
    fn solid_at_fault(&self, kind: &ForgeErrorKind) -> Option<Place> {
        const NAME: &str = "a solid of the shell";
        let refused = |shape| solid(shape, NAME).is_err_and(|found| found == *kind);
        let number = self.plan.solids.iter().position(|(shape, _)| refused(shape))?;
        self.solids.get(number).copied()
    }
}
