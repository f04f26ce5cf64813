// Models and rooms.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // First: 0-7 the layer of its picture, 8 holes, 9 alpha, 10 alpha the other way round, 11 the picture repeats, 12-14 how often
    // it lies along its layer (a power of two), 16-23 translucency, 24-31 glow. Second: 0-15 the polygon, 16-23 how much of the light
    // it shows, 24 it is added to what is behind, 25 it has a palette, 26-28 and 29-31 how much it was stretched across and down (a
    // power of two).
    @location(3) what: vec2<u32>,
    // Where the model stands: three rows, in the frame of the landblock, in whole steps.
    @location(4) row_x: vec4<f32>,
    @location(5) row_y: vec4<f32>,
    @location(6) row_z: vec4<f32>,
    // What is left of where it stands, in steps; 1 where it turns to the eye.
    @location(7) rest: vec4<f32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) what: vec2<u32>,
};

@group(2) @binding(0) var smooth_sampler: sampler;
@group(2) @binding(1) var pictures: texture_2d_array<f32>;

const STEP: f32 = 0.00390625;

fn placed(in: Corner) -> Shown {
    let origin = (vec3<f32>(in.row_x.w, in.row_y.w, in.row_z.w) + place.offset.xyz) + place.rest.xyz;
    var x = in.row_x.xyz;
    var y = in.row_y.xyz;
    if in.rest.w > 0.5 {
        // Its front, which is in the first row, is turned about the upright to where the eye is.
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
    out.what = in.what;
    return out;
}

@vertex
fn corner(in: Corner) -> Shown {
    return placed(in);
}

// What hangs in the sky lies behind everything but the sky itself.
@vertex
fn far_corner(in: Corner) -> Shown {
    var out = placed(in);
    out.screen.z = 2e-7 * out.screen.w;
    let scale = 1.0 / f32(1u << ((in.what.x >> 12u) & 7u));
    out.uv += place.drift * scale;
    return out;
}

// Colour and alpha of the surface; what is a hole is not drawn.
fn surface(in: Shown) -> vec4<f32> {
    let what = in.what.x;
    var uv = in.uv;
    let size = vec2<f32>(textureDimensions(pictures));
    // How many of its pixels lie across one of the screen.
    let across = max(abs(dpdx(uv)), abs(dpdy(uv))) * size;
    if (what & 0x800u) == 0u {
        // It ends in the middle of its last pixel, as seen from here: farther out the other side of the next picture begins, which
        // also shows in pixels that were made when it was stretched.
        let scale = 1.0 / f32(1u << ((what >> 12u) & 7u));
        let stretched = (vec2<u32>(in.what.y) >> vec2<u32>(26u, 29u)) & vec2<u32>(7u);
        let made = select(vec2<f32>(0.0), vec2<f32>(0.5), stretched > vec2<u32>(0u));
        let edge = vec2<f32>(vec2<u32>(1u) << stretched) * 0.5 + made + max(across - 0.5, vec2<f32>(0.0));
        let inset = min(edge / size, vec2<f32>(0.5 * scale));
        uv = clamp(uv, inset, vec2<f32>(scale) - inset);
    }
    var colour = textureSample(pictures, smooth_sampler, uv, i32(what & 0xFFu));
    if (what & 0x100u) != 0u {
        let has_palette = (in.what.y & 0x2000000u) != 0u;
        if colour.a < select(200.0, 100.0, has_palette) / 255.0 { discard; }
    }
    if (what & 0x600u) == 0u { colour.a = 1.0; }
    if (what & 0x400u) != 0u { colour.a = 1.0 - colour.a; }
    colour.a *= 1.0 - f32((what >> 16u) & 0xFFu) / 255.0;
    return colour;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface(in);
    if is_cut && dot(opening.xyz, in.at) + opening.w < 0.0 { discard; }
    if frame.style.x > 0.5 {
        return vec4<f32>(flat_colour(place.cell, in.what.y & 0xFFFFu), 1.0);
    }
    let glow = f32(in.what.x >> 24u) / 255.0;
    let shown = f32((in.what.y >> 16u) & 0xFFu) / 255.0;
    // Between corners that face away from each other there may be no normal at all.
    let normal = in.normal / max(length(in.normal), 0.000001);
    let light = mix(lit(normal, in.at) * shown, vec3<f32>(1.0), glow);
    let clear = fogged(colour.rgb * light, in.at);
    // What is behind is in fog already: to what shines before it fog adds nothing, and takes away as much as from anything.
    if (in.what.y & 0x1000000u) != 0u { return vec4<f32>(clear - fogged(vec3<f32>(0.0), in.at), colour.a); }
    return vec4<f32>(clear, colour.a);
}

// What hangs in the sky is never in the way, and shines by itself.
@fragment
fn celestial(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface(in);
    return hazy(colour * place.ambient, in.at, (in.what.x & 0x600u) == 0u);
}

struct Veil {
    @builtin(frag_depth) depth: f32,
    @location(0) colour: vec4<f32>,
};

// Parts of a picture from side to side that fall at one distance.
const COLUMNS: f32 = 64.0;
// The nearest of them, in parts of how far away the curtain is.
const NEAREST: f32 = 0.04;

// What falls from the sky. Its curtain stands for drops all the way to it: each column of its picture falls at a distance of its own, counted
// from where the line of sight comes out of doors. So what is nearer than the drops hides them, and no room has any.
@fragment
fn veiled(in: Shown) -> Veil {
    let colour = surface(in);
    let repeats = f32(1u << ((in.what.x >> 12u) & 7u));
    let column = u32(i32(floor(in.uv.x * repeats * COLUMNS)));
    var hash = column * 0x9E3779B1u;
    hash = (hash ^ (hash >> 15u)) * 0x2C1B3C6Du;
    let chance = f32((hash ^ (hash >> 13u)) & 0xFFFFu) / 65535.0;
    let part = mix(NEAREST, 1.0, chance * place.rest.w);
    // Where there is no opening the plane is none, and all of the line is outdoors.
    let along = dot(opening.xyz, in.at);
    let outdoors = select(0.0, max(-opening.w, 0.0) / along, along > 0.000001);
    let screen = frame.screen * vec4<f32>(in.at * (outdoors + part), 1.0);
    var out: Veil;
    out.depth = clamp(screen.z / screen.w, 0.0, 1.0);
    out.colour = hazy(colour * place.ambient, in.at, (in.what.x & 0x600u) == 0u);
    return out;
}
