//! Buffers of everything static that is drawn of a landblock or a room.

use std::collections::BTreeMap;

use threshold_land::vector::Vec3;
use threshold_land::{CELL_LENGTH, Frame};
use threshold_visuals::drawn::MeshInstance;
use threshold_visuals::ground::{GroundVertex, TerrainOverlay};
use threshold_visuals::light::{Lamp, Lights, MAX_LAMPS};
use threshold_world::{Edition, ObjectId};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource, Buffer,
    BufferBinding, BufferUsages, util::BufferInitDescriptor, util::DeviceExt,
};

use super::Gpu;
use super::instance_transform::{InstanceTransform, billboard_transform, instance_transform};
use super::lamps::{LAMPS, LAMPS_STRIDE, light_words};
use super::models::Models;

/// Tiles of a landblock, its quarters, which are culled as a whole. A room has one tile.
pub(super) const TILES: usize = 4;

/// Largest number of texture covers over the base, for each terrain pipeline.
pub(super) const COVERS: [usize; 5] = [0, 1, 2, 3, 5];

/// Largest number of instances in a landblock or room, which fit into a buffer of any device. No valid record comes near.
const MAX_INSTANCES: usize = 1_000_000;

/// Start of each tile in a list, and the end of the last one.
type Starts = [u32; TILES + 1];

/// Inputs of a stage; the stage is rebuilt only if they change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StageInputs {
    pub(super) objects: Vec<ObjectId>,
    /// Editions of its piece; of a landblock also those of its neighbours, which affect terrain normals.
    pub(super) pieces: Vec<Option<Edition>>,
}

/// Instances of one model.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) model: usize,
    pub(super) instances: Starts,
}

/// A transparent instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransparentInstance {
    pub(super) model: usize,
    pub(super) instance: u32,
    pub(super) tile: usize,
    /// In the frame of the landblock.
    pub(super) middle: Vec3,
}

/// Terrain of a landblock, sorted by number of covers, then by tile.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) corners: Buffer,
    pub(super) starts: [Starts; COVERS.len()],
}

/// Everything static that is drawn of a landblock or a room.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) inputs: StageInputs,
    pub(super) ground: Option<Ground>,
    pub(super) instances: Option<Buffer>,
    pub(super) groups: Vec<Group>,
    pub(super) transparent: Vec<TransparentInstance>,
    /// Bounding box of each tile, in the frame of the landblock; inverted for an empty tile.
    pub(super) tiles: Vec<[Vec3; 2]>,
    pub(super) bounds: [Vec3; 2],
    /// Lamps of its objects.
    pub(super) lamps: Vec<Lamp>,
    lighting: Option<Lighting>,
    /// Whether it sees the landscape.
    pub(super) sees_outside: bool,
    pub(super) triangles: u64,
    /// Average colour, linear.
    pub(super) mean: Vec3,
}

/// Lights of each tile.
#[derive(Debug)]
struct Lighting {
    bytes: Vec<u8>,
    /// Whether the limit of lamps is reached for the whole, so that some may be missing.
    is_full: bool,
    group: BindGroup,
}

impl Stage {
    /// Returns the bind group with the lights of its tiles.
    pub(super) fn lamp_group(&self) -> Option<&BindGroup> {
        self.lighting.as_ref().map(|lighting| &lighting.group)
    }

    /// Returns the tile of a point of the landblock.
    pub(super) fn tile_at(&self, at: Vec3) -> usize {
        if self.tiles.len() == 1 { 0 } else { quarter(at) }
    }

    /// Returns whether the lights of the whole include all lights of its tiles.
    pub(super) fn is_lit_as_a_whole(&self) -> bool {
        self.lighting.as_ref().is_none_or(|lighting| !lighting.is_full)
    }

    /// Sets its lights; uploads them if they have changed.
    pub(super) fn relight(&mut self, gpu: &Gpu, layout: &BindGroupLayout, lights: &Lights) {
        let of_tile = |bounds: &[Vec3; 2]| light_words(lights, *bounds);
        // The lights of the whole come last.
        let bytes: Vec<u8> = self.tiles.iter().chain([&self.bounds]).flat_map(of_tile).collect();
        if self.lighting.as_ref().is_some_and(|lighting| lighting.bytes == bytes) {
            return;
        }
        let group = lamp_group(gpu, layout, &bytes);
        let whole = bytes.chunks_exact(LAMPS_STRIDE as usize).next_back();
        let count =
            whole.and_then(|whole| whole.first_chunk()).map_or(0, |it| u32::from_le_bytes(*it));
        self.lighting = Some(Lighting { is_full: count as usize >= MAX_LAMPS, bytes, group });
    }

    /// Returns the models of its instances.
    pub(super) fn models(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.model)
    }
}

/// Uploads lights and creates their bind group.
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

/// Returns the offset of the lights of a tile.
pub(super) fn lamps_at(tile: usize) -> u32 {
    u32::try_from(tile).unwrap_or(0) * LAMPS_STRIDE
}

/// Collects the instances and terrain of a stage.
#[derive(Debug, Default)]
pub(super) struct StageBuilder {
    instances: Vec<InstanceDraft>,
    ground: Vec<GroundVertex>,
    pub(super) lamps: Vec<Lamp>,
}

#[derive(Debug)]
struct InstanceDraft {
    model: usize,
    at: Vec3,
    transform: InstanceTransform,
    bounds: [Vec3; 2],
}

impl StageBuilder {
    /// Adds an instance of a model, in the frame of the landblock.
    pub(super) fn add(&mut self, models: &Models, number: usize, instance: &MeshInstance) {
        let MeshInstance { frame, scale, .. } = instance;
        match instance.is_billboard {
            true => self.add_billboard(models, number, frame, *scale),
            false => self.add_standing(models, number, frame, *scale),
        }
    }

    fn add_standing(&mut self, models: &Models, number: usize, frame: &Frame, scale: Vec3) {
        let Some(model) = models.get(number) else { return };
        let bounds = transformed_box(model.bounds, frame, scale);
        self.push(InstanceDraft {
            model: number,
            at: frame.origin,
            transform: instance_transform(frame, scale),
            bounds,
        });
    }

    fn push(&mut self, instance: InstanceDraft) {
        if self.instances.len() < MAX_INSTANCES {
            self.instances.push(instance);
        }
    }

    /// Adds a billboard, which turns to the eye.
    fn add_billboard(&mut self, models: &Models, number: usize, frame: &Frame, scale: Vec3) {
        let Some(model) = models.get(number) else { return };
        let [low, high] = model.bounds;
        let reach = low.abs().max(high.abs()).length() * scale.abs().max_element();
        let bounds = [frame.origin - reach, frame.origin + reach];
        let transform = billboard_transform(frame, scale, model.front);
        self.push(InstanceDraft { model: number, at: frame.origin, transform, bounds });
    }

    pub(super) fn set_terrain(&mut self, ground: Vec<GroundVertex>) {
        self.ground = ground;
    }

    /// Builds a stage with 1 or [`TILES`] tiles.
    pub(super) fn build(
        mut self,
        gpu: &Gpu,
        models: &Models,
        inputs: StageInputs,
        tiles: usize,
    ) -> Stage {
        let tile = |at: Vec3| if tiles == 1 { 0 } else { quarter(at) };
        self.instances.sort_by_key(|instance| (instance.model, tile(instance.at)));
        let mut boxes = vec![EMPTY_BOX; tiles];
        let (mut triangles, mut colour) = (self.ground.len() as u64 / 3, Vec3::ZERO);
        for instance in &self.instances {
            let Some(model) = models.get(instance.model) else { continue };
            let own = &mut boxes[tile(instance.at)];
            *own = union(*own, instance.bounds);
            triangles += u64::from(model.triangles());
            colour += model.mean;
        }
        for corner in &self.ground {
            let own = &mut boxes[tile(cell_middle(corner))];
            *own = union(*own, [corner.position; 2]);
        }
        let instances: Vec<InstanceTransform> =
            self.instances.iter().map(|instance| instance.transform).collect();
        #[allow(clippy::cast_precision_loss, reason = "a few thousand instances")]
        let mean = colour / self.instances.len().max(1) as f32;
        Stage {
            inputs,
            groups: self.groups(tile),
            transparent: self.transparent(models, tile),
            ground: (!self.ground.is_empty()).then(|| self.ground(gpu)),
            instances: (!instances.is_empty())
                .then(|| buffer(gpu, bytemuck::cast_slice(&instances))),
            bounds: boxes.iter().copied().fold(EMPTY_BOX, union),
            tiles: boxes,
            lamps: self.lamps,
            lighting: None,
            sees_outside: true,
            triangles,
            mean,
        }
    }

    /// Groups the sorted instances by model.
    fn groups(&self, tile: impl Fn(Vec3) -> usize) -> Vec<Group> {
        let mut groups: BTreeMap<usize, Starts> = BTreeMap::new();
        for (number, instance) in (0_u32..).zip(&self.instances) {
            let starts = groups.entry(instance.model).or_insert([number; TILES + 1]);
            starts[tile(instance.at) + 1..].fill(number + 1);
        }
        groups.into_iter().map(|(model, instances)| Group { model, instances }).collect()
    }

    /// Lists the transparent ones of the sorted instances.
    fn transparent(
        &self,
        models: &Models,
        tile: impl Fn(Vec3) -> usize,
    ) -> Vec<TransparentInstance> {
        let numbered = (0_u32..).zip(&self.instances);
        let is_transparent = |instance: &InstanceDraft| {
            models.get(instance.model).is_some_and(|model| model.is_transparent())
        };
        let transparent = numbered.filter(|(_, instance)| is_transparent(instance));
        let listed = transparent.map(|(number, instance)| TransparentInstance {
            model: instance.model,
            instance: number,
            tile: tile(instance.at),
            middle: (instance.bounds[0] + instance.bounds[1]) / 2.0,
        });
        listed.collect()
    }

    fn ground(&mut self, gpu: &Gpu) -> Ground {
        let pipeline = |corner: &GroundVertex| {
            let covers = corner.layers.covers().count();
            COVERS.iter().position(|max| covers <= *max).unwrap_or(COVERS.len() - 1)
        };
        let key = |corner: &GroundVertex| (pipeline(corner), quarter(cell_middle(corner)));
        // Triangles stay together, because their vertices belong to one land cell.
        self.ground.sort_by_key(key);
        let mut starts = [[0; TILES + 1]; COVERS.len()];
        for (pipeline, starts) in starts.iter_mut().enumerate() {
            for (tile, start) in starts.iter_mut().enumerate() {
                let before = self.ground.partition_point(|corner| key(corner) < (pipeline, tile));
                *start = u32::try_from(before).unwrap_or(0);
            }
        }
        let words: Vec<[u32; 12]> = self.ground.iter().map(ground_words).collect();
        Ground { corners: buffer(gpu, bytemuck::cast_slice(&words)), starts }
    }
}

/// Inverted box, the neutral element of [`union`].
const EMPTY_BOX: [Vec3; 2] = [Vec3::INFINITY, Vec3::NEG_INFINITY];

fn union([low, high]: [Vec3; 2], other: [Vec3; 2]) -> [Vec3; 2] {
    [low.min(other[0]), high.max(other[1])]
}

/// Returns the centre of the land cell of a vertex.
fn cell_middle(corner: &GroundVertex) -> Vec3 {
    let aside = (corner.uv - 0.5) * CELL_LENGTH;
    corner.position - Vec3::new(aside.x, -aside.y, 0.0)
}

/// Returns the quarter of a landblock that contains a point.
fn quarter(at: Vec3) -> usize {
    let half = 4.0 * CELL_LENGTH;
    usize::from(at.x >= half) * 2 + usize::from(at.y >= half)
}

/// Returns the bounding box of a transformed box.
fn transformed_box([low, high]: [Vec3; 2], frame: &Frame, scale: Vec3) -> [Vec3; 2] {
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
    let [a, b, c, d] = packed_layers(corner);
    [px, py, pz, nx, ny, nz, u, v, a, b, c, d]
}

/// Returns the layers of a vertex: base and triangle in the first word, then two covers per word, each with terrain type,
/// mask and turns; a missing cover has all bits set.
fn packed_layers(vertex: &GroundVertex) -> [u32; 4] {
    let cover = |overlay: TerrainOverlay| {
        let mask = u32::from(overlay.mask) | u32::from(overlay.turns) << 6;
        u32::from(overlay.kind) | mask << 8
    };
    let mut covers = vertex.layers.covers().map(cover).chain(std::iter::repeat(0xFFFF));
    let mut two = || covers.next().unwrap_or_default() | covers.next().unwrap_or_default() << 16;
    [u32::from(vertex.layers.base) | u32::from(vertex.triangle) << 16, two(), two(), two()]
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
    fn the_box_of_a_rotated_model_contains_it() {
        let frame = Frame { rotation: Rotation::from_heading(90.0), ..Frame::at(Vec3::X * 10.0) };
        let [low, high] =
            transformed_box([Vec3::ZERO, Vec3::new(1.0, 4.0, 2.0)], &frame, Vec3::splat(2.0));
        // Forward is east now: 8 m long, and 2 m to the south of its position.
        assert!(low.distance(Vec3::new(10.0, -2.0, 0.0)) < 1e-4, "{low}");
        assert!(high.distance(Vec3::new(18.0, 0.0, 4.0)) < 1e-4, "{high}");
    }

    #[test]
    fn lamps_of_other_landblocks_were_not_counted() {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let layout = super::super::pipelines::Layouts::new(&gpu.device).lamps;
        let mut stage =
            StageBuilder::default().build(&gpu, &Models::default(), StageInputs::default(), TILES);
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
