// Models, rooms, celestial objects and weather.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // First word: bits 0-7 texture layer, 8 holes, 9 alpha, 10 inverted alpha, 11 texture repeats, 12-14 repeats along the
    // layer (power of two), 16-23 translucency, 24-31 luminosity. Second word: 0-15 polygon, 16-23 diffuse reflection,
    // 24 additive, 25 has a palette, 26-28 and 29-31 stretch in width and height (powers of two).
    @location(3) surface: vec2<u32>,
    // Rows of the instance transform, with the position in whole steps in the frame of the landblock.
    @location(4) row_x: vec4<f32>,
    @location(5) row_y: vec4<f32>,
    @location(6) row_z: vec4<f32>,
    // Remainder of the position, in steps; w is 1 for a billboard.
    @location(7) rest: vec4<f32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) surface: vec2<u32>,
};

@group(2) @binding(0) var smooth_sampler: sampler;
@group(2) @binding(1) var pictures: texture_2d_array<f32>;

const STEP: f32 = 0.00390625;

fn placed(in: Corner) -> Shown {
    let origin = (vec3<f32>(in.row_x.w, in.row_y.w, in.row_z.w) + place.offset.xyz) + place.rest.xyz;
    var x = in.row_x.xyz;
    var y = in.row_y.xyz;
    if in.rest.w > 0.5 {
        // Rotates its front, stored in the first row, about the vertical axis towards the eye.
        let front = in.row_x.xy;
        let eye = -origin.xy / max(length(origin.xy), 0.000001);
        let along = dot(front, eye);
        let aside = front.x * eye.y - front.y * eye.x;
        x = vec3<f32>(along, -aside, 0.0);
        y = vec3<f32>(aside, along, 0.0);
    }
    let turned = vec3<f32>(dot(x, in.position), dot(y, in.position), dot(in.row_z.xyz, in.position));
    var out: Shown;
    out.at = (turned + in.rest.xyz * STEP) + origin;
    out.screen = frame.screen * vec4<f32>(out.at, 1.0);
    out.normal = vec3<f32>(dot(x, in.normal), dot(y, in.normal), dot(in.row_z.xyz, in.normal));
    out.uv = in.uv;
    out.surface = in.surface;
    return out;
}

@vertex
fn corner(in: Corner) -> Shown {
    return placed(in);
}

// Celestial objects are behind everything but the backdrop.
@vertex
fn far_corner(in: Corner) -> Shown {
    var out = placed(in);
    out.screen.z = 2e-7 * out.screen.w;
    let scale = 1.0 / f32(1u << ((in.surface.x >> 12u) & 7u));
    out.uv += place.drift * scale;
    return out;
}

// Samples colour and alpha of the surface; discards holes.
fn surface_colour(in: Shown) -> vec4<f32> {
    let word = in.surface.x;
    var uv = in.uv;
    let size = vec2<f32>(textureDimensions(pictures));
    // Texels per pixel.
    let across = max(abs(dpdx(uv)), abs(dpdy(uv))) * size;
    if (word & 0x800u) == 0u {
        // Clamp to the centre of the last texel at the sampled scale: beyond it the next repeat in the layer would bleed in,
        // also through texels interpolated when the image was stretched.
        let scale = 1.0 / f32(1u << ((word >> 12u) & 7u));
        let stretched = (vec2<u32>(in.surface.y) >> vec2<u32>(26u, 29u)) & vec2<u32>(7u);
        let made = select(vec2<f32>(0.0), vec2<f32>(0.5), stretched > vec2<u32>(0u));
        let edge = vec2<f32>(vec2<u32>(1u) << stretched) * 0.5 + made + max(across - 0.5, vec2<f32>(0.0));
        let inset = min(edge / size, vec2<f32>(0.5 * scale));
        uv = clamp(uv, inset, vec2<f32>(scale) - inset);
    }
    var colour = textureSample(pictures, smooth_sampler, uv, i32(word & 0xFFu));
    if (word & 0x100u) != 0u {
        let has_palette = (in.surface.y & 0x2000000u) != 0u;
        if colour.a < select(200.0, 100.0, has_palette) / 255.0 { discard; }
    }
    if (word & 0x600u) == 0u { colour.a = 1.0; }
    if (word & 0x400u) != 0u { colour.a = 1.0 - colour.a; }
    colour.a *= 1.0 - f32((word >> 16u) & 0xFFu) / 255.0;
    return colour;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface_colour(in);
    if is_cut && dot(opening.xyz, in.at) + opening.w < 0.0 { discard; }
    if frame.style.x > 0.5 {
        return vec4<f32>(flat_colour(place.cell, in.surface.y & 0xFFFFu), 1.0);
    }
    let glow = f32(in.surface.x >> 24u) / 255.0;
    let shown = f32((in.surface.y >> 16u) & 0xFFu) / 255.0;
    // Interpolated normals of opposite vertices may vanish.
    let normal = in.normal / max(length(in.normal), 0.000001);
    let light = mix(lit(normal, in.at) * shown, vec3<f32>(1.0), glow);
    let clear = fogged(colour.rgb * light, in.at);
    // The target is fogged already: fog adds no colour to an additive fragment, it only dims it.
    if (in.surface.y & 0x1000000u) != 0u { return vec4<f32>(clear - fogged(vec3<f32>(0.0), in.at), colour.a); }
    return vec4<f32>(clear, colour.a);
}

// Celestial objects are unlit.
@fragment
fn celestial(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface_colour(in);
    return hazy(colour * place.ambient, in.at, (in.surface.x & 0x600u) == 0u);
}

struct Veil {
    @builtin(frag_depth) depth: f32,
    @location(0) colour: vec4<f32>,
};

// Columns of a texture that fall at different distances.
const COLUMNS: f32 = 64.0;
// Smallest distance of a column, relative to the curtain.
const NEAREST: f32 = 0.04;

// Weather. Its curtain stands for drops at all distances: each column of its texture has a distance of its own, measured
// from the point where the line of sight leaves the room. So nearer objects hide the drops, and no rain falls in rooms.
@fragment
fn veiled(in: Shown) -> Veil {
    let colour = surface_colour(in);
    let repeats = f32(1u << ((in.surface.x >> 12u) & 7u));
    let column = u32(i32(floor(in.uv.x * repeats * COLUMNS)));
    var hash = column * 0x9E3779B1u;
    hash = (hash ^ (hash >> 15u)) * 0x2C1B3C6Du;
    let chance = f32((hash ^ (hash >> 13u)) & 0xFFFFu) / 65535.0;
    let part = mix(NEAREST, 1.0, chance * place.rest.w);
    // Without a portal the plane is zero, and the whole line is outdoors.
    let along = dot(opening.xyz, in.at);
    let outdoors = select(0.0, max(-opening.w, 0.0) / along, along > 0.000001);
    let screen = frame.screen * vec4<f32>(in.at * (outdoors + part), 1.0);
    var out: Veil;
    out.depth = clamp(screen.z / screen.w, 0.0, 1.0);
    out.colour = hazy(colour * place.ambient, in.at, (in.surface.x & 0x600u) == 0u);
    return out;
}
