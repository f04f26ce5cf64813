//! Registers objects in the cells they touch.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Sphere, block_offset_between};

use crate::builder::Piece;
use crate::cells::{CellArray, CellSearch, Counters, ListedCell, PlacedPart};
use crate::object::{BodyId, BodySpec, CellListSource, Object, ObjectId, Registration, State};
use crate::object_list::{Member, ObjectList};
use crate::piece::PieceId;
use crate::world::{Edition, World};

/// All objects, and the pieces that the cells of each depend on.
#[derive(Debug)]
pub(crate) struct Objects {
    /// Object lists of cells refer to objects by their slot, an index into this list.
    slots: Vec<Option<Object>>,
    free: Vec<u32>,
    by_id: BTreeMap<ObjectId, u32>,
    /// Objects to register again when a piece is loaded or dropped.
    dependents: BTreeSet<(PieceId, u32)>,
    scratch: Scratch,
    /// Buffer of `note_dependencies`.
    pieces: Vec<PieceId>,
}

#[derive(Debug, Default)]
struct Scratch {
    array: CellArray,
    parts: Vec<PlacedPart>,
    spheres: Vec<Sphere>,
}

/// The world has no body with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {0}")]
pub struct UnknownBody(pub BodyId);

impl Default for Objects {
    fn default() -> Self {
        let mut array = CellArray::new();
        array.trace = Some(Vec::new());
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_id: BTreeMap::new(),
            dependents: BTreeSet::new(),
            scratch: Scratch { array, ..Scratch::default() },
            pieces: Vec::new(),
        }
    }
}

impl Objects {
    pub(crate) fn at(&self, slot: u32) -> Option<&Object> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Option<Object>] {
        &mut self.slots
    }

    pub(crate) fn get(&self, id: ObjectId) -> Option<&Object> {
        self.at(*self.by_id.get(&id)?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.by_id.values().filter_map(|slot| self.at(*slot))
    }

    /// Objects with this id or a later one.
    fn from(&self, first: ObjectId) -> impl Iterator<Item = &Object> {
        self.by_id.range(first..).filter_map(|(_, slot)| self.at(*slot))
    }

    pub(crate) fn at_mut(&mut self, slot: u32) -> Option<&mut Object> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// Adds an object with an id that is not in use.
    fn insert(&mut self, object: Object) -> u32 {
        let id = object.id();
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            // 2^32 objects do not fit in memory.
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        self.slots[slot as usize] = Some(object);
        self.by_id.insert(id, slot);
        slot
    }

    fn remove(&mut self, slot: u32) -> Option<Object> {
        let object = self.slots.get_mut(slot as usize)?.take()?;
        self.by_id.remove(&object.id());
        self.free.push(slot);
        Some(object)
    }

    /// The objects with cells that depend on a piece.
    fn dependents(&self, piece: PieceId) -> Vec<u32> {
        let all = (piece, 0)..=(piece, u32::MAX);
        self.dependents.range(all).map(|(_, slot)| *slot).collect()
    }
}

/// Fills the array of `scratch` with the cells of an object, by the rule for its kind.
///
/// | object | rule |
/// |---|---|
/// | lost body | none |
/// | particle emitter | its own cell |
/// | body placed by a sweep | its collision spheres, if any |
/// | has a physics tree, or is static without a cylinder | the boxes of its parts |
/// | has cylinders | their lower ends; for a static object only visible cells |
/// | anything else | its sorting sphere |
///
/// Retail: `CPhysicsObj::calc_cross_cells` and `calc_cross_cells_static`.
fn find_cells(world: &World, object: &Object, scratch: &mut Scratch) {
    let Scratch { array, parts, spheres, .. } = scratch;
    let (position, setup, state) = (object.position(), object.setup(), object.state());
    let (search, fixed) = (CellSearch::new(world), state.has(State::STATIC));
    let placed = |sphere: &Sphere, scale: f32| {
        Sphere::new(position.frame.to_global(sphere.centre * scale), sphere.radius * scale)
    };
    array.do_not_load = fixed;
    if object.listing() == CellListSource::Lost {
        array.clear();
    } else if state.has(State::PARTICLE_EMITTER) {
        search.parts(position.cell, &[], array);
    } else if object.listing() == CellListSource::Swept && !setup.spheres.is_empty() {
        spheres.clear();
        spheres.extend(setup.spheres.iter().map(|sphere| placed(sphere, object.scale())));
        search.touched(position, spheres, array);
    } else if setup.has_physics_tree || fixed && setup.cylinders.is_empty() {
        object.placed_parts(parts);
        search.parts(position.cell, parts, array);
    } else if !setup.cylinders.is_empty() {
        search.cylinders(position, &setup.cylinders, array);
    } else {
        // An object without any shape is a point. Retail does not scale the sorting sphere.
        let sphere = setup.sorting_sphere.unwrap_or(Sphere::new(Vec3::ZERO, 0.0));
        search.touched(position, &[placed(&sphere, 1.0)], array);
    }
}

/// Converts bounds from the frame of one cell's landblock to that of another.
fn bounds_in(bounds: &Sphere, own: CellId, cell: CellId) -> Sphere {
    Sphere::new(bounds.centre + block_offset_between(cell, own), bounds.radius)
}

impl World {
    /// Adds a body and registers it in the cells it touches. Replaces a body with the same number.
    ///
    /// Retail: `CPhysicsObj::enter_world` without its search for a free place.
    pub fn insert(&mut self, spec: BodySpec) {
        let slot = self.add_body(spec);
        self.register(slot);
    }

    /// Adds a body and registers it in the cells that the search for its place has found. Replaces
    /// a body with the same number. The cells are treated as in [`move_swept`](Self::move_swept);
    /// if there are none, the body finds its own as in [`insert`](Self::insert).
    ///
    /// Retail: `CPhysicsObj::enter_world` and the shadows of its `SetPositionInternal`.
    pub fn insert_at(&mut self, spec: BodySpec, cells: &[ListedCell], missed: &[CellId]) {
        let slot = self.add_body(spec);
        if cells.is_empty() {
            self.register(slot);
        } else {
            self.register_swept(slot, cells, missed);
        }
    }

    /// Removes a body.
    pub fn remove(&mut self, body: BodyId) -> Result<Object, UnknownBody> {
        let slot = self.slot_of(body)?;
        self.remove_object(slot).ok_or(UnknownBody(body))
    }

    /// Moves a body and registers it in the cells that its own shapes touch.
    ///
    /// Retail: `CPhysicsObj::recalc_cross_cells`.
    pub fn move_body(&mut self, body: BodyId, position: Position) -> Result<(), UnknownBody> {
        let slot = self.slot_of(body)?;
        self.set_position(slot, position, CellListSource::Own);
        self.register(slot);
        Ok(())
    }

    /// Moves a body and registers it in the cells that its sweep has found; lists that stay the
    /// same are not edited. `missed` are the cells that the sweep looked up and that were not
    /// resident. A body with a physics tree finds its own cells as in
    /// [`move_body`](Self::move_body); a sweep without cells leaves the registration unchanged.
    ///
    /// Retail: the shadows of `CPhysicsObj::SetPositionInternal`.
    pub fn move_swept(
        &mut self,
        body: BodyId,
        position: Position,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> Result<(), UnknownBody> {
        let slot = self.slot_of(body)?;
        let object = self.objects.at_mut(slot).ok_or(UnknownBody(body))?;
        object.set_position(position);
        self.register_swept(slot, cells, missed);
        Ok(())
    }

    /// Marks a body as lost: it keeps a position but is registered in no cell until it is moved
    /// again.
    ///
    /// Retail: `CPhysicsObj::GotoLostCell`.
    pub fn lose(&mut self, body: BodyId, position: Position) -> Result<(), UnknownBody> {
        let slot = self.slot_of(body)?;
        self.set_position(slot, position, CellListSource::Lost);
        self.register(slot);
        Ok(())
    }

    /// Changes the state of a body, and registers it again if the change affects how its cells are
    /// found.
    pub fn set_state(&mut self, body: BodyId, state: State) -> Result<(), UnknownBody> {
        const LISTED_BY: State = State::STATIC.with(State::PARTICLE_EMITTER, true);
        let slot = self.slot_of(body)?;
        let object = self.objects.at_mut(slot).ok_or(UnknownBody(body))?;
        let before = object.state();
        object.set_state(state);
        if (before.0 ^ state.0) & LISTED_BY.0 != 0 {
            self.register(slot);
        }
        Ok(())
    }

    /// Returns a body by its number.
    pub fn body(&self, body: BodyId) -> Option<&Object> {
        self.object(ObjectId::body(body))
    }

    /// All bodies, sorted by number.
    pub fn bodies(&self) -> impl Iterator<Item = &Object> {
        self.objects.from(ObjectId::body(BodyId(0)))
    }

    /// All lost bodies, and those in a cell that is not resident, sorted by number. Retail: bodies
    /// in the lost cell.
    pub fn lost_bodies(&self) -> impl Iterator<Item = &Object> {
        self.bodies().filter(|object| object.is_lost() || !self.is_resident(object.position().cell))
    }

    /// Counters of the searches for the cells of objects.
    pub fn registration_counters(&self) -> Counters {
        self.objects.scratch.array.counters
    }

    pub(crate) fn slot_of(&self, body: BodyId) -> Result<u32, UnknownBody> {
        self.objects.by_id.get(&ObjectId::body(body)).copied().ok_or(UnknownBody(body))
    }

    fn set_position(&mut self, slot: u32, position: Position, listing: CellListSource) {
        if let Some(object) = self.objects.at_mut(slot) {
            object.set_listing(listing);
            object.set_position(position);
        }
    }

    /// Adds a body without registering it. Replaces a body with the same number.
    fn add_body(&mut self, spec: BodySpec) -> u32 {
        // Usually there is no body with this number.
        let _ = self.remove(spec.body);
        self.objects.insert(Object::body(spec))
    }

    /// Registers a body in the cells of the sweep that placed it.
    pub(crate) fn register_swept(&mut self, slot: u32, cells: &[ListedCell], missed: &[CellId]) {
        let Some(object) = self.objects.at_mut(slot) else { return };
        if object.state().has(State::HAS_PHYSICS_TREE) {
            object.set_listing(CellListSource::Own);
            return self.register(slot);
        }
        let known = object.is_swept_into(cells, missed);
        object.set_listing(CellListSource::Swept);
        match known {
            _ if cells.is_empty() => {}
            true if !object.leaves_listed_bounds(object.position()) => {}
            true => self.update_listed_bounds(slot),
            false => self.update_registration(slot, cells, missed),
        }
    }

    /// Updates the bounds of an object in the lists that it is in.
    fn update_listed_bounds(&mut self, slot: u32) {
        let Some(object) = self.objects.at_mut(slot) else { return };
        object.note_listed();
        let cells = std::mem::take(&mut object.cells);
        let (id, own, bounds) = (object.id(), object.position().cell, object.listed_bounds());
        for cell in cells.iter().map(|registered| registered.cell) {
            let bounds = bounds_in(&bounds, own, cell);
            self.edit_list(cell, |list| list.set_bounds(id, bounds));
        }
        if let Some(object) = self.objects.at_mut(slot) {
            object.cells = cells;
        }
    }

    /// Finds the cells of an object again and registers it there.
    pub(crate) fn register(&mut self, slot: u32) {
        let mut scratch = std::mem::take(&mut self.objects.scratch);
        if let Some(object) = self.objects.at(slot) {
            find_cells(self, object, &mut scratch);
            let looked_up = scratch.array.trace.as_deref().unwrap_or_default();
            self.update_registration(slot, scratch.array.entries(), looked_up);
        }
        self.objects.scratch = scratch;
    }

    /// Edits the object lists so that they match `entries`, and notes the pieces that were looked
    /// up. Lists that already match are not touched.
    fn update_registration(&mut self, slot: u32, entries: &[ListedCell], looked_up: &[CellId]) {
        let Some(mut object) = self.objects.slots.get_mut(slot as usize).and_then(Option::take)
        else {
            return;
        };
        self.note_dependencies(slot, &mut object, entries, looked_up);
        object.missed = !looked_up.is_empty();
        if !object.is_registered_in(entries) || object.leaves_listed_bounds(object.position()) {
            object.note_listed();
            self.edit_lists(slot, &object, entries);
            object.cells.clear();
            // Looked up again: a piece may have been loaded or dropped since the cells were found.
            object.cells.extend(entries.iter().map(|entry| Registration {
                cell: entry.cell,
                resident: self.is_resident(entry.cell),
            }));
        }
        self.objects.slots[slot as usize] = Some(object);
    }

    fn note_dependencies(
        &mut self,
        slot: u32,
        object: &mut Object,
        entries: &[ListedCell],
        looked_up: &[CellId],
    ) {
        let objects = &mut self.objects;
        let pieces = &mut objects.pieces;
        pieces.clear();
        pieces.extend(
            looked_up.iter().copied().chain(entries.iter().map(|e| e.cell)).map(PieceId::from_cell),
        );
        pieces.sort_unstable();
        pieces.dedup();
        if object.dependencies != *pieces {
            object.dependencies.iter().for_each(|piece| {
                objects.dependents.remove(&(*piece, slot));
            });
            objects.dependents.extend(pieces.iter().map(|piece| (*piece, slot)));
            object.dependencies.clone_from(pieces);
        }
    }

    fn edit_lists(&mut self, slot: u32, object: &Object, entries: &[ListedCell]) {
        let (id, kind, bounds) = (object.id(), object.kind(), object.listed_bounds());
        let stays = |cell: CellId| entries.iter().any(|entry| entry.cell == cell);
        for old in object.cells.iter().filter(|old| old.resident && !stays(old.cell)) {
            self.edit_list(old.cell, |list| list.remove(id));
        }
        for entry in entries {
            let bounds = bounds_in(&bounds, object.position().cell, entry.cell);
            self.edit_list(entry.cell, |list| list.put(Member { id, slot, kind, bounds }));
        }
    }

    /// Removes an object from its cells and frees its slot.
    fn remove_object(&mut self, slot: u32) -> Option<Object> {
        let mut object = self.objects.remove(slot)?;
        for old in std::mem::take(&mut object.cells) {
            self.edit_list(old.cell, |list| list.remove(object.id()));
        }
        for piece in std::mem::take(&mut object.dependencies) {
            self.objects.dependents.remove(&(piece, slot));
        }
        Some(object)
    }

    /// Stores a piece and registers its objects, then registers again all objects that missed
    /// the piece in their search.
    pub(crate) fn add_piece(&mut self, piece: Piece) {
        self.edition = Edition::default();
        self.adopted_at.insert(piece.id(), self.edition.clone());
        if let Piece::Land(land) = &piece
            && !land.buildings().is_empty()
            && let Err(at) = self.blocks_with_buildings.binary_search(&land.block())
        {
            self.blocks_with_buildings.insert(at, land.block());
        }
        let dependents = self.objects.dependents(piece.id());
        let block = piece.id().block();
        self.resident_blocks.insert(block);
        let objects = self.blocks[usize::from(block.0)].get_or_insert_default().put(piece);
        let own: Vec<u32> = objects.into_iter().map(|object| self.objects.insert(object)).collect();
        own.into_iter().chain(dependents).for_each(|slot| self.register(slot));
    }

    /// Removes a piece with its objects, and registers again the other objects that depend on it.
    pub(crate) fn remove_piece(&mut self, id: PieceId) -> bool {
        let slot = &mut self.blocks[usize::from(id.block().0)];
        let Some(block) = slot.as_deref_mut() else { return false };
        if !block.take(id) {
            return false;
        }
        self.edition = Edition::default();
        self.adopted_at.remove(&id);
        if block.is_empty() {
            *slot = None;
            self.resident_blocks.remove(&id.block());
        }
        if let (PieceId::Land(_), Ok(at)) =
            (id, self.blocks_with_buildings.binary_search(&id.block()))
        {
            self.blocks_with_buildings.remove(at);
        }
        for slot in self.own_objects(id) {
            self.remove_object(slot);
        }
        self.objects.dependents(id).into_iter().for_each(|slot| self.register(slot));
        true
    }

    /// The slots of the objects that came with a piece.
    fn own_objects(&self, id: PieceId) -> Vec<u32> {
        let all = match id {
            PieceId::Land(block) => {
                ObjectId::outdoor(block, 0)..=ObjectId::scenery(block, u32::MAX)
            }
            PieceId::Room(cell) => ObjectId::indoor(cell, 0)..=ObjectId::indoor(cell, u32::MAX),
        };
        self.objects.by_id.range(all).map(|(_, slot)| *slot).collect()
    }

    /// Edits the object list of a cell, if that is resident.
    fn edit_list(&mut self, cell: CellId, edit: impl FnOnce(&mut ObjectList)) {
        let block = self.blocks[usize::from(cell.block().0)].as_deref_mut();
        let Some(list) = block.and_then(|block| block.list_mut(cell)) else { return };
        edit(list);
        if list.is_worth_grouping() && !std::mem::replace(&mut list.is_noted, true) {
            self.ungrouped_cells.push(cell);
        }
    }

    /// Prepares the object lists of crowded cells for many searches. They are right without it as
    /// well, only slower.
    pub fn group_crowded_cells(&mut self) {
        let mut cells = std::mem::take(&mut self.ungrouped_cells);
        for cell in cells.drain(..) {
            let block = self.blocks[usize::from(cell.block().0)].as_deref_mut();
            if let Some(list) = block.and_then(|block| block.list_mut(cell)) {
                list.group();
            }
        }
        self.ungrouped_cells = cells;
    }
}
