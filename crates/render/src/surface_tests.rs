//! Tests of surface flags: rooms and houses with one surface, compared by the pixels that are drawn.

use std::sync::Arc;

use threshold_dat::{
    Colour, EnvCell, Environment, FileKind, IndexedPolygon, Palette, PixelFormat, Polygons,
    RecordId, RecordKind, RecordSet, Records, RenderSurface, Source, Surface, SurfaceFill,
    SurfaceTexture, VertexArray, surface_type,
};
use threshold_forge::{MadeWorld, samples};
use threshold_land::CellId;
use threshold_land::vector::{DVec3, Vec2};
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};
use threshold_visuals::day::Daylight;
use threshold_visuals::images::Image;
use threshold_world::{Builder, World};

use super::{Gpu, RegionMasks, RenderScene, Renderer, Style};

const TEXTURE: RecordId = RecordId(0x0500_0001);
const IMAGE: RecordId = RecordId(0x0600_0001);
const PALETTE: RecordId = RecordId(0x0400_0001);

const SIZE: [u32; 2] = [96, 64];

/// Replaces every surface of a world by one with a square image.
fn with_surface(world: MadeWorld, bits: u32, format: PixelFormat, bytes: &[u8]) -> RecordSet {
    let mut set = world.into_records();
    let fill = SurfaceFill::Image { texture: TEXTURE, palette: RecordId::NONE };
    let (translucency, luminosity, diffuse) = (0.0, 1.0, 1.0);
    let surface = Surface { surface_type: bits, fill, translucency, luminosity, diffuse };
    for id in set.ids(FileKind::Portal) {
        if RecordKind::from_id(FileKind::Portal, id) == RecordKind::Surface {
            set.put(id, &surface).unwrap();
        }
    }
    let images = vec![IMAGE];
    set.put(TEXTURE, &SurfaceTexture { id: TEXTURE, category: 0, kind: 2, images }).unwrap();
    let has_palette = format.has_palette();
    let pixels = bytes.len() / if has_palette { 1 } else { 4 };
    let side = u32::try_from(pixels.isqrt()).unwrap();
    let palette = has_palette.then_some(PALETTE);
    let (width, height, bytes) = (side, side, bytes.into());
    let image = RenderSurface { id: IMAGE, category: 0, width, height, format, bytes, palette };
    set.put(IMAGE, &image).unwrap();
    let colours = vec![Colour(0x9640_80C0); 2048];
    set.put(PALETTE, &Palette { id: PALETTE, colours }).unwrap();
    set
}

/// Returns a viewer in the western room that looks at its west wall.
fn indoors() -> Viewer {
    let (eye, look) = (DVec3::new(3.5, 2.0, 1.5), DVec3::new(0.0, 2.0, 1.5));
    Viewer::looking_at(CellId(0x0102_0100), eye, look, Lens::default()).unwrap()
}

/// Returns a viewer in front of a house.
fn outdoors() -> Viewer {
    let (eye, look) = (DVec3::new(84.0, 60.0, 62.0), DVec3::new(84.0, 78.0, 62.0));
    Viewer::looking_at(CellId(0xA9B4_001B), eye, look, Lens::default()).unwrap()
}

/// Draws a world for a viewer.
fn draw(set: RecordSet, viewer: &Viewer, daylight: &Daylight, style: Style) -> Image {
    let source = Arc::new(set);
    let builder = Builder::shared(source.clone());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    let mut scratch = ViewScratch::new();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), viewer);
    let gpu = Arc::new(Gpu::headless().unwrap_or_else(|error| panic!("{error}")));
    let mut renderer = Renderer::headless(gpu, source, 1);
    let scene = RenderScene {
        world: &world,
        viewer,
        seen,
        daylight,
        seconds: 0.0,
        style,
        poses: &[],
        hidden: None,
        lines: &[],
        masks: RegionMasks::Applied,
        clear: [1.0, 0.0, 1.0],
    };
    let (picture, _) = renderer.capture(&scene, SIZE).unwrap();
    assert_eq!(renderer.faults().next(), None);
    picture
}

/// Draws a room of one colour with an alpha.
fn room(bits: u32, alpha: u8) -> Image {
    let set = with_surface(
        samples::two_rooms().unwrap(),
        bits,
        PixelFormat::A8R8G8B8,
        &[200, 90, 40, alpha],
    );
    draw(set, &indoors(), &Daylight::plain(), Style::Lit)
}

/// Draws a room with a palette whose colours have an alpha of 150.
fn indexed_room(bits: u32) -> Image {
    let set = with_surface(samples::two_rooms().unwrap(), bits, PixelFormat::P8, &[9]);
    draw(set, &indoors(), &Daylight::plain(), Style::Lit)
}

#[test]
fn the_cutoff_of_clip_maps_was_the_same_with_and_without_a_palette() {
    use surface_type::{CLIP_MAP, IMAGE, INVERSE_ALPHA};
    let nothing = room(IMAGE | INVERSE_ALPHA, 255);
    assert!(room(CLIP_MAP, 150) == nothing);
    assert!(room(CLIP_MAP, 210) == room(IMAGE, 210));
    assert!(room(IMAGE, 210) != nothing);
    assert!(indexed_room(CLIP_MAP) == indexed_room(IMAGE));
}

#[test]
fn clip_maps_lost_the_alpha_of_their_image() {
    use surface_type::{ALPHA, CLIP_MAP, IMAGE, INVERSE_ALPHA};
    for alpha in [210, 240] {
        assert!(room(CLIP_MAP | ALPHA, alpha) == room(IMAGE | ALPHA, alpha), "{alpha}");
        let turned = room(CLIP_MAP | INVERSE_ALPHA, alpha);
        assert!(turned == room(IMAGE | INVERSE_ALPHA, alpha), "{alpha}");
        assert!(turned != room(IMAGE | INVERSE_ALPHA, 255), "it was invisible");
    }
}

#[test]
fn additive_surfaces_became_brighter_in_fog() {
    use surface_type::{ADDITIVE, ALPHA, IMAGE};
    let house = |bits: u32, alpha: u8, fog: [f32; 2]| {
        let white = [255, 255, 255, alpha];
        let world = samples::house_on_a_hill().unwrap();
        let set = with_surface(world, IMAGE | bits, PixelFormat::A8R8G8B8, &white);
        let mut daylight = Daylight::plain();
        (daylight.fog.near, daylight.fog.far) = (fog[0], fog[1]);
        draw(set, &outdoors(), &daylight, Style::Lit)
    };
    let (thick, thin) = ([0.0, 1.0], [1000.0, 2000.0]);
    assert!(house(ADDITIVE, 255, thick) == house(ALPHA, 0, thick));
    assert!(house(ADDITIVE, 255, thin) != house(ALPHA, 0, thin));
}

/// Shows the texture once on each wall, without repeats.
fn clamped(mut set: RecordSet) -> RecordSet {
    let mut records = Records::new(&set);
    let room: EnvCell = records.get(RecordId(0x0102_0100)).unwrap().unwrap();
    let mut shapes: Environment = records.get(room.environment_id()).unwrap().unwrap();
    for structure in &mut shapes.structures {
        let mut vertices = VertexArray::default();
        let uvs = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        for vertex in structure.vertices.iter() {
            vertices.push(threshold_dat::Vertex { uvs: &uvs, ..vertex }).unwrap();
        }
        let mut polygons = Polygons::default();
        for polygon in structure.drawing.iter() {
            let polygon = match polygon.front_uvs.len() {
                4 => IndexedPolygon { stippling: 0, front_uvs: &[0, 1, 2, 3], ..polygon },
                _ => polygon,
            };
            polygons.push(polygon).unwrap();
        }
        (structure.vertices, structure.drawing) = (vertices, polygons);
    }
    set.put(shapes.id, &shapes).unwrap();
    set
}

/// Returns the red values of the middle column and row of the wall in the middle of a frame. `wall` is the frame in flat
/// colours.
fn lines(frame: &Image, wall: &Image) -> [Vec<u8>; 2] {
    let [x, y] = SIZE.map(|side| side / 2);
    let is_wall = |x: u32, y: u32| wall.at(x, y) == wall.at(SIZE[0] / 2, SIZE[1] / 2);
    let row = (0..SIZE[0]).filter(|x| is_wall(*x, y)).map(|x| frame.at(x, y)[0]);
    let column = (0..SIZE[1]).filter(|y| is_wall(x, *y)).map(|y| frame.at(x, y)[0]);
    [column.collect(), row.collect()]
}

#[test]
fn the_opposite_edge_of_a_texture_showed_at_its_border() {
    for side in [4_u32, 8, 32, 64] {
        let bit = surface_type::IMAGE;
        // Black and white, divided by the diagonal.
        let pixel = |x: u32, y: u32| if x + y < side { [0, 0, 0, 255] } else { [255; 4] };
        let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let bytes: Vec<u8> = places.flat_map(|(x, y)| pixel(x, y)).collect();
        let set = with_surface(samples::two_rooms().unwrap(), bit, PixelFormat::A8R8G8B8, &bytes);
        let set = clamped(set);
        let day = Daylight::plain();
        let wall = draw(set.clone(), &indoors(), &day, Style::Ids);
        let picture = draw(set, &indoors(), &day, Style::Lit);
        for line in lines(&picture, &wall) {
            assert!(line.len() > 20, "{line:?}");
            let is_even = line.is_sorted() || line.iter().rev().is_sorted();
            assert!(is_even, "{side} pixels: {line:?}");
        }
    }
}
