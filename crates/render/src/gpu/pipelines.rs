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
use super::materials::{Blend, SIZES};

/// Bytes of a corner of a model.
pub(super) const MODEL_CORNER: u64 = 40;
/// Bytes of where a model stands.
pub(super) const STANCE: u64 = 48;
/// Bytes of a corner of the ground.
pub(super) const GROUND_CORNER: u64 = 48;
/// Bytes of a corner of a region.
pub(super) const REGION_CORNER: u64 = 20;

/// Bytes of an end of a line.
pub(super) const LINE_END: u64 = 24;

const LINE: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const MODEL: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x2];
const STANDS: [VertexAttribute; 3] =
    vertex_attr_array![4 => Float32x4, 5 => Float32x4, 6 => Float32x4];
const GROUND: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x4];
const REGION: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x2, 1 => Float32x3];

/// What is bound to shaders.
#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) frame: BindGroupLayout,
    pub(super) place: BindGroupLayout,
    pub(super) materials: BindGroupLayout,
    pub(super) grounds: BindGroupLayout,
    pub(super) look: BindGroupLayout,
}

/// One for each sort of thing.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) layouts: Layouts,
    pub(super) opaque: RenderPipeline,
    pub(super) blended: RenderPipeline,
    pub(super) added: RenderPipeline,
    pub(super) sky: RenderPipeline,
    pub(super) sky_added: RenderPipeline,
    /// What falls from the sky.
    pub(super) veil: RenderPipeline,
    pub(super) veil_added: RenderPipeline,
    pub(super) ground: RenderPipeline,
    pub(super) backdrop: RenderPipeline,
    /// Lines over everything.
    pub(super) lines: RenderPipeline,
    /// Into a region: its mask is one more, and everything in it is far away.
    pub(super) enter: RenderPipeline,
    /// Out of a region: its mask is one less, and it is as deep as its opening.
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

/// A picture's colours, and how many samples a pixel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paper {
    pub(super) format: TextureFormat,
    pub(super) samples: u32,
}

struct Maker<'a> {
    device: &'a Device,
    depth: TextureFormat,
    paper: Paper,
}

/// What is special about a pipeline.
struct Recipe<'a> {
    label: &'a str,
    shader: &'a ShaderModule,
    groups: &'a [Option<&'a BindGroupLayout>],
    corners: &'a [Option<VertexBufferLayout<'a>>],
    vertex: &'a str,
    fragment: &'a str,
    meets: Meets,
    /// `None` where no colour is written.
    blend: Option<BlendState>,
    is_coloured: bool,
    cull: Option<Face>,
    topology: PrimitiveTopology,
}

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, paper: Paper) -> Self {
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
            Some(corners(STANCE, &STANDS, VertexStepMode::Instance)),
        ];
        let grounds = [Some(corners(GROUND_CORNER, &GROUND, VertexStepMode::Vertex))];
        let regions = [Some(corners(REGION_CORNER, &REGION, VertexStepMode::Vertex))];
        let Layouts { frame, place, materials, grounds: kinds, look } = &layouts;
        let of_model = [Some(frame), Some(place), Some(materials)];
        let of_ground = [Some(frame), Some(place), Some(kinds)];
        let of_region = [Some(frame), Some(place)];
        let of_look = [Some(frame), Some(place), Some(look)];
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
        };
        let depths = |label, mask| Recipe {
            label,
            shader: &region,
            groups: &of_region,
            corners: &regions,
            vertex: "corner",
            fragment: "deep",
            meets: Meets { mask, ..OVER },
            blend: None,
            is_coloured: false,
            cull: None,
            topology: PrimitiveTopology::TriangleList,
        };
        let alpha = Some(BlendState::ALPHA_BLENDING);
        let added = Some(ADDED);
        Self {
            opaque: maker.make(&recipe("opaque", "shaded", SOLID, None)),
            blended: maker.make(&recipe("blended", "shaded", SHEER, alpha)),
            added: maker.make(&recipe("added", "shaded", SHEER, added)),
            sky: maker.make(&far(recipe("sky", "celestial", SHEER, alpha))),
            sky_added: maker.make(&far(recipe("sky, added", "celestial", SHEER, added))),
            veil: maker.make(&far(recipe("veil", "celestial", VEIL, alpha))),
            veil_added: maker.make(&far(recipe("veil, added", "celestial", VEIL, added))),
            ground: maker.make(&Recipe {
                shader: &ground,
                groups: &of_ground,
                corners: &grounds,
                ..recipe("ground", "shaded", SOLID, None)
            }),
            backdrop: maker.make(&Recipe {
                shader: &backdrop,
                groups: &of_look,
                corners: &[],
                cull: None,
                ..recipe("backdrop", "shaded", SHEER, None)
            }),
            lines: maker.make(&Recipe {
                shader: &lines,
                groups: &of_region,
                corners: &ends,
                cull: None,
                topology: PrimitiveTopology::LineList,
                ..recipe("lines", "shaded", VEIL, None)
            }),
            enter: maker.make(&depths("enter", StencilOperation::IncrementClamp)),
            leave: maker.make(&depths("leave", StencilOperation::DecrementClamp)),
            layouts,
        }
    }
}

impl Pipelines {
    /// For models.
    pub(super) fn of(&self, blend: Blend) -> &RenderPipeline {
        match blend {
            Blend::Opaque => &self.opaque,
            Blend::Alpha => &self.blended,
            Blend::Additive => &self.added,
        }
    }
}

/// What hangs in the sky shows only where nothing else is, from whichever side.
fn far(recipe: Recipe<'_>) -> Recipe<'_> {
    Recipe { vertex: "far_corner", cull: None, ..recipe }
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
                compilation_options: PipelineCompilationOptions::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Layouts {
    fn new(device: &Device) -> Self {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let group = |label: &str, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let mut materials = vec![uniform(0, ShaderStages::FRAGMENT, false), sampler(1)];
        materials.extend((2..).take(SIZES.len()).map(layers));
        let grounds = [
            uniform(0, ShaderStages::FRAGMENT, false),
            sampler(1),
            sampler(2),
            layers(3),
            layers(4),
        ];
        Self {
            frame: group("frame", &[uniform(0, both, false)]),
            place: group("place", &[uniform(0, both, true)]),
            materials: group("materials", &materials),
            grounds: group("grounds", &grounds),
            look: group("look", &[uniform(0, ShaderStages::FRAGMENT, false)]),
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
