//! One record of every kind, with every optional part.

use threshold_dat::region::*;
use threshold_dat::*;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Frame, Plane, Rotation, Sphere};

fn frame() -> Frame {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    Frame { origin: Vec3::new(1.5, -2.0, 3.25), rotation: Rotation::new(half, 0.0, 0.0, -half) }
}

fn sphere(radius: f32) -> Sphere {
    Sphere::new(Vec3::new(0.0, 0.5, 1.0), radius)
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

fn vertices() -> VertexArray {
    let mut out = VertexArray::default();
    let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
    for (id, (x, y)) in (0..).zip(corners) {
        let uvs = [Vec2::new(x, y), Vec2::new(y, x)];
        // The last vertex has no texture coordinates, which is legal.
        let uvs = if id == 3 { &[][..] } else { &uvs[..] };
        out.push(Vertex { id, position: Vec3::new(x, y, 0.0), normal: Vec3::Z, uvs }).unwrap();
    }
    out
}

fn polygons() -> Polygons {
    let mut out = Polygons::default();
    let plain = IndexedPolygon {
        id: 0,
        stippling: 0,
        sides: PolygonSides::SINGLE,
        front_surface: 0,
        back_surface: -1,
        vertex_ids: &[0, 1, 2],
        front_uvs: &[0, 0, 1],
        back_uvs: &[],
    };
    out.push(plain).unwrap();
    let two = IndexedPolygon {
        id: 1,
        sides: PolygonSides::TWO_SURFACES,
        back_uvs: &[1, 1, 1],
        back_surface: 0,
        ..plain
    };
    out.push(two).unwrap();
    let opening = IndexedPolygon {
        id: 2,
        stippling: stippling::NO_FRONT_UVS,
        vertex_ids: &[0, 1, 2, 3],
        front_uvs: &[],
        ..plain
    };
    out.push(opening).unwrap();
    out
}

fn leaf(index: i32, solid: i32, physics: bool) -> BspNode<'static> {
    let sphere = physics.then(|| sphere(2.0));
    let polygons: &[u16] = if physics { &[0, 1] } else { &[] };
    BspNode::Leaf(BspLeaf { index, solid, sphere, polygons })
}

/// A tree with one node of every form that the kind allows.
fn tree(kind: TreeKind) -> BspTree {
    let mut out = BspTree::default();
    let bounds = (kind != TreeKind::Cell).then(|| sphere(5.0));
    let drawn: &[u16] = if kind == TreeKind::Drawing { &[0, 2] } else { &[] };
    let physics = kind == TreeKind::Physics;
    let split = |positive: Option<u32>, negative: Option<u32>| BspSplit {
        tag: BspTag::split(positive.is_some(), negative.is_some(), !drawn.is_empty()),
        plane: Plane { normal: Vec3::X, d: -2.0 },
        positive,
        negative,
        sphere: bounds,
        polygons: drawn,
        portals: &[],
    };
    let end = out.push(BspNode::Split(split(None, None)));
    let first = out.push(leaf(0, 0, physics));
    let second = out.push(leaf(1, 1, physics));
    let front = out.push(BspNode::Split(split(Some(end), None)));
    let behind = out.push(BspNode::Split(split(None, Some(first))));
    let both = out.push(BspNode::Split(split(Some(front), Some(behind))));
    let root = if kind == TreeKind::Drawing {
        let portals = &[PortalPolygon { polygon: 2, portal: 0 }];
        let port = BspSplit { tag: BspTag::PORT, portals, ..split(Some(both), Some(second)) };
        out.push(BspNode::Split(port))
    } else {
        out.push(BspNode::Split(split(Some(both), Some(second))))
    };
    out.set_root(root);
    out
}

fn hooks() -> Vec<Hook> {
    let fade = Fade { start: 0.0, end: 1.0, time: 2.5 };
    let particle =
        ParticleHook { info: RecordId(0x3200_0001), part: 1, frame: frame(), emitter: 7 };
    let cone = AttackCone { part: 2, left: Vec2::X, right: Vec2::Y, radius: 1.0, height: 2.0 };
    let wave = RecordId(0x0A00_0001);
    let actions = [
        HookAction::NoOp,
        HookAction::Sound { wave },
        HookAction::SoundTable { sound: 3 },
        HookAction::Attack(Box::new(cone)),
        HookAction::AnimationDone,
        HookAction::ReplaceObject { part: 1, model: RecordId(0x0100_0BB4) },
        HookAction::ReplaceObject { part: 1, model: RecordId(0x0100_4000) },
        HookAction::Ethereal(true),
        HookAction::TransparentPart { part: 1, fade },
        HookAction::Luminous(fade),
        HookAction::LuminousPart { part: 1, fade },
        HookAction::Diffuse(fade),
        HookAction::DiffusePart { part: 1, fade },
        HookAction::Scale { end: 2.0, time: 1.0 },
        HookAction::CreateParticle(Box::new(particle)),
        HookAction::DestroyParticle { emitter: 7 },
        HookAction::StopParticle { emitter: 7 },
        HookAction::NoDraw(false),
        HookAction::DefaultScript,
        HookAction::DefaultScriptPart { part: 0 },
        HookAction::CallScript { script: RecordId(0x3300_0001), pause: 0.5 },
        HookAction::Transparent(fade),
        HookAction::SoundTweaked { wave, probability: 0.5, priority: 3.0, volume: 1.0 },
        HookAction::SetOmega(Vec3::Z),
        HookAction::TextureVelocity(Vec2::X),
        HookAction::TextureVelocityPart { part: 1, velocity: Vec2::Y },
        HookAction::SetLight(true),
        HookAction::CreateBlockingParticle(Box::new(particle)),
    ];
    actions.into_iter().map(|action| Hook { direction: -1, action }).collect()
}

fn gfx_obj() -> GfxObj {
    let mesh = |kind| Some(BspMesh { polygons: polygons(), tree: tree(kind) });
    GfxObj {
        id: RecordId(0x0100_0001),
        other_flags: 0,
        surfaces: vec![RecordId(0x0800_0001)],
        vertices: vertices(),
        physics: mesh(TreeKind::Physics),
        sort_centre: Vec3::new(2.0, 2.0, 0.0),
        drawing: mesh(TreeKind::Drawing),
        degrade: Some(RecordId(0x1100_0001)),
    }
}

fn setup() -> SetupRecord {
    let location = Location { key: 1, part: 1, frame: frame() };
    SetupRecord {
        id: RecordId(0x0200_0001),
        free_heading: true,
        says_physics_tree: true,
        other_flags: 0,
        parts: vec![RecordId(0x0100_0001); 2],
        parents: Some(vec![u32::MAX, 0]),
        scales: Some(vec![Vec3::ONE, Vec3::splat(2.0)]),
        holding_locations: vec![location],
        connection_points: vec![location],
        placements: vec![Placement {
            key: 0x65,
            frames: [frame(), frame()].into(),
            hooks: hooks().into(),
        }],
        cylinders: vec![SetupCylinder { low_point: Vec3::Z, radius: 0.5, height: 4.0 }],
        spheres: vec![sphere(0.48), sphere(0.48)],
        height: 1.835,
        radius: 0.48,
        step_up: 0.6,
        step_down: 1.5,
        sorting_sphere: sphere(1.0),
        selection_sphere: sphere(1.5),
        lights: vec![Light {
            key: 0,
            frame: frame(),
            colour: Colour(0xFFFF_8000),
            intensity: 100.0,
            falloff: 5.0,
            cone: f32::from_bits(0xCDCD_CDCD),
        }],
        defaults: SetupDefaults {
            animation: RecordId(0x0300_0001),
            script: RecordId(0x3300_0001),
            motion_table: RecordId(0x0900_0001),
            sound_table: RecordId(0x2000_0001),
            script_table: RecordId(0x3400_0001),
        },
    }
}

fn environment() -> Environment {
    let structure = |id, drawing_tree| CellStructure {
        id,
        vertices: vertices(),
        drawing: polygons(),
        portals: [2].into(),
        cell_tree: tree(TreeKind::Cell),
        physics: polygons(),
        physics_tree: tree(TreeKind::Physics),
        drawing_tree,
    };
    Environment {
        id: RecordId(0x0D00_0001),
        structures: vec![structure(0, Some(tree(TreeKind::Drawing))), structure(1, None)],
    }
}

fn animation() -> Animation {
    let hooks = hooks().into_iter().zip([0, 0, 2].into_iter().chain(std::iter::repeat(2)));
    Animation {
        id: RecordId(0x0300_0001),
        other_flags: 2,
        parts: 2,
        frames: 3,
        root_motion: Some(vec![frame(); 3]),
        part_frames: vec![frame(); 6],
        hooks: hooks.map(|(hook, frame)| FrameHook { frame, hook }).collect(),
    }
}

fn motion_table() -> MotionTable {
    let span =
        AnimationSpan { animation: RecordId(0x0300_0001), low: 0, high: -1, framerate: 30.0 };
    let motion = |key, velocity: bool, omega: bool| Motion {
        key,
        behaviour: 1,
        other_bits: 4,
        animations: [span, span].into(),
        velocity: velocity.then(|| Box::new(Vec3::Y * 3.12)),
        omega: omega.then(|| Box::new(Vec3::Z)),
    };
    MotionTable {
        id: RecordId(0x0900_0001),
        default_stance: 0x8000_003D,
        stance_defaults: vec![StanceDefault { stance: 0x8000_003D, motion: 0x4100_0003 }],
        cycles: vec![motion(0x003D_0005, true, false), motion(0x003D_0003, false, false)],
        modifiers: vec![motion(0x6500_000D, false, true)],
        links: vec![MotionLinks {
            key: 0x003D_0003,
            motions: vec![motion(0x4500_0005, true, true)],
        }],
    }
}

fn sky() -> Sky {
    let object = SkyObject {
        begin_time: 0.25,
        end_time: 0.75,
        begin_angle: 10.0,
        end_angle: 170.0,
        texture_velocity: [0.1, 0.0],
        model: RecordId(0x0100_0001),
        script: RecordId(0x3300_0001),
        properties: 4,
    };
    let change = SkyObjectReplacement {
        object: 0,
        model: RecordId(0x0100_0001),
        rotate: 5.0,
        transparent: -1.0,
        luminosity: 0.5,
        max_bright: 1.0,
    };
    let time = SkyTime {
        begin: 0.5,
        sun_brightness: 1.0,
        sun_heading: 180.0,
        sun_pitch: 60.0,
        sun_colour: Colour(0xFFFF_F0E0),
        ambient_brightness: 0.4,
        ambient_colour: Colour(0xFF80_80A0),
        fog_near: 100.0,
        fog_far: 500.0,
        fog_colour: Colour(0xFFC0_C0C0),
        fog_mode: 1,
        replacements: [change].into(),
    };
    let group = DayGroup {
        chance: 1.0,
        name: text("Sunny"),
        objects: [object].into(),
        times: [time].into(),
    };
    Sky { tick: 2.0, light_tick: 20.0, day_groups: vec![group] }
}

fn region() -> RegionDesc {
    let mask = TextureMap { code: 8, texture: RecordId(0x0500_0001) };
    let texture = TerrainTexture {
        terrain_type: 32,
        texture: RecordId(0x0500_0001),
        tiling: 1,
        variation: [1, 2, 3, 4, 5, 6],
        detail_tiling: 4,
        detail_texture: RecordId(0x0500_0001),
    };
    let sound =
        AmbientSound { sound: 1, volume: 0.5, base_chance: 0.1, min_rate: 1.0, max_rate: 9.0 };
    RegionDesc {
        id: RecordId(0x1300_0000),
        number: 1,
        name: text("Dereth"),
        land: LandSizes::RETAIL,
        heights: (0..256).map(|i| i as f32 * 2.0).collect(),
        time: GameTime {
            zero_time_of_year: 3600.0,
            zero_year: 10,
            day_length: 7620.0,
            days_per_year: 360,
            year_spec: text("P.Y."),
            times_of_day: vec![TimeOfDay { begin: 0.0, night: true, name: text("Darktide") }],
            week_days: vec![text("Frostfell"), text("")],
            seasons: vec![Season { begin_day: 30, name: text("Snowreap") }],
        },
        other_parts: RegionDesc::TERRAIN_PART | 8,
        sky: Some(sky()),
        sounds: Some(vec![AmbientSounds { table: RecordId(0x2000_0001), sounds: [sound].into() }]),
        scene_types: Some(vec![SceneType { sounds: 0, scenes: [RecordId(0x1200_0001)].into() }]),
        terrain: TerrainDesc {
            types: vec![TerrainType {
                name: text("Café"),
                map_colour: Colour(0xFF00_8000),
                scene_types: [0, -1].into(),
            }],
            textures: TextureMerge {
                base_size: 256,
                corner_maps: vec![mask],
                side_maps: vec![mask, mask],
                road_maps: vec![mask],
                textures: vec![texture],
            },
        },
        misc: Some(RegionMisc {
            version: 1,
            game_map: RecordId(0x0600_0001),
            autotest_map: RecordId::NONE,
            autotest_size: 0,
            clear_cell: RecordId(0x0100_0001),
            clear_monster: RecordId(0x0200_0001),
        }),
    }
}

fn scene() -> Scene {
    let object = SceneObject {
        object: RecordId(0x0200_0001),
        frame: frame(),
        frequency: 0.5,
        displace_x: 12.0,
        displace_y: 12.0,
        min_scale: 0.8,
        max_scale: 1.2,
        max_rotation: 360.0,
        min_slope: 0.6,
        max_slope: 1.0,
        align: 0,
        orient: 0,
        weenie: 0,
    };
    Scene { id: RecordId(0x1200_0001), objects: vec![object, object] }
}

fn image(id: u32, format: PixelFormat) -> RenderSurface {
    let bytes = usize::try_from(format.byte_count(8, 8).unwrap()).unwrap();
    RenderSurface {
        id: RecordId(id),
        category: 1,
        width: 8,
        height: 8,
        format,
        bytes: (0..bytes).map(|i| (i % 251) as u8).collect(),
        palette: format.has_palette().then_some(RecordId(0x0400_0001)),
    }
}

fn land_block_info() -> LandBlockInfo {
    let portal = BuildingPortalInfo {
        flags: PortalFlags(3),
        other_cell: 0x100,
        other_portal: 0,
        visible: [0x100, 0x101, 0x102].into(),
    };
    let building = BuildingInfo {
        model: RecordId(0x0100_0001),
        frame: frame(),
        leaves: 2,
        portals: vec![portal],
    };
    let guard = Restriction { cell: CellId(0xA9B4_0001), object: RecordId(0x7000_0001) };
    LandBlockInfo {
        block: BlockId(0xA9B4),
        cells: 3,
        objects: vec![Stab { model: RecordId(0x0200_0001), frame: frame() }],
        other_mask: 2,
        buildings: vec![building.clone(), building],
        restrictions: Some(Restrictions { buckets: 16, entries: vec![guard] }),
    }
}

fn env_cell() -> EnvCell {
    let portal =
        CellPortal { flags: PortalFlags(1), polygon: 2, other_cell: 0x101, other_portal: 0 };
    EnvCell {
        id: CellId(0xA9B4_0100),
        flags: EnvCellFlags(11),
        surfaces: vec![1, 1, 1],
        environment: 1,
        structure: 0,
        position: frame(),
        portals: vec![portal],
        visible: vec![0x101],
        statics: vec![Stab { model: RecordId(0x0100_0001), frame: frame() }],
        restriction: Some(RecordId(0x7000_0001)),
    }
}

fn surface(surface_type: u32, fill: SurfaceFill) -> Surface {
    Surface { surface_type, fill, translucency: 0.25, luminosity: 0.0, diffuse: 1.0 }
}

/// One record of every kind, with its file and id.
pub(crate) fn records() -> Vec<(FileKind, RecordId, AnyRecord)> {
    let picture =
        SurfaceFill::Image { texture: RecordId(0x0500_0001), palette: RecordId(0x0400_0001) };
    let degrade = DegradeInfo {
        id: RecordId(0x1100_0001),
        levels: vec![DegradeLevel {
            model: RecordId(0x0100_0001),
            mode: 1,
            min: 0.0,
            ideal: 50.0,
            max: f32::MAX,
        }],
    };
    let texture = SurfaceTexture {
        id: RecordId(0x0500_0001),
        category: 0,
        kind: 2,
        images: vec![RecordId(0x0600_0001), RecordId(0x0600_0002)],
    };
    let palette = Palette { id: RecordId(0x0400_0001), colours: (0..256).map(Colour).collect() };
    let mut ground = LandBlock::flat(BlockId(0xA9B4));
    ground.has_info = 1;
    ground.heights[5] = 9;
    ground.terrain[80] = TerrainWord(0xFFFF);
    let cell = |id: u32, record| (FileKind::Cell, RecordId(id), record);
    let portal = |id: u32, record| (FileKind::Portal, RecordId(id), record);
    vec![
        cell(0xA9B4_FFFF, AnyRecord::LandBlock(ground)),
        cell(0xA9B4_FFFE, AnyRecord::LandBlockInfo(land_block_info())),
        cell(0xA9B4_0100, AnyRecord::EnvCell(env_cell())),
        portal(0x0100_0001, AnyRecord::GfxObj(gfx_obj())),
        portal(0x0200_0001, AnyRecord::Setup(setup())),
        portal(0x0300_0001, AnyRecord::Animation(animation())),
        portal(0x0400_0001, AnyRecord::Palette(palette)),
        portal(0x0500_0001, AnyRecord::SurfaceTexture(texture)),
        portal(0x0600_0001, AnyRecord::RenderSurface(image(0x0600_0001, PixelFormat::Index16))),
        portal(0x0600_0002, AnyRecord::RenderSurface(image(0x0600_0002, PixelFormat::Dxt5))),
        portal(0x0800_0001, AnyRecord::Surface(surface(2, picture))),
        portal(
            0x0800_0002,
            AnyRecord::Surface(surface(1, SurfaceFill::Colour(Colour(0xFF11_2233)))),
        ),
        portal(0x0900_0001, AnyRecord::MotionTable(motion_table())),
        portal(0x0A00_0001, AnyRecord::Opaque(OpaqueRecord { bytes: [1, 2, 3, 4, 5].into() })),
        portal(0x0D00_0001, AnyRecord::Environment(environment())),
        portal(0x1100_0001, AnyRecord::DegradeInfo(degrade)),
        portal(0x1200_0001, AnyRecord::Scene(scene())),
        portal(0x1300_0000, AnyRecord::Region(region())),
        portal(0xFFFF_0001, AnyRecord::Iterations(Iterations::up_to(9))),
    ]
}
