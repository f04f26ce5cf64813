//! Render pipelines and bind group layouts.

use threshold_visuals::material::Blend;
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
use super::stage::COVERS;

/// Bytes of a vertex of a model.
pub(super) const MODEL_VERTEX_BYTES: u64 = 40;
/// Bytes of a vertex of the terrain.
pub(super) const TERRAIN_VERTEX_BYTES: u64 = 48;
/// Bytes of a vertex of a region.
pub(super) const REGION_VERTEX_BYTES: u64 = 20;

/// Bytes of a vertex of a line.
pub(super) const LINE_VERTEX_BYTES: u64 = 24;

const LINE: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const MODEL: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x2];
const INSTANCE: [VertexAttribute; 4] =
    vertex_attr_array![4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Snorm16x4];
const GROUND: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint32x4];
const REGION: [VertexAttribute; 2] = vertex_attr_array![0 => Float32x2, 1 => Float32x3];

/// Bind group layouts.
#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) frame: BindGroupLayout,
    pub(super) place: BindGroupLayout,
    pub(super) textures: BindGroupLayout,
    pub(super) terrain: BindGroupLayout,
    pub(super) lamps: BindGroupLayout,
}

/// A pipeline without and with clipping by the plane of a portal.
#[derive(Debug)]
pub(super) struct PipelinePair([RenderPipeline; 2]);

impl PipelinePair {
    pub(super) fn get(&self, is_cut: bool) -> &RenderPipeline {
        &self.0[usize::from(is_cut)]
    }
}

/// All render pipelines.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) layouts: Layouts,
    opaque: PipelinePair,
    blended: PipelinePair,
    added: PipelinePair,
    /// Terrain, by the largest number of covers; see [`COVERS`].
    pub(super) ground: [PipelinePair; COVERS.len()],
    pub(super) sky: RenderPipeline,
    pub(super) sky_added: RenderPipeline,
    /// Weather.
    pub(super) veil: RenderPipeline,
    pub(super) veil_added: RenderPipeline,
    pub(super) backdrop: RenderPipeline,
    /// The backdrop without colour.
    pub(super) backdrop_depth: RenderPipeline,
    /// Lines over everything.
    pub(super) lines: RenderPipeline,
    /// Enters a region where nothing drawn before is nearer than its portal: increments the stencil.
    pub(super) enter: RenderPipeline,
    /// Clears the depth of a region.
    pub(super) clear: RenderPipeline,
    /// Fills a region with a colour.
    pub(super) fill: RenderPipeline,
    /// Leaves a region where nothing was drawn in it: decrements the stencil, so that the outer region can be drawn there.
    pub(super) give_back: RenderPipeline,
    /// Leaves the rest of a region: decrements the stencil and seals it with the depth of its portal.
    pub(super) leave: RenderPipeline,
}

/// Depth and stencil state of a pipeline. Depth is reversed: 1 is near, 0 is far.
#[derive(Clone, Copy)]
struct DepthMode {
    compare: CompareFunction,
    writes_depth: bool,
    stencil: StencilOperation,
}

const OPAQUE: DepthMode = DepthMode {
    compare: CompareFunction::GreaterEqual,
    writes_depth: true,
    stencil: StencilOperation::Keep,
};
const TRANSPARENT: DepthMode = DepthMode { writes_depth: false, ..OPAQUE };
const OVERLAY: DepthMode = DepthMode { compare: CompareFunction::Always, ..TRANSPARENT };
const OVERWRITE: DepthMode = DepthMode { compare: CompareFunction::Always, ..OPAQUE };
/// Draws only where nothing is.
const BACKDROP: DepthMode = DepthMode { compare: CompareFunction::Greater, ..OPAQUE };
const ENTER: DepthMode = DepthMode { stencil: StencilOperation::IncrementClamp, ..TRANSPARENT };
const LEAVE: DepthMode = DepthMode { stencil: StencilOperation::DecrementClamp, ..OVERWRITE };
/// Draws only where nothing was drawn since the depth was cleared.
const UNTOUCHED: DepthMode = DepthMode {
    compare: CompareFunction::Equal,
    writes_depth: false,
    stencil: StencilOperation::DecrementClamp,
};

/// Colour format of a render target, and its samples per pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TargetFormat {
    pub(super) format: TextureFormat,
    pub(super) samples: u32,
}

struct PipelineFactory<'a> {
    device: &'a Device,
    depth: TextureFormat,
    target: TargetFormat,
}

/// Description of a pipeline.
#[derive(Clone, Copy)]
struct Recipe<'a> {
    label: &'a str,
    shader: &'a ShaderModule,
    groups: &'a [Option<&'a BindGroupLayout>],
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    vertex: &'a str,
    fragment: &'a str,
    depth: DepthMode,
    /// `None` for opaque pipelines.
    blend: Option<BlendState>,
    writes_colour: bool,
    cull: Option<Face>,
    topology: PrimitiveTopology,
    /// Values of shader overrides.
    constants: &'a [(&'a str, f64)],
}

impl Pipelines {
    pub(super) fn new(gpu: &Gpu, target: TargetFormat) -> Self {
        let layouts = Layouts::new(&gpu.device);
        let factory = PipelineFactory { device: &gpu.device, depth: gpu.depth, target };
        let (shaders, inputs) = (Shaders::new(&factory), PipelineInputs::new(&layouts));
        let recipes = Recipes { shaders: &shaders, inputs: &inputs };
        let make = |recipe: Recipe<'_>| factory.make(&recipe);
        let pair = |recipe: Recipe<'_>| factory.pair(&recipe);
        let (alpha, additive) = (Some(BlendState::ALPHA_BLENDING), Some(ADDITIVE));
        Self {
            opaque: pair(recipes.model("opaque", OPAQUE, None)),
            blended: pair(recipes.model("blended", TRANSPARENT, alpha)),
            added: pair(recipes.model("added", TRANSPARENT, additive)),
            ground: COVERS.map(|covers| {
                #[allow(clippy::cast_precision_loss, reason = "at most five")]
                let constants = [("covers", covers as f64)];
                pair(Recipe { constants: &constants, ..recipes.terrain() })
            }),
            sky: make(recipes.sky("sky", "celestial", alpha)),
            sky_added: make(recipes.sky("sky, added", "celestial", additive)),
            veil: make(recipes.sky("veil", "veiled", alpha)),
            veil_added: make(recipes.sky("veil, added", "veiled", additive)),
            backdrop: make(recipes.backdrop("backdrop", true)),
            backdrop_depth: make(recipes.backdrop("depth of the backdrop", false)),
            lines: make(recipes.lines()),
            enter: make(recipes.region_depth("enter", "sealed", ENTER)),
            clear: make(recipes.region_depth("clear", "deep", OVERWRITE)),
            fill: make(recipes.region("fill", "filled", OVERLAY)),
            give_back: make(recipes.region_depth("give back", "deep", UNTOUCHED)),
            leave: make(recipes.region_depth("leave", "sealed", LEAVE)),
            layouts,
        }
    }

    /// Returns the pipelines for models.
    pub(super) fn of(&self, blend: Blend) -> &PipelinePair {
        match blend {
            Blend::Opaque => &self.opaque,
            Blend::Alpha => &self.blended,
            Blend::Additive => &self.added,
        }
    }
}

/// Shader modules, each compiled once.
struct Shaders {
    model: ShaderModule,
    terrain: ShaderModule,
    region: ShaderModule,
    backdrop: ShaderModule,
    lines: ShaderModule,
}

impl Shaders {
    fn new(factory: &PipelineFactory<'_>) -> Self {
        Self {
            model: factory.shader("model", include_str!("shader/model.wgsl")),
            terrain: factory.shader("terrain", include_str!("shader/ground.wgsl")),
            region: factory.shader("region", include_str!("shader/region.wgsl")),
            backdrop: factory.shader("backdrop", include_str!("shader/backdrop.wgsl")),
            lines: factory.shader("lines", include_str!("shader/lines.wgsl")),
        }
    }
}

/// Bind group layouts and vertex buffer layouts, by what is drawn.
struct PipelineInputs<'a> {
    model_groups: [Option<&'a BindGroupLayout>; 4],
    terrain_groups: [Option<&'a BindGroupLayout>; 4],
    sky_groups: [Option<&'a BindGroupLayout>; 3],
    region_groups: [Option<&'a BindGroupLayout>; 2],
    model_buffers: [Option<VertexBufferLayout<'static>>; 2],
    terrain_buffers: [Option<VertexBufferLayout<'static>>; 1],
    region_buffers: [Option<VertexBufferLayout<'static>>; 1],
    line_buffers: [Option<VertexBufferLayout<'static>>; 1],
}

impl<'a> PipelineInputs<'a> {
    fn new(layouts: &'a Layouts) -> Self {
        let Layouts { frame, place, textures, terrain, lamps } = layouts;
        let vertices = |bytes, attributes| Some(buffer(bytes, attributes, VertexStepMode::Vertex));
        Self {
            model_groups: [Some(frame), Some(place), Some(textures), Some(lamps)],
            terrain_groups: [Some(frame), Some(place), Some(terrain), Some(lamps)],
            sky_groups: [Some(frame), Some(place), Some(textures)],
            region_groups: [Some(frame), Some(place)],
            model_buffers: [
                vertices(MODEL_VERTEX_BYTES, &MODEL),
                Some(buffer(INSTANCE_BYTES, &INSTANCE, VertexStepMode::Instance)),
            ],
            terrain_buffers: [vertices(TERRAIN_VERTEX_BYTES, &GROUND)],
            region_buffers: [vertices(REGION_VERTEX_BYTES, &REGION)],
            line_buffers: [vertices(LINE_VERTEX_BYTES, &LINE)],
        }
    }
}

/// Builds the description of each pipeline.
#[derive(Clone, Copy)]
struct Recipes<'a> {
    shaders: &'a Shaders,
    inputs: &'a PipelineInputs<'a>,
}

impl<'a> Recipes<'a> {
    fn model(&self, label: &'a str, depth: DepthMode, blend: Option<BlendState>) -> Recipe<'a> {
        Recipe {
            label,
            shader: &self.shaders.model,
            groups: &self.inputs.model_groups,
            buffers: &self.inputs.model_buffers,
            vertex: "corner",
            fragment: "shaded",
            depth,
            blend,
            writes_colour: true,
            cull: Some(Face::Back),
            topology: PrimitiveTopology::TriangleList,
            constants: &[],
        }
    }

    fn terrain(&self) -> Recipe<'a> {
        Recipe {
            shader: &self.shaders.terrain,
            groups: &self.inputs.terrain_groups,
            buffers: &self.inputs.terrain_buffers,
            ..self.model("terrain", OPAQUE, None)
        }
    }

    /// Celestial objects and weather, which have no back faces.
    fn sky(&self, label: &'a str, fragment: &'a str, blend: Option<BlendState>) -> Recipe<'a> {
        Recipe {
            groups: &self.inputs.sky_groups,
            vertex: "far_corner",
            fragment,
            cull: None,
            ..self.model(label, TRANSPARENT, blend)
        }
    }

    fn region(&self, label: &'a str, fragment: &'a str, depth: DepthMode) -> Recipe<'a> {
        Recipe {
            shader: &self.shaders.region,
            groups: &self.inputs.region_groups,
            buffers: &self.inputs.region_buffers,
            fragment,
            cull: None,
            ..self.model(label, depth, None)
        }
    }

    /// Writes depth and stencil of a region without colour.
    fn region_depth(&self, label: &'a str, fragment: &'a str, depth: DepthMode) -> Recipe<'a> {
        Recipe { writes_colour: false, ..self.region(label, fragment, depth) }
    }

    fn backdrop(&self, label: &'a str, writes_colour: bool) -> Recipe<'a> {
        Recipe {
            shader: &self.shaders.backdrop,
            buffers: &[],
            writes_colour,
            ..self.region(label, "shaded", BACKDROP)
        }
    }

    fn lines(&self) -> Recipe<'a> {
        Recipe {
            shader: &self.shaders.lines,
            buffers: &self.inputs.line_buffers,
            topology: PrimitiveTopology::LineList,
            ..self.region("lines", "shaded", OVERLAY)
        }
    }
}

/// Adds the colour, scaled by alpha, to the target.
const ADDITIVE: BlendState = BlendState {
    color: BlendComponent {
        src_factor: BlendFactor::SrcAlpha,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    },
    alpha: BlendComponent::OVER,
};

fn buffer(
    bytes: u64,
    attributes: &'static [VertexAttribute],
    step_mode: VertexStepMode,
) -> VertexBufferLayout<'static> {
    VertexBufferLayout { array_stride: bytes, step_mode, attributes }
}

impl PipelineFactory<'_> {
    fn shader(&self, label: &str, text: &str) -> ShaderModule {
        let text = [include_str!("shader/common.wgsl"), text].concat();
        let source = ShaderSource::Wgsl(text.into());
        self.device.create_shader_module(ShaderModuleDescriptor { label: Some(label), source })
    }

    fn pair(&self, recipe: &Recipe<'_>) -> PipelinePair {
        PipelinePair([0.0, 1.0].map(|is_cut| {
            let constants = [recipe.constants, &[("is_cut", is_cut)]].concat();
            self.make(&Recipe { constants: &constants, ..*recipe })
        }))
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
            pass_op: recipe.depth.stencil,
        };
        let write_mask = if recipe.writes_colour { ColorWrites::ALL } else { ColorWrites::empty() };
        let target =
            ColorTargetState { format: self.target.format, blend: recipe.blend, write_mask };
        self.device.create_render_pipeline(&RenderPipelineDescriptor {
            label: Some(recipe.label),
            layout: Some(&layout),
            vertex: VertexState {
                module: recipe.shader,
                entry_point: Some(recipe.vertex),
                compilation_options: PipelineCompilationOptions::default(),
                buffers: recipe.buffers,
            },
            primitive: PrimitiveState {
                topology: recipe.topology,
                front_face: FrontFace::Ccw,
                cull_mode: recipe.cull,
                ..Default::default()
            },
            depth_stencil: Some(DepthStencilState {
                format: self.depth,
                depth_write_enabled: Some(recipe.depth.writes_depth),
                depth_compare: Some(recipe.depth.compare),
                stencil: StencilState {
                    front: face,
                    back: face,
                    read_mask: 0xFF,
                    write_mask: 0xFF,
                },
                bias: DepthBiasState::default(),
            }),
            multisample: MultisampleState { count: self.target.samples, ..Default::default() },
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
        let terrain = [uniform(0, shading, false), sampler(1), sampler(2), layers(3), layers(4)];
        Self {
            frame: group("frame", &[uniform(0, both, false), uniform(1, shading, true)]),
            place: group("place", &[uniform(0, both, true)]),
            textures: group("textures", &[sampler(0), layers(1)]),
            terrain: group("terrain", &terrain),
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
