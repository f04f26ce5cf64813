//! References from one record to others.

use super::{
    AnyRecord, EnvCell, GfxObj, HookAction, LandBlockInfo, MotionTable, RecordId, RecordKind,
    RegionDesc, SetupRecord, SurfaceFill,
};

/// A reference from one record to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The purpose of the referenced record.
    pub what: &'static str,
    /// Its id.
    pub id: RecordId,
    /// The kinds it may have.
    pub kinds: &'static [RecordKind],
    /// Whether the world cannot be walked or drawn without it.
    pub needed: bool,
}

const MODEL_OR_SETUP: &[RecordKind] = &[RecordKind::GfxObj, RecordKind::Setup];
const MODEL: &[RecordKind] = &[RecordKind::GfxObj];
const SURFACE: &[RecordKind] = &[RecordKind::Surface];
const TEXTURE: &[RecordKind] = &[RecordKind::SurfaceTexture];
const PALETTE: &[RecordKind] = &[RecordKind::Palette];
const CELL: &[RecordKind] = &[RecordKind::EnvCell];
const SOUND_TABLE: &[RecordKind] = &[RecordKind::Opaque("SoundTable")];
const SCRIPT: &[RecordKind] = &[RecordKind::Opaque("PhysicsScript")];

/// Collects references without ids that mean "none".
struct ReferenceList<'f>(&'f mut dyn FnMut(Reference));

impl ReferenceList<'_> {
    fn need(&mut self, what: &'static str, id: RecordId, kinds: &'static [RecordKind]) {
        self.add(Reference { what, id, kinds, needed: true });
    }

    fn like(&mut self, what: &'static str, id: RecordId, kinds: &'static [RecordKind]) {
        self.add(Reference { what, id, kinds, needed: false });
    }

    fn add(&mut self, reference: Reference) {
        if reference.id != RecordId::NONE {
            (self.0)(reference);
        }
    }
}

impl AnyRecord {
    /// Reports every record that this one refers to, in the order of its fields. The images of a
    /// texture are left out: any one of them is enough.
    pub fn references(&self, found: &mut dyn FnMut(Reference)) {
        let mut out = ReferenceList(found);
        match self {
            Self::LandBlock(block) => {
                if block.has_info != 0 {
                    let info = block.block.cell(0xFFFE).into();
                    out.need("landblock info", info, &[RecordKind::LandBlockInfo]);
                }
            }
            Self::LandBlockInfo(info) => land_block_info(info, &mut out),
            Self::EnvCell(cell) => env_cell(cell, &mut out),
            Self::GfxObj(model) => gfx_obj(model, &mut out),
            Self::Setup(setup) => self::setup(setup, &mut out),
            Self::Animation(animation) => {
                animation.hooks.iter().for_each(|hook| hook_action(&hook.hook.action, &mut out));
            }
            Self::Surface(surface) => {
                if let SurfaceFill::Image { texture, palette } = surface.fill {
                    out.need("texture", texture, TEXTURE);
                    out.need("palette", palette, PALETTE);
                }
            }
            Self::RenderSurface(image) => {
                out.need("palette", image.palette.unwrap_or_default(), PALETTE);
            }
            Self::DegradeInfo(info) => {
                info.levels
                    .iter()
                    .for_each(|level| out.need("model of a level", level.model, MODEL));
            }
            Self::MotionTable(table) => motion_table(table, &mut out),
            Self::Scene(scene) => {
                // The server places objects with a weenie, from its own data.
                let placed = scene.objects.iter().filter(|object| object.weenie == 0);
                placed.for_each(|object| out.need("scenery", object.object, MODEL_OR_SETUP));
            }
            Self::Region(region) => self::region(region, &mut out),
            Self::Palette(_)
            | Self::SurfaceTexture(_)
            | Self::Environment(_)
            | Self::Iterations(_)
            | Self::Opaque(_) => {}
        }
    }
}

fn land_block_info(info: &LandBlockInfo, out: &mut ReferenceList<'_>) {
    out.need("landblock", info.block.as_cell().into(), &[RecordKind::LandBlock]);
    info.cell_ids().for_each(|cell| out.need("cell", cell.into(), CELL));
    info.objects.iter().for_each(|object| out.need("object", object.model, MODEL_OR_SETUP));
    for building in &info.buildings {
        out.need("building", building.model, MODEL_OR_SETUP);
        for portal in &building.portals {
            out.need(
                "cell behind a building portal",
                info.block.cell(portal.other_cell).into(),
                CELL,
            );
            for low in &portal.visible {
                out.need("cell seen through a building portal", info.block.cell(*low).into(), CELL);
            }
        }
    }
}

fn env_cell(cell: &EnvCell, out: &mut ReferenceList<'_>) {
    cell.surface_ids().for_each(|id| out.need("surface", id, SURFACE));
    out.need("environment", cell.environment_id(), &[RecordKind::Environment]);
    let neighbours = cell.portals.iter().filter_map(|portal| cell.neighbour(portal));
    neighbours.for_each(|id| out.need("neighbour behind a portal", id.into(), CELL));
    cell.visible_cells().for_each(|id| out.need("visible cell", id.into(), CELL));
    cell.statics.iter().for_each(|object| out.need("static object", object.model, MODEL_OR_SETUP));
}

fn gfx_obj(model: &GfxObj, out: &mut ReferenceList<'_>) {
    model.surfaces.iter().for_each(|id| out.need("surface", *id, SURFACE));
    out.like("degrade info", model.degrade.unwrap_or_default(), &[RecordKind::DegradeInfo]);
}

fn setup(setup: &SetupRecord, out: &mut ReferenceList<'_>) {
    setup.parts.iter().for_each(|id| out.need("part", *id, MODEL));
    let hooks = setup.placements.iter().flat_map(|placement| &placement.hooks);
    hooks.for_each(|hook| hook_action(&hook.action, out));
    let defaults = &setup.defaults;
    out.need("default animation", defaults.animation, &[RecordKind::Animation]);
    out.need("motion table", defaults.motion_table, &[RecordKind::MotionTable]);
    out.like("script", defaults.script, SCRIPT);
    out.like("sound table", defaults.sound_table, SOUND_TABLE);
    out.like("script table", defaults.script_table, &[RecordKind::Opaque("PhysicsScriptTable")]);
}

fn hook_action(action: &HookAction, out: &mut ReferenceList<'_>) {
    const WAVE: &[RecordKind] = &[RecordKind::Opaque("Wave")];
    match action {
        HookAction::Sound { wave } | HookAction::SoundTweaked { wave, .. } => {
            out.like("wave", *wave, WAVE);
        }
        HookAction::ReplaceObject { model, .. } => out.need("replacing model", *model, MODEL),
        HookAction::CreateParticle(hook) | HookAction::CreateBlockingParticle(hook) => {
            out.like("particle emitter", hook.info, &[RecordKind::Opaque("ParticleEmitter")]);
        }
        HookAction::CallScript { script, .. } => out.like("script", *script, SCRIPT),
        _ => {}
    }
}

fn motion_table(table: &MotionTable, out: &mut ReferenceList<'_>) {
    let links = table.links.iter().flat_map(|links| &links.motions);
    for motion in table.cycles.iter().chain(&table.modifiers).chain(links) {
        for span in &motion.animations {
            out.need("animation", span.animation, &[RecordKind::Animation]);
        }
    }
}

fn region(region: &RegionDesc, out: &mut ReferenceList<'_>) {
    for group in region.sky.iter().flat_map(|sky| &sky.day_groups) {
        for object in &group.objects {
            out.need("sky object", object.model, MODEL_OR_SETUP);
            out.like("script", object.script, SCRIPT);
        }
        for change in group.times.iter().flat_map(|time| &time.replacements) {
            out.need("sky object", change.model, MODEL_OR_SETUP);
        }
    }
    for sounds in region.sounds.iter().flatten() {
        out.like("sound table", sounds.table, SOUND_TABLE);
    }
    for scene in region.scene_types.iter().flatten().flat_map(|kind| &kind.scenes) {
        out.need("scene", *scene, &[RecordKind::Scene]);
    }
    let textures = &region.terrain.textures;
    for map in textures.corner_maps.iter().chain(&textures.side_maps).chain(&textures.road_maps) {
        out.need("terrain mask", map.texture, TEXTURE);
    }
    for texture in &textures.textures {
        out.need("terrain texture", texture.texture, TEXTURE);
        out.like("detail texture", texture.detail_texture, TEXTURE);
    }
    if let Some(misc) = &region.misc {
        out.like("map", misc.game_map, &[RecordKind::RenderSurface, RecordKind::SurfaceTexture]);
        out.like("clear cell", misc.clear_cell, MODEL_OR_SETUP);
        out.like("clear monster", misc.clear_monster, MODEL_OR_SETUP);
    }
}
