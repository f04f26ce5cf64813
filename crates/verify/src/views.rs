//! Views from all rooms of the built-in world.

use threshold_land::vector::{DVec2, DVec3, DVec4, Vec3};
use threshold_view::{
    DrawAction, DrawList, DrawSettings, EntryPortal, Lens, PortalWalk, Region, RegionContent,
    ViewScratch, Viewer, VisibleSet,
};
use threshold_world::{Room, World};

use crate::hash::ResultHasher;
use crate::{Progress, Scope, Section, VerifyError};

/// Size of the target that the draw lists are for, in pixels.
const SIZE: [u32; 2] = [1280, 720];

/// Upward part of the directions, one after another.
const PITCHES: [f32; 3] = [0.0, -0.3, 0.4];

/// Horizontal fields of view, one after another, in degrees.
const FIELDS_OF_VIEW: [f64; 4] = [90.0, 60.0, 120.0, 25.0];

impl Scope {
    /// Number of views from each room.
    const fn views(self) -> usize {
        match self {
            Self::Quick => 2,
            Self::Full => 96,
        }
    }
}

/// Buffers of views, kept from one to the next.
#[derive(Default)]
struct ViewBuffers {
    scratch: ViewScratch,
    list: DrawList,
}

/// Hashes what is visible from all rooms, and how it is drawn.
pub(crate) fn run(
    scope: Scope,
    world: &World,
    progress: &mut dyn FnMut(Progress),
) -> Result<ResultHasher, VerifyError> {
    let rooms: Vec<&Room> = world.lands().flat_map(|land| world.rooms(land.block())).collect();
    let (mut hasher, mut buffers) = (ResultHasher::default(), ViewBuffers::default());
    for (index, room) in rooms.iter().enumerate() {
        for number in 0..scope.views() {
            let viewer = viewer(room, index + number, scope.views())?;
            add_view(&mut hasher, &mut buffers, world, &viewer);
        }
        let progress_now =
            Progress { section: Section::Views, done: index + 1, total: rooms.len() };
        progress(progress_now);
    }
    Ok(hasher)
}

/// Makes a viewer at the mean of the corners of a room, which is inside as rooms are convex.
fn viewer(room: &Room, number: usize, count: usize) -> Result<Viewer, VerifyError> {
    let mut corners = 0.0;
    let mut sum = Vec3::ZERO;
    for corner in room.structure().drawing.iter().flat_map(|polygon| polygon.vertices) {
        sum += room.to_block(*corner);
        corners += 1.0;
    }
    let eye = sum / corners;
    let (sin, cos) = libm::sincosf(number as f32 / count as f32 * std::f32::consts::TAU);
    let direction = Vec3::new(sin, cos, PITCHES[number % PITCHES.len()]);
    let fov = FIELDS_OF_VIEW[number % FIELDS_OF_VIEW.len()];
    let lens = Lens { fov, ..Lens::default() };
    Ok(Viewer::looking_at(room.id(), eye, eye + direction, lens)?)
}

fn add_view(
    hasher: &mut ResultHasher,
    ViewBuffers { scratch, list }: &mut ViewBuffers,
    world: &World,
    viewer: &Viewer,
) {
    let visible = PortalWalk::new(world).run(scratch, &mut (), viewer);
    add_visible(hasher, visible);
    list.build(world, viewer, visible, &DrawSettings::new(viewer, SIZE));
    add_list(hasher, list);
}

fn add_visible(hasher: &mut ResultHasher, visible: &VisibleSet) {
    hasher.cell(visible.root());
    hasher.count(visible.cells().len());
    for cell in visible.cells() {
        hasher.cell(cell.id());
        hasher.float(cell.distance());
        hasher.count(cell.regions().len());
        cell.regions().for_each(|region| hasher.word(region.number()));
    }
    hasher.count(visible.unlisted().len());
    visible.unlisted().iter().for_each(|cell| hasher.cell(*cell));
    hasher.count(visible.seals().len());
    for seal in visible.seals() {
        hasher.cell(seal.cell);
        hasher.word(seal.portal.into());
    }
    hasher.flag(visible.budget_hit());
    hasher.count(visible.regions().len());
    visible.regions().for_each(|region| add_region(hasher, &region));
}

fn add_region(hasher: &mut ResultHasher, region: &Region<'_>) {
    add_content(hasher, region.content());
    hasher.word(region.number());
    hasher.option(region.parent(), ResultHasher::word);
    hasher.count(region.planes().len());
    for plane in region.planes() {
        hasher.doubles(plane.to_array());
    }
    hasher.count(region.corners().len());
    for corner in region.corners() {
        hasher.doubles(corner.to_array());
    }
    for EntryPortal { cell, portal, region, outdoors } in region.entries() {
        hasher.cell(cell);
        hasher.word(portal.into());
        hasher.count(region);
        hasher.flag(outdoors);
    }
}

fn add_content(hasher: &mut ResultHasher, content: RegionContent) {
    match content {
        RegionContent::Landscape => hasher.word(0),
        RegionContent::Room(cell) => {
            hasher.word(1);
            hasher.cell(cell);
        }
        RegionContent::NotResident(cell) => {
            hasher.word(2);
            hasher.cell(cell);
        }
    }
}

fn add_list(hasher: &mut ResultHasher, list: &DrawList) {
    hasher.count(list.steps().len());
    for step in list.steps() {
        hasher.word(match step.action {
            DrawAction::Enter => 0,
            DrawAction::Draw => 1,
            DrawAction::Leave => 2,
        });
        hasher.count(step.region);
        hasher.word(step.level);
    }
    hasher.count(list.unmasked());
    hasher.count(list.omitted());
    for region in list.regions() {
        for range in region.scissor() {
            hasher.word(range.start);
            hasher.word(range.end);
        }
        for corner in region.mask().flatten() {
            hasher.doubles(DVec2::to_array(*corner));
        }
        hasher.option(region.portal(), |hasher, portal| {
            hasher.doubles(DVec3::to_array(portal.onward()));
            hasher.doubles(DVec4::to_array(portal.clip_plane()));
        });
    }
}
