//! What is drawn of a landblock or of a room.

use std::collections::BTreeMap;

use threshold_land::glam::Vec3;
use threshold_land::{CELL_LENGTH, Frame};
use threshold_world::{Edition, ObjectId};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource, Buffer,
    BufferBinding, BufferUsages, util::BufferInitDescriptor, util::DeviceExt,
};

use super::Gpu;
use super::instance_transform::{InstanceTransform, stance, turning};
use super::lamps::{LAMPS, LAMPS_STRIDE, Lamp, Lights, MAX_LAMPS};
use super::models::Models;
use crate::ground::GroundVertex;

/// Quarters of a landblock; what is in one of them is drawn or left out together. A room is one.
pub(super) const TILES: usize = 4;

/// How many grounds lie over the base of a land cell, at the most, in each of the ways that ground is drawn.
pub(super) const COVERS: [usize; 5] = [0, 1, 2, 3, 5];

/// Things in a landblock or a room that are drawn at the most: as many as a buffer of any device holds. No real place comes near.
const MAX_INSTANCES: usize = 1_000_000;

/// Where each tile begins in a list, and where the last one ends.
type Starts = [u32; TILES + 1];

/// What a stage is made of: as long as that is the same, so is the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StageInputs {
    pub(super) objects: Vec<ObjectId>,
    /// Its own piece, and of a landblock those around it: the ground leans with them.
    pub(super) pieces: Vec<Option<Edition>>,
}

/// Things of one model.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) model: usize,
    pub(super) stances: Starts,
}

/// A thing that something shows through.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransparentInstance {
    pub(super) model: usize,
    pub(super) stance: u32,
    pub(super) tile: usize,
    /// In the frame of the landblock.
    pub(super) middle: Vec3,
}

/// The ground of a landblock: by how many grounds lie one over the other, then by tile.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) corners: Buffer,
    pub(super) starts: [Starts; COVERS.len()],
}

/// Everything that is drawn of a landblock or a room.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) stuff: StageInputs,
    pub(super) ground: Option<Ground>,
    pub(super) stances: Option<Buffer>,
    pub(super) groups: Vec<Group>,
    pub(super) sheer: Vec<TransparentInstance>,
    /// Boxes round what is in each tile, in the frame of the landblock; empty ones are inside out.
    pub(super) tiles: Vec<[Vec3; 2]>,
    pub(super) bounds: [Vec3; 2],
    /// Those that stand here.
    pub(super) lamps: Vec<Lamp>,
    lit: Option<Lit>,
    /// Whether it sees the landscape.
    pub(super) sees_outside: bool,
    pub(super) triangles: u64,
    /// Its colour on the whole, as light.
    pub(super) mean: Vec3,
}

/// The lights that shine on each tile.
#[derive(Debug)]
struct Lit {
    bytes: Vec<u8>,
    /// Whether there are as many on the whole as there may be: then some may be missing.
    is_full: bool,
    group: BindGroup,
}

impl Stage {
    /// The lights of its tiles.
    pub(super) fn lamp_group(&self) -> Option<&BindGroup> {
        self.lit.as_ref().map(|lit| &lit.group)
    }

    /// The tile that a point of the landblock is in.
    pub(super) fn tile_at(&self, at: Vec3) -> usize {
        if self.tiles.len() == 1 { 0 } else { quarter(at) }
    }

    /// Whether the lights of the whole are all there are, wherever they stand.
    pub(super) fn is_lit_as_a_whole(&self) -> bool {
        self.lit.as_ref().is_none_or(|lit| !lit.is_full)
    }

    /// Lets lights shine on it, if they are others than before.
    pub(super) fn relight(&mut self, gpu: &Gpu, layout: &BindGroupLayout, lights: &Lights) {
        let of_tile = |bounds: &[Vec3; 2]| lights.words(*bounds);
        // Those of the whole come last.
        let bytes: Vec<u8> = self.tiles.iter().chain([&self.bounds]).flat_map(of_tile).collect();
        if self.lit.as_ref().is_some_and(|lit| lit.bytes == bytes) {
            return;
        }
        let group = lamp_group(gpu, layout, &bytes);
        let whole = bytes.chunks_exact(LAMPS_STRIDE as usize).next_back();
        let count =
            whole.and_then(|whole| whole.first_chunk()).map_or(0, |it| u32::from_le_bytes(*it));
        self.lit = Some(Lit { is_full: count as usize >= MAX_LAMPS, bytes, group });
    }

    /// The models it is made of.
    pub(super) fn models(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.model)
    }
}

/// Lights on the device.
pub(super) fn lamp_group(gpu: &Gpu, layout: &BindGroupLayout, bytes: &[u8]) -> BindGroup {
    let buffer = gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: Some("lamps"),
        contents: bytes,
        usage: BufferUsages::UNIFORM,
    });
    let size = std::num::NonZeroU64::new(LAMPS);
    let resource = BindingResource::Buffer(BufferBinding { buffer: &buffer, offset: 0, size });
    let entries = [BindGroupEntry { binding: 0, resource }];
    gpu.device.create_bind_group(&BindGroupDescriptor {
        label: Some("lamps"),
        layout,
        entries: &entries,
    })
}

/// Where the lights of a tile begin.
pub(super) fn lamps_at(tile: usize) -> u32 {
    u32::try_from(tile).unwrap_or(0) * LAMPS_STRIDE
}

/// A stage that is being set.
#[derive(Debug, Default)]
pub(super) struct Draft {
    things: Vec<Thing>,
    ground: Vec<GroundVertex>,
    pub(super) lamps: Vec<Lamp>,
}

#[derive(Debug)]
struct Thing {
    model: usize,
    at: Vec3,
    stance: InstanceTransform,
    bounds: [Vec3; 2],
}

impl Draft {
    /// Puts a model somewhere, in the frame of the landblock.
    pub(super) fn add(&mut self, models: &Models, number: usize, frame: &Frame, scale: Vec3) {
        let Some(model) = models.get(number) else { return };
        let bounds = placed(model.bounds, frame, scale);
        self.push(Thing { model: number, at: frame.origin, stance: stance(frame, scale), bounds });
    }

    fn push(&mut self, thing: Thing) {
        if self.things.len() < MAX_INSTANCES {
            self.things.push(thing);
        }
    }

    /// Puts a model somewhere that turns to the eye.
    pub(super) fn add_turning(
        &mut self,
        models: &Models,
        number: usize,
        frame: &Frame,
        scale: Vec3,
    ) {
        let Some(model) = models.get(number) else { return };
        let [low, high] = model.bounds;
        let reach = low.abs().max(high.abs()).length() * scale.abs().max_element();
        let bounds = [frame.origin - reach, frame.origin + reach];
        let stance = turning(frame, scale, model.front);
        self.push(Thing { model: number, at: frame.origin, stance, bounds });
    }

    pub(super) fn lay(&mut self, ground: Vec<GroundVertex>) {
        self.ground = ground;
    }

    /// Sets a stage of so many tiles, 1 or [`TILES`].
    pub(super) fn set(
        mut self,
        gpu: &Gpu,
        models: &Models,
        stuff: StageInputs,
        tiles: usize,
    ) -> Stage {
        let tile = |at: Vec3| if tiles == 1 { 0 } else { quarter(at) };
        self.things.sort_by_key(|thing| (thing.model, tile(thing.at)));
        let mut boxes = vec![[Vec3::INFINITY, Vec3::NEG_INFINITY]; tiles];
        let mut grow = |tile: usize, [low, high]: [Vec3; 2]| {
            let own = &mut boxes[tile];
            *own = [own[0].min(low), own[1].max(high)];
        };
        let mut groups: BTreeMap<usize, Starts> = BTreeMap::new();
        let (mut sheer, mut triangles, mut colour) = (Vec::new(), 0, Vec3::ZERO);
        // Some thousand things.
        for (number, thing) in (0_u32..).zip(&self.things) {
            let Some(model) = models.get(thing.model) else { continue };
            let place = tile(thing.at);
            grow(place, thing.bounds);
            let starts = groups.entry(thing.model).or_insert([number; TILES + 1]);
            starts[place + 1..].fill(number + 1);
            triangles += u64::from(model.triangles());
            colour += model.mean;
            if model.is_sheer() {
                let middle = (thing.bounds[0] + thing.bounds[1]) / 2.0;
                sheer.push(TransparentInstance {
                    model: thing.model,
                    stance: number,
                    tile: place,
                    middle,
                });
            }
        }
        for corner in &self.ground {
            grow(tile(cell_middle(corner)), [corner.position; 2]);
        }
        triangles += self.ground.len() as u64 / 3;
        let bounds = boxes.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |all, own| {
            [all[0].min(own[0]), all[1].max(own[1])]
        });
        let stances: Vec<InstanceTransform> =
            self.things.iter().map(|thing| thing.stance).collect();
        #[allow(clippy::cast_precision_loss, reason = "some thousand things")]
        let mean = colour / self.things.len().max(1) as f32;
        Stage {
            stuff,
            ground: (!self.ground.is_empty()).then(|| self.ground(gpu)),
            stances: (!stances.is_empty()).then(|| buffer(gpu, bytemuck::cast_slice(&stances))),
            groups: groups.into_iter().map(|(model, stances)| Group { model, stances }).collect(),
            sheer,
            tiles: boxes,
            bounds,
            lamps: self.lamps,
            lit: None,
            sees_outside: true,
            triangles,
            mean,
        }
    }

    fn ground(&mut self, gpu: &Gpu) -> Ground {
        let way = |corner: &GroundVertex| {
            let covers = corner.layers.covers().count();
            COVERS.iter().position(|most| covers <= *most).unwrap_or(COVERS.len() - 1)
        };
        let key = |corner: &GroundVertex| (way(corner), quarter(cell_middle(corner)));
        // Triangles stay together: their corners are of one land cell.
        self.ground.sort_by_key(key);
        let mut starts = [[0; TILES + 1]; COVERS.len()];
        for (place, starts) in starts.iter_mut().enumerate() {
            for (tile, start) in starts.iter_mut().enumerate() {
                let before = self.ground.partition_point(|corner| key(corner) < (place, tile));
                *start = u32::try_from(before).unwrap_or(0);
            }
        }
        let words: Vec<[u32; 12]> = self.ground.iter().map(ground_words).collect();
        Ground { corners: buffer(gpu, bytemuck::cast_slice(&words)), starts }
    }
}

/// A point well inside the land cell of a corner.
fn cell_middle(corner: &GroundVertex) -> Vec3 {
    let aside = (corner.uv - 0.5) * CELL_LENGTH;
    corner.position - Vec3::new(aside.x, -aside.y, 0.0)
}

/// The quarter of a landblock that a point is in.
fn quarter(at: Vec3) -> usize {
    let half = 4.0 * CELL_LENGTH;
    usize::from(at.x >= half) * 2 + usize::from(at.y >= half)
}

/// A box round a box that is scaled, turned and moved.
fn placed([low, high]: [Vec3; 2], frame: &Frame, scale: Vec3) -> [Vec3; 2] {
    let (middle, half) = ((low + high) / 2.0 * scale, ((high - low) / 2.0 * scale).abs());
    let [x, y, z] = frame.rotation.rows().0;
    let middle = frame.origin + x * middle.x + y * middle.y + z * middle.z;
    let half = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
    [middle - half, middle + half]
}

fn ground_words(corner: &GroundVertex) -> [u32; 12] {
    let [px, py, pz] = corner.position.to_array().map(f32::to_bits);
    let [nx, ny, nz] = corner.normal.to_array().map(f32::to_bits);
    let [u, v] = corner.uv.to_array().map(f32::to_bits);
    let [a, b, c, d] = corner.packed();
    [px, py, pz, nx, ny, nz, u, v, a, b, c, d]
}

fn buffer(gpu: &Gpu, contents: &[u8]) -> Buffer {
    let usage = BufferUsages::VERTEX;
    gpu.device.create_buffer_init(&BufferInitDescriptor { label: Some("stage"), contents, usage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::Rotation;

    #[test]
    fn a_box_is_turned_with_what_is_in_it() {
        let frame = Frame { rotation: Rotation::from_heading(90.0), ..Frame::at(Vec3::X * 10.0) };
        let [low, high] = placed([Vec3::ZERO, Vec3::new(1.0, 4.0, 2.0)], &frame, Vec3::splat(2.0));
        // Ahead is east now: 8 m long, 2 m to the south of where it stands.
        assert!(low.distance(Vec3::new(10.0, -2.0, 0.0)) < 1e-4, "{low}");
        assert!(high.distance(Vec3::new(18.0, 0.0, 4.0)) < 1e-4, "{high}");
    }

    #[test]
    fn lamps_of_other_landblocks_were_not_counted() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layout = super::super::pipelines::Layouts::new(&gpu.device).lamps;
        let mut stage =
            Draft::default().set(&gpu, &Models::default(), StageInputs::default(), TILES);
        stage.bounds = [Vec3::ZERO, Vec3::splat(100.0)];
        let lamp = |x: u8| Lamp {
            at: Vec3::new(-f32::from(x) / 10.0, 5.0, 5.0),
            reach: 20.0,
            colour: Vec3::ONE,
            is_outdoors: true,
        };
        let lights = |lamps: Vec<Lamp>| Lights { lamps, skylights: Vec::new() };
        assert!(stage.is_lit_as_a_whole() && stage.lamps.is_empty());
        stage.relight(&gpu, &layout, &lights([3, 4, 5].map(lamp).to_vec()));
        assert!(stage.is_lit_as_a_whole());
        stage.relight(&gpu, &layout, &lights((0..40).map(lamp).collect()));
        assert!(!stage.is_lit_as_a_whole());
    }

    #[test]
    fn quarters_meet_in_the_middle_of_a_landblock() {
        let places = [[0.0, 0.0], [95.9, 96.1], [96.1, 95.9], [191.0, 191.0]];
        assert_eq!(places.map(|[x, y]| quarter(Vec3::new(x, y, 0.0))), [0, 1, 2, 3]);
    }
}
