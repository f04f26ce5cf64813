//! Content of a region: a room, or the landscape.

use threshold_land::CellId;
use threshold_land::vector::DVec3;
use threshold_view::BoxPlacement;
use threshold_visuals::material::Blend;

use super::frame::{DrawResources, Recorder};
use super::pass_state::PassState;
use super::plan::{PlaceKey, Plan};
use super::sky::SkyLayer;
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
pub(super) struct DrawnStage<'a> {
    pub(super) at: PlaceKey,
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
        pass: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
        cell: CellId,
    ) {
        let Some(stage) = plan.resources.store.rooms.get(&cell) else { return };
        let offset = plan.eye.offset(cell);
        let placement = plan.draws.region(region).volume().placement(stage.bounds, offset);
        let is_cut = placement == BoxPlacement::Crossing;
        let shown =
            DrawnStage { at: PlaceKey::Room(cell), stage, first: 0, last: 1, is_cut, offset };
        self.opaque(pass, plan, &shown);
        self.opaque_bodies(pass, plan, region, shown.at, stage);
        self.transparent.clear();
        self.add_transparent(&shown);
        self.add_transparent_bodies(plan, region, shown.at, stage);
        self.draw_transparent(pass, plan);
    }

    pub(super) fn landscape(
        &mut self,
        pass: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
    ) {
        self.find_tiles(plan, region);
        let tiles = std::mem::take(&mut self.tiles);
        for tile in &tiles {
            self.opaque(pass, plan, &plan.shown(tile));
        }
        for near in &plan.lands {
            self.opaque_bodies(pass, plan, region, PlaceKey::Land(near.block), near.stage);
        }
        for tile in &tiles {
            self.ground(pass, plan, &plan.shown(tile));
        }
        self.backdrop(pass, plan);
        self.sky(pass, plan, SkyLayer::Behind);
        self.transparent.clear();
        for tile in &tiles {
            self.add_transparent(&plan.shown(tile));
        }
        for near in &plan.lands {
            self.add_transparent_bodies(plan, region, PlaceKey::Land(near.block), near.stage);
        }
        self.draw_transparent(pass, plan);
        self.sky(pass, plan, SkyLayer::Front);
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
        pass: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        at: PlaceKey,
        stage: &Stage,
        tile: usize,
    ) {
        if let Some(places) = &self.places_group {
            pass.set_bind_group_at(1, places, plan.place_of(at));
        }
        match stage.lamp_group() {
            Some(lamps) => pass.set_bind_group_at(3, lamps, lamps_at(tile)),
            None => pass.set_bind_group_at(3, &self.dark, 0),
        }
    }

    /// Draws the opaque instances of a stage, without its ground.
    fn opaque(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, shown: &DrawnStage<'_>) {
        let DrawResources { pipelines, materials, store, .. } = plan.resources;
        let DrawnStage { at, stage, first, last, is_cut, .. } = *shown;
        self.place(pass, plan, at, stage, shown.lit_by());
        pass.set_pipeline(pipelines.of(Blend::Opaque).get(is_cut));
        for (texture_array, textures) in (0..materials.texture_array_count())
            .filter_map(|number| Some((number, materials.group(number)?)))
        {
            let Some(instances) = &stage.instances else { break };
            pass.set_bind_group(2, textures);
            pass.set_vertex_buffer(1, instances);
            for group in &stage.groups {
                let instances = group.instances[first]..group.instances[last];
                let Some(model) = store.models.get(group.model).filter(|_| !instances.is_empty())
                else {
                    continue;
                };
                for part in model.parts.iter().filter(|part| {
                    (part.blend, part.texture_array) == (Blend::Opaque, texture_array)
                }) {
                    pass.set_vertex_buffer(0, &model.corners);
                    pass.draw(part.corners.clone(), instances.clone());
                }
            }
        }
    }

    /// Draws the opaque parts of bodies.
    fn opaque_bodies(
        &self,
        pass: &mut PassState<'_, '_>,
        plan: &Plan<'_>,
        region: usize,
        at: PlaceKey,
        stage: &Stage,
    ) {
        let DrawResources { pipelines, materials, store, .. } = plan.resources;
        let (Some(all), Some(instances)) = (plan.bodies.parts.get(&at), &self.bodies.buffer) else {
            return;
        };
        let is_cut = plan.draws.region(region).portal().is_some();
        for body_part in all {
            let Some(model) = store.models.get(body_part.model) else { continue };
            self.place(pass, plan, at, stage, stage.tile_at(body_part.at));
            pass.set_pipeline(pipelines.of(Blend::Opaque).get(is_cut));
            for part in model.parts.iter().filter(|part| part.blend == Blend::Opaque) {
                let Some(textures) = materials.group(part.texture_array) else { continue };
                pass.set_bind_group(2, textures);
                pass.set_vertex_buffer(0, &model.corners);
                pass.set_vertex_buffer(1, instances);
                pass.draw(part.corners.clone(), body_part.instance..body_part.instance + 1);
            }
        }
    }

    fn ground(&self, pass: &mut PassState<'_, '_>, plan: &Plan<'_>, shown: &DrawnStage<'_>) {
        let DrawnStage { at, stage, first, last, is_cut, .. } = *shown;
        let Some(ground) = &stage.ground else { return };
        self.place(pass, plan, at, stage, shown.lit_by());
        pass.set_bind_group(2, &plan.resources.terrain_textures.group);
        pass.set_vertex_buffer(0, &ground.corners);
        for (starts, pipelines) in ground.starts.iter().zip(&plan.resources.pipelines.ground) {
            let corners = starts[first]..starts[last];
            if !corners.is_empty() {
                pass.set_pipeline(pipelines.get(is_cut));
                pass.draw(corners, 0..1);
            }
        }
    }
}

impl DrawnStage<'_> {
    /// Returns the tile that supplies the lamps; several tiles use those of the whole stage.
    pub(super) fn lit_by(&self) -> usize {
        if self.last - self.first > 1 { TILES } else { self.first }
    }
}

impl<'a> Plan<'a> {
    fn shown(&self, tile: &Tile) -> DrawnStage<'a> {
        let near = self.lands[tile.land];
        let Tile { first, last, is_cut, .. } = *tile;
        DrawnStage {
            at: PlaceKey::Land(near.block),
            stage: near.stage,
            first,
            last,
            is_cut,
            offset: near.offset,
        }
    }
}
