// The ground: up to four kinds of it and a road, each over what is below it where a mask lets it.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // In the land cell: to the east, and from the north.
    @location(2) uv: vec2<f32>,
    // Base and three overlays, a byte each; their masks; the masks of roads; the triangle.
    @location(3) layers: vec4<u32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) layers: vec4<u32>,
};

struct Kinds {
    // How often the picture repeats in a land cell; 1 where it flows.
    words: array<vec4<f32>, 33>,
};

@group(2) @binding(0) var<uniform> kinds: Kinds;
@group(2) @binding(1) var smooth_sampler: sampler;
@group(2) @binding(2) var mask_sampler: sampler;
@group(2) @binding(3) var grounds: texture_2d_array<f32>;
@group(2) @binding(4) var masks: texture_2d_array<f32>;

@vertex
fn corner(in: Corner) -> Shown {
    var out: Shown;
    out.at = in.position + place.offset.xyz;
    out.screen = frame.screen * vec4<f32>(out.at, 1.0);
    out.normal = in.normal;
    out.uv = in.uv;
    out.layers = in.layers;
    return out;
}

fn ground(kind: u32, uv: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> vec3<f32> {
    let word = kinds.words[kind];
    let drift = vec2<f32>(sin(frame.sun.w * 0.35), frame.sun.w * 0.06) * 0.05 * word.y;
    let at = uv * word.x + drift;
    return textureSampleGrad(grounds, smooth_sampler, at, i32(kind), dx * word.x, dy * word.x).rgb;
}

// How much of what is below shows: the mask, turned by quarters.
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

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    if frame.more.y > 0.5 {
        return vec4<f32>(flat_colour(place.cell.x, in.layers.w), 1.0);
    }
    let dx = dpdx(in.uv);
    let dy = dpdy(in.uv);
    var colour = ground(in.layers.x & 0xFFu, in.uv, dx, dy);
    for (var number = 1u; number < 4u; number += 1u) {
        let kind = (in.layers.x >> (8u * number)) & 0xFFu;
        if kind == 0xFFu { continue; }
        let mask = (in.layers.y >> (8u * number)) & 0xFFu;
        colour = mix(ground(kind, in.uv, dx, dy), colour, below(mask, in.uv));
    }
    for (var number = 0u; number < 2u; number += 1u) {
        let mask = (in.layers.z >> (8u * number)) & 0xFFu;
        if mask == 0xFFu { continue; }
        colour = mix(ground(32u, in.uv, dx, dy), colour, below(mask, in.uv));
    }
    return vec4<f32>(fogged(colour * lit(normalize(in.normal), in.at), in.at), 1.0);
}
