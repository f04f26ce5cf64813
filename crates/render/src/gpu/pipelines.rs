//! How the device draws each sort of thing.

use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BlendComponent,
    BlendFactor, BlendOperation, BlendState, BufferBindingType, ColorTargetState, ColorWrites,
    CompareFunction, DepthBiasState, DepthStencilState, Device, Face, FragmentState, FrontFace,
    MultisampleState, PipelineCompilationOptions, PipelineLayoutDescriptor, PrimitiveState,
    PrimitiveTopology, RenderPipeline, RenderPipelineDescriptor, SamplerBindingType, ShaderModule,
    ShaderModuleDescriptor, ShaderSource, ShaderStages, StencilFaceState, StencilOperation,
    StencilState, TextureFormat, TextureSampleType, TextureViewDimension, VertexAttribute,
    VertexBufferLayout, VertexState, VertexStepMode, vertex_attr_array,
};

use super::Gpu;
use super::instance_transform::INSTANCE_BYTES;
use super::materials::Blend;
use super::stage::COVERS;

/// Bytes of a corner of a model.
pub(super) const MODEL_CORNER: u64 = 40;
/// Bytes of a corner of the ground.
pub(super) const GROUND_CORNER: u64 = 48;
/// Bytes of a corner of a region.
pub(super) const REGION_CORNER: u64 = 20;

/// Bytes of an end of a line.
pub(super) const LINE_END: u64 = 24;

const LINE: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const MODEL: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x2];
const STANDS: [VertexAttribute; 4] =
    vertex_attr_array![4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Snorm16x4];
const GROUND: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x4];
const REGION: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x2, 1 => Float32x3];

/// What is bound to shaders.
#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) frame: BindGroupLayout,
    pub(super) place: BindGroupLayout,
    pub(super) pictures: BindGroupLayout,
    pub(super) grounds: BindGroupLayout,
    pub(super) lamps: BindGroupLayout,
}

/// For what is drawn whole, and for that of which only what is beyond an opening is drawn.
#[derive(Debug)]
pub(super) struct Pair([RenderPipeline; 2]);

impl Pair {
    pub(super) fn get(&self, is_cut: bool) -> &RenderPipeline {
        &self.0[usize::from(is_cut)]
    }
}

/// One for each sort of thing.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) layouts: Layouts,
    opaque: Pair,
    blended: Pair,
    added: Pair,
    /// By how many grounds lie over the base at the most.
    pub(super) ground: [Pair; COVERS.len()],
    pub(super) sky: RenderPipeline,
    pub(super) sky_added: RenderPipeline,
    /// What falls from the sky.
    pub(super) veil: RenderPipeline,
    pub(super) veil_added: RenderPipeline,
    pub(super) backdrop: RenderPipeline,
    /// The same without its colour.
    pub(super) backdrop_depth: RenderPipeline,
    /// Lines over everything.
    pub(super) lines: RenderPipeline,
    /// Into a region, where nothing that was looked into before is nearer than its opening: its mask is one more.
    pub(super) enter: RenderPipeline,
    /// Everything in a region is far away.
    pub(super) clear: RenderPipeline,
    /// A colour all over a region.
    pub(super) fill: RenderPipeline,
    /// Out of a region where nothing was drawn in it: its mask is one less, and what it is seen in may be drawn there.
    pub(super) give_back: RenderPipeline,
    /// Out of the rest of it: its mask is one less, and it is as deep as its opening.
    pub(super) leave: RenderPipeline,
}

/// How something meets depth and mask.
#[derive(Clone, Copy)]
struct Meets {
    compare: CompareFunction,
    writes_depth: bool,
    mask: StencilOperation,
}

const SOLID: Meets = Meets {
    compare: CompareFunction::GreaterEqual,
    writes_depth: true,
    mask: StencilOperation::Keep,
};
const SHEER: Meets = Meets { writes_depth: false, ..SOLID };
const VEIL: Meets = Meets { compare: CompareFunction::Always, ..SHEER };
const OVER: Meets = Meets { compare: CompareFunction::Always, ..SOLID };
/// Only where nothing is.
const BEHIND: Meets = Meets { compare: CompareFunction::Greater, ..SOLID };
const INTO: Meets = Meets { mask: StencilOperation::IncrementClamp, ..SHEER };
const OUT: Meets = Meets { mask: StencilOperation::DecrementClamp, ..OVER };
/// Where nothing was drawn.
const UNTOUCHED: Meets = Meets {
    compare: CompareFunction::Equal,
    writes_depth: false,
    mask: StencilOperation::DecrementClamp,
};

/// A picture's colours, and how many samples a pixel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TargetFormat {
    pub(super) format: TextureFormat,
    pub(super) samples: u32,
}

struct Maker<'a> {
    device: &'a Device,
    depth: TextureFormat,
    paper: TargetFormat,
}

/// What is special about a pipeline.
#[derive(Clone, Copy)]
struct Recipe<'a> {
    label: &'a str,
    shader: &'a ShaderModule,
    groups: &'a [Option<&'a BindGroupLayout>],
    corners: &'a [Option<VertexBufferLayout<'a>>],
    vertex: &'a str,
    fragment: &'a str,
    meets: Meets,
    /// `None` where what is behind does not show.
    blend: Option<BlendState>,
    is_coloured: bool,
    cull: Option<Face>,
    topology: PrimitiveTopology,
    /// What the shader leaves open.
    constants: &'a [(&'a str, f64)],
}

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, paper: TargetFormat) -> Self {
        let device = &gpu.device;
        let layouts = Layouts::new(device);
        let maker = Maker { device, depth: gpu.depth, paper };
        let model = maker.shader("model", include_str!("shader/model.wgsl"));
        let ground = maker.shader("ground", include_str!("shader/ground.wgsl"));
        let region = maker.shader("region", include_str!("shader/region.wgsl"));
        let backdrop = maker.shader("backdrop", include_str!("shader/backdrop.wgsl"));
        let lines = maker.shader("lines", include_str!("shader/lines.wgsl"));
        let ends = [Some(corners(LINE_END, &LINE, VertexStepMode::Vertex))];
        let models = [
            Some(corners(MODEL_CORNER, &MODEL, VertexStepMode::Vertex)),
            Some(corners(INSTANCE_BYTES, &STANDS, VertexStepMode::Instance)),
        ];
        let grounds = [Some(corners(GROUND_CORNER, &GROUND, VertexStepMode::Vertex))];
        let regions = [Some(corners(REGION_CORNER, &REGION, VertexStepMode::Vertex))];
        let Layouts { frame, place, pictures, grounds: kinds, lamps } = &layouts;
        let of_model = [Some(frame), Some(place), Some(pictures), Some(lamps)];
        let of_ground = [Some(frame), Some(place), Some(kinds), Some(lamps)];
        let of_sky = [Some(frame), Some(place), Some(pictures)];
        let of_region = [Some(frame), Some(place)];
        let recipe = |label, fragment, meets, blend| Recipe {
            label,
            shader: &model,
            groups: &of_model,
            corners: &models,
            vertex: "corner",
            fragment,
            meets,
            blend,
            is_coloured: true,
            cull: Some(Face::Back),
            topology: PrimitiveTopology::TriangleList,
            constants: &[],
        };
        // What hangs in the sky shows only where nothing else is, from whichever side.
        let far = |label, fragment, blend| Recipe {
            groups: &of_sky,
            vertex: "far_corner",
            cull: None,
            ..recipe(label, fragment, SHEER, blend)
        };
        let flat = |label, fragment, meets| Recipe {
            shader: &region,
            groups: &of_region,
            corners: &regions,
            cull: None,
            ..recipe(label, fragment, meets, None)
        };
        let depths =
            |label, fragment, meets| Recipe { is_coloured: false, ..flat(label, fragment, meets) };
        let pair = |recipe: &Recipe<'_>| {
            Pair([0.0, 1.0].map(|cut| {
                let constants = [recipe.constants, &[("is_cut", cut)]].concat();
                maker.make(&Recipe { constants: &constants, ..*recipe })
            }))
        };
        let alpha = Some(BlendState::ALPHA_BLENDING);
        let added = Some(ADDED);
        Self {
            opaque: pair(&recipe("opaque", "shaded", SOLID, None)),
            blended: pair(&recipe("blended", "shaded", SHEER, alpha)),
            added: pair(&recipe("added", "shaded", SHEER, added)),
            ground: COVERS.map(|covers| {
                #[allow(clippy::cast_precision_loss, reason = "at most five")]
                let constants = [("covers", covers as f64)];
                pair(&Recipe {
                    shader: &ground,
                    groups: &of_ground,
                    corners: &grounds,
                    constants: &constants,
                    ..recipe("ground", "shaded", SOLID, None)
                })
            }),
            sky: maker.make(&far("sky", "celestial", alpha)),
            sky_added: maker.make(&far("sky, added", "celestial", added)),
            veil: maker.make(&far("veil", "veiled", alpha)),
            veil_added: maker.make(&far("veil, added", "veiled", added)),
            backdrop: maker.make(&Recipe {
                shader: &backdrop,
                corners: &[],
                vertex: "corner",
                ..flat("backdrop", "shaded", BEHIND)
            }),
            backdrop_depth: maker.make(&Recipe {
                shader: &backdrop,
                corners: &[],
                is_coloured: false,
                ..flat("depth of the backdrop", "shaded", BEHIND)
            }),
            lines: maker.make(&Recipe {
                shader: &lines,
                corners: &ends,
                topology: PrimitiveTopology::LineList,
                ..flat("lines", "shaded", VEIL)
            }),
            enter: maker.make(&depths("enter", "sealed", INTO)),
            clear: maker.make(&depths("clear", "deep", OVER)),
            fill: maker.make(&flat("fill", "filled", VEIL)),
            give_back: maker.make(&depths("give back", "deep", UNTOUCHED)),
            leave: maker.make(&depths("leave", "sealed", OUT)),
            layouts,
        }
    }
}

impl Pipelines {
    /// For models.
    pub(super) fn of(&self, blend: Blend) -> &Pair {
        match blend {
            Blend::Opaque => &self.opaque,
            Blend::Alpha => &self.blended,
            Blend::Additive => &self.added,
        }
    }
}

/// What shines: added to what is there.
const ADDED: BlendState = BlendState {
    color: BlendComponent {
        src_factor: BlendFactor::SrcAlpha,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    },
    alpha: BlendComponent::OVER,
};

fn corners(
    bytes: u64,
    attributes: &'static [VertexAttribute],
    step_mode: VertexStepMode,
) -> VertexBufferLayout<'static> {
    VertexBufferLayout { array_stride: bytes, step_mode, attributes }
}

impl Maker<'_> {
    fn shader(&self, label: &str, text: &str) -> ShaderModule {
        let text = [include_str!("shader/common.wgsl"), text].concat();
        let source = ShaderSource::Wgsl(text.into());
        self.device.create_shader_module(ShaderModuleDescriptor { label: Some(label), source })
    }

    fn make(&self, recipe: &Recipe<'_>) -> RenderPipeline {
        let layout = self.device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: Some(recipe.label),
            bind_group_layouts: recipe.groups,
            immediate_size: 0,
        });
        let face = StencilFaceState {
            compare: CompareFunction::Equal,
            fail_op: StencilOperation::Keep,
            depth_fail_op: StencilOperation::Keep,
            pass_op: recipe.meets.mask,
        };
        let write_mask = if recipe.is_coloured { ColorWrites::ALL } else { ColorWrites::empty() };
        let target =
            ColorTargetState { format: self.paper.format, blend: recipe.blend, write_mask };
        self.device.create_render_pipeline(&RenderPipelineDescriptor {
            label: Some(recipe.label),
            layout: Some(&layout),
            vertex: VertexState {
                module: recipe.shader,
                entry_point: Some(recipe.vertex),
                compilation_options: PipelineCompilationOptions::default(),
                buffers: recipe.corners,
            },
            primitive: PrimitiveState {
                topology: recipe.topology,
                front_face: FrontFace::Ccw,
                cull_mode: recipe.cull,
                ..Default::default()
            },
            depth_stencil: Some(DepthStencilState {
                format: self.depth,
                depth_write_enabled: Some(recipe.meets.writes_depth),
                depth_compare: Some(recipe.meets.compare),
                stencil: StencilState {
                    front: face,
                    back: face,
                    read_mask: 0xFF,
                    write_mask: 0xFF,
                },
                bias: DepthBiasState::default(),
            }),
            multisample: MultisampleState { count: self.paper.samples, ..Default::default() },
            fragment: Some(FragmentState {
                module: recipe.shader,
                entry_point: Some(recipe.fragment),
                compilation_options: PipelineCompilationOptions {
                    constants: recipe.constants,
                    ..Default::default()
                },
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Layouts {
    pub(super) fn new(device: &Device) -> Self {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let shading = ShaderStages::FRAGMENT;
        let group = |label: &str, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let grounds = [uniform(0, shading, false), sampler(1), sampler(2), layers(3), layers(4)];
        Self {
            frame: group("frame", &[uniform(0, both, false), uniform(1, shading, true)]),
            place: group("place", &[uniform(0, both, true)]),
            pictures: group("pictures", &[sampler(0), layers(1)]),
            grounds: group("grounds", &grounds),
            lamps: group("lamps", &[uniform(0, shading, true)]),
        }
    }
}

fn uniform(
    binding: u32,
    visibility: ShaderStages,
    has_dynamic_offset: bool,
) -> BindGroupLayoutEntry {
    let ty = BindingType::Buffer {
        ty: BufferBindingType::Uniform,
        has_dynamic_offset,
        min_binding_size: None,
    };
    BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn sampler(binding: u32) -> BindGroupLayoutEntry {
    let ty = BindingType::Sampler(SamplerBindingType::Filtering);
    BindGroupLayoutEntry { binding, visibility: ShaderStages::FRAGMENT, ty, count: None }
}

fn layers(binding: u32) -> BindGroupLayoutEntry {
    let ty = BindingType::Texture {
        sample_type: TextureSampleType::Float { filterable: true },
        view_dimension: TextureViewDimension::D2Array,
        multisampled: false,
    };
    BindGroupLayoutEntry { binding, visibility: ShaderStages::FRAGMENT, ty, count: None }
}
