// Terrain: a base texture, with overlays and roads blended through masks.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Position in the land cell: eastwards, and southwards from the north.
    @location(2) uv: vec2<f32>,
    // Base in the low and triangle in the high 16 bits; then two covers per word, each with terrain type and mask.
    @location(3) layers: vec4<u32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) layers: vec4<u32>,
    // Brightness factor against visible repeats.
    @location(4) tint: f32,
};

struct Kinds {
    // x: repeats of the texture per land cell; y: 1 for water.
    words: array<vec4<f32>, 33>,
};

@group(2) @binding(0) var<uniform> kinds: Kinds;
@group(2) @binding(1) var smooth_sampler: sampler;
@group(2) @binding(2) var mask_sampler: sampler;
@group(2) @binding(3) var grounds: texture_2d_array<f32>;
@group(2) @binding(4) var masks: texture_2d_array<f32>;

// Largest number of covers over the base.
override covers: u32 = 5u;

// Hash of a lattice point, -1 to 1.
fn chance(at: vec2<i32>) -> f32 {
    var hash = bitcast<u32>(at.x) * 0x9E3779B1u + bitcast<u32>(at.y) * 0x85EBCA77u;
    hash = (hash ^ (hash >> 15u)) * 0x2C1B3C6Du;
    hash = hash ^ (hash >> 13u);
    return f32(hash & 0xFFFFu) / 32767.5 - 1.0;
}

fn noise(at: vec2<f32>) -> f32 {
    let low = vec2<i32>(floor(at));
    let part = smoothstep(vec2<f32>(0.0), vec2<f32>(1.0), fract(at));
    let south = mix(chance(low), chance(low + vec2<i32>(1, 0)), part.x);
    let north = mix(chance(low + vec2<i32>(0, 1)), chance(low + vec2<i32>(1, 1)), part.x);
    return mix(south, north, part.y);
}

// Textures repeat in every land cell, which shows on wide slopes; noise of a larger scale hides it. It depends on map
// coordinates, so that landblocks match.
fn tinted(in: Corner) -> f32 {
    let block = vec2<f32>(f32(place.cell >> 24u), f32((place.cell >> 16u) & 0xFFu));
    let at = block * 192.0 + in.position.xy;
    let steep = smoothstep(0.95, 0.6, in.normal.z);
    // Horizontal layers on steep slopes.
    let layer = noise(vec2<f32>(in.position.z / 19.0, at.x / 400.0));
    let wide = 0.6 * noise(at / 105.0) + 0.4 * noise(at / 37.0);
    return 1.0 + mix(0.08, 0.24, steep) * wide + 0.14 * steep * layer;
}

@vertex
fn corner(in: Corner) -> Shown {
    var out: Shown;
    out.at = (in.position + place.offset.xyz) + place.rest.xyz;
    out.screen = frame.screen * vec4<f32>(out.at, 1.0);
    out.normal = in.normal;
    out.uv = in.uv;
    out.layers = in.layers;
    out.tint = tinted(in);
    return out;
}

fn ground(kind: u32, uv: vec2<f32>) -> vec3<f32> {
    let word = kinds.words[min(kind, 32u)];
    let drift = vec2<f32>(sin(frame.sun.w * 0.35), frame.sun.w * 0.06) * 0.05 * word.y;
    let at = uv * word.x + drift;
    return textureSample(grounds, smooth_sampler, at, i32(kind)).rgb;
}

// Visibility of the layers below: the mask, rotated by quarter turns.
fn below(packed: u32, uv: vec2<f32>) -> f32 {
    var at = uv;
    switch packed >> 6u {
        case 1u: { at = vec2<f32>(1.0 - uv.y, uv.x); }
        case 2u: { at = vec2<f32>(1.0) - uv; }
        case 3u: { at = vec2<f32>(uv.y, 1.0 - uv.x); }
        default: {}
    }
    return textureSampleLevel(masks, mask_sampler, at, i32(packed & 0x3Fu), 0.0).a;
}

fn cover(layers: vec4<u32>, number: u32) -> u32 {
    return (layers[1u + number / 2u] >> (16u * (number % 2u))) & 0xFFFFu;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    var colour = ground(in.layers.x & 0xFFu, in.uv);
    for (var number = 0u; number < covers; number += 1u) {
        let over = cover(in.layers, number);
        let part = select(below(over >> 8u, in.uv), 1.0, over == 0xFFFFu);
        colour = mix(ground(min(over & 0xFFu, 32u), in.uv), colour, part);
    }
    if is_cut && dot(opening.xyz, in.at) + opening.w < 0.0 { discard; }
    if frame.style.x > 0.5 {
        return vec4<f32>(flat_colour(place.cell, in.layers.x >> 16u), 1.0);
    }
    return vec4<f32>(fogged(colour * in.tint * lit(normalize(in.normal), in.at), in.at), 1.0);
}
