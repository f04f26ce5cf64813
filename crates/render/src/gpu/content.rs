//! Content of a region: a room, or the landscape.

use threshold_land::CellId;
use threshold_land::glam::DVec3;
use threshold_view::BoxPlacement;

use super::frame::{DrawResources, Recorder};
use super::materials::Blend;
use super::pass_state::PassState;
use super::plan::{Plan, Where};
use super::sky::Sky;
use super::stage::{Stage, TILES, lamps_at};

/// Distance in metres beyond which a landblock is drawn whole or not at all.
const WHOLE_BLOCK_DISTANCE: f64 = 300.0;

/// Tiles of a landblock that show in a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Index in [`Plan::lands`].
    land: usize,
    first: usize,
    last: usize,
    is_cut: bool,
}

/// A room or a part of a landblock that is being drawn.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) at: Where,
    pub(super) stage: &'a Stage,
    /// Range of tiles.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) is_cut: bool,
    /// Vector from the eye to the origin of its landblock.
    pub(super) offset: DVec3,
}

impl Recorder {
    pub(super) fn room(
        &mut self,
        pen: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
        cell: CellId,
    ) {
        let Some(stage) = plan.on.store.rooms.get(&cell) else { return };
        let offset = plan.eye.offset(cell);
        let placement = plan.draws.region(region).volume().placement(stage.bounds, offset);
        let is_cut = placement == BoxPlacement::Crossing;
        let shown = Shown { at: Where::Room(cell), stage, first: 0, last: 1, is_cut, offset };
        self.solid(pen, plan, &shown);
        self.moving(pen, plan, region, (shown.at, stage));
        self.sheer.clear();
        self.add_sheer(&shown);
        self.add_moving_sheer(plan, region, (shown.at, stage));
        self.draw_sheer(pen, plan);
    }

    pub(super) fn landscape(
        &mut self,
        pen: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
    ) {
        self.find_tiles(plan, region);
        let tiles = std::mem::take(&mut self.tiles);
        for tile in &tiles {
            self.solid(pen, plan, &plan.shown(tile));
        }
        for near in &plan.lands {
            self.moving(pen, plan, region, (Where::Land(near.block), near.stage));
        }
        for tile in &tiles {
            self.ground(pen, plan, &plan.shown(tile));
        }
        self.backdrop(pen, plan);
        self.sky(pen, plan, Sky::Behind);
        self.sheer.clear();
        for tile in &tiles {
            self.add_sheer(&plan.shown(tile));
        }
        for near in &plan.lands {
            self.add_moving_sheer(plan, region, (Where::Land(near.block), near.stage));
        }
        self.draw_sheer(pen, plan);
        self.sky(pen, plan, Sky::Before);
        self.tiles = tiles;
    }

    /// Finds the tiles that may show in a region, the nearest landblock first.
    fn find_tiles(&mut self, plan: &Plan<'_>, region: usize) {
        let volume = plan.draws.region(region).volume();
        self.tiles.clear();
        for (land, near) in plan.lands.iter().enumerate() {
            let placement = volume.placement(near.stage.bounds, near.offset);
            if placement == BoxPlacement::Outside {
                continue;
            }
            if near.far > WHOLE_BLOCK_DISTANCE && near.stage.is_lit_as_a_whole() {
                let is_cut = placement == BoxPlacement::Crossing;
                self.tiles.push(Tile { land, first: 0, last: TILES, is_cut });
                continue;
            }
            for (first, bounds) in near.stage.tiles.iter().enumerate() {
                let placement = volume.placement(*bounds, near.offset);
                if placement != BoxPlacement::Outside {
                    let is_cut = placement == BoxPlacement::Crossing;
                    self.tiles.push(Tile { land, first, last: first + 1, is_cut });
                }
            }
        }
    }

    /// Binds the place of a stage and the lamps of one of its tiles.
    pub(super) fn place(
        &self,
        pen: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        (at, stage): (Where, &Stage),
        tile: usize,
    ) {
        if let Some(places) = &self.places_group {
            pen.group_at(1, places, plan.place_of(at));
        }
        match stage.lamp_group() {
            Some(lamps) => pen.group_at(3, lamps, lamps_at(tile)),
            None => pen.group_at(3, &self.dark, 0),
        }
    }

    /// Draws the opaque instances of a stage, without its ground.
    fn solid(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, shown: &Shown<'_>) {
        let DrawResources { pipelines, materials, store, .. } = plan.on;
        let Shown { at, stage, first, last, is_cut, .. } = *shown;
        self.place(pen, plan, (at, stage), shown.lit_by());
        pen.pipeline(pipelines.of(Blend::Opaque).get(is_cut));
        for (binder, pictures) in
            (0..materials.binders()).filter_map(|number| Some((number, materials.group(number)?)))
        {
            let Some(stances) = &stage.stances else { break };
            pen.group(2, pictures);
            pen.buffer(1, stances);
            for group in &stage.groups {
                let stances = group.stances[first]..group.stances[last];
                let Some(model) = store.models.get(group.model).filter(|_| !stances.is_empty())
                else {
                    continue;
                };
                for part in model
                    .parts
                    .iter()
                    .filter(|part| (part.blend, part.binder) == (Blend::Opaque, binder))
                {
                    pen.buffer(0, &model.corners);
                    pen.draw(part.corners.clone(), stances.clone());
                }
            }
        }
    }

    /// Draws the opaque parts of bodies.
    fn moving(
        &self,
        pen: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
        (at, stage): (Where, &Stage),
    ) {
        let DrawResources { pipelines, materials, store, .. } = plan.on;
        let (Some(all), Some(stances)) = (plan.bodies.parts.get(&at), &self.bodies.buffer) else {
            return;
        };
        let is_cut = plan.draws.region(region).portal().is_some();
        for moving in all {
            let Some(model) = store.models.get(moving.model) else { continue };
            self.place(pen, plan, (at, stage), stage.tile_at(moving.at));
            pen.pipeline(pipelines.of(Blend::Opaque).get(is_cut));
            for part in model.parts.iter().filter(|part| part.blend == Blend::Opaque) {
                let Some(pictures) = materials.group(part.binder) else { continue };
                pen.group(2, pictures);
                pen.buffer(0, &model.corners);
                pen.buffer(1, stances);
                pen.draw(part.corners.clone(), moving.stance..moving.stance + 1);
            }
        }
    }

    fn ground(&self, pen: &mut PassState<'_, '_>, plan: &Plan<'_>, shown: &Shown<'_>) {
        let Shown { at, stage, first, last, is_cut, .. } = *shown;
        let Some(ground) = &stage.ground else { return };
        self.place(pen, plan, (at, stage), shown.lit_by());
        pen.group(2, &plan.on.grounds.group);
        pen.buffer(0, &ground.corners);
        for (starts, pipelines) in ground.starts.iter().zip(&plan.on.pipelines.ground) {
            let corners = starts[first]..starts[last];
            if !corners.is_empty() {
                pen.pipeline(pipelines.get(is_cut));
                pen.draw(corners, 0..1);
            }
        }
    }
}

impl Shown<'_> {
    /// Returns the tile that supplies the lamps; several tiles use those of the whole stage.
    pub(super) fn lit_by(&self) -> usize {
        if self.last - self.first > 1 { TILES } else { self.first }
    }
}

impl<'a> Plan<'a> {
    fn shown(&self, tile: &Tile) -> Shown<'a> {
        let near = self.lands[tile.land];
        let Tile { first, last, is_cut, .. } = *tile;
        Shown {
            at: Where::Land(near.block),
            stage: near.stage,
            first,
            last,
            is_cut,
            offset: near.offset,
        }
    }
}
