// Models and rooms.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // The material, and 1 in the highest bit where its picture repeats; the polygon.
    @location(3) what: vec2<u32>,
    // Where the model stands: three rows, in the frame of the landblock.
    @location(4) row_x: vec4<f32>,
    @location(5) row_y: vec4<f32>,
    @location(6) row_z: vec4<f32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) what: vec2<u32>,
};

struct Materials {
    words: array<vec4<u32>, 1000>,
};

@group(2) @binding(0) var<uniform> materials: Materials;
@group(2) @binding(1) var smooth_sampler: sampler;
@group(2) @binding(2) var pictures_64: texture_2d_array<f32>;
@group(2) @binding(3) var pictures_128: texture_2d_array<f32>;
@group(2) @binding(4) var pictures_256: texture_2d_array<f32>;
@group(2) @binding(5) var pictures_512: texture_2d_array<f32>;

fn placed(in: Corner) -> Shown {
    let local = vec4<f32>(in.position, 1.0);
    let there = vec3<f32>(dot(in.row_x, local), dot(in.row_y, local), dot(in.row_z, local));
    var out: Shown;
    out.at = there + place.offset.xyz;
    out.screen = frame.screen * vec4<f32>(out.at, 1.0);
    let normal = vec3<f32>(
        dot(in.row_x.xyz, in.normal),
        dot(in.row_y.xyz, in.normal),
        dot(in.row_z.xyz, in.normal),
    );
    out.normal = normal;
    out.uv = in.uv;
    out.what = in.what;
    return out;
}

@vertex
fn corner(in: Corner) -> Shown {
    return placed(in);
}

// What hangs in the sky lies behind everything.
@vertex
fn far_corner(in: Corner) -> Shown {
    var out = placed(in);
    out.screen.z = 0.0;
    out.uv += vec2<f32>(bitcast<f32>(place.cell.z), bitcast<f32>(place.cell.w));
    return out;
}

fn sampled(word: vec4<u32>, uv: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> vec4<f32> {
    let layer = i32(word.y);
    switch word.x & 0xFFu {
        case 0u: { return textureSampleGrad(pictures_64, smooth_sampler, uv, layer, dx, dy); }
        case 1u: { return textureSampleGrad(pictures_128, smooth_sampler, uv, layer, dx, dy); }
        case 2u: { return textureSampleGrad(pictures_256, smooth_sampler, uv, layer, dx, dy); }
        default: { return textureSampleGrad(pictures_512, smooth_sampler, uv, layer, dx, dy); }
    }
}

// Colour and alpha of the surface; what is a hole is not drawn.
fn surface(in: Shown) -> vec4<f32> {
    let word = materials.words[in.what.x & 0x7FFFFFFFu];
    let dx = dpdx(in.uv);
    let dy = dpdy(in.uv);
    var uv = in.uv;
    if (in.what.x & 0x80000000u) == 0u {
        uv = clamp(uv, vec2<f32>(0.004), vec2<f32>(0.996));
    }
    var colour = sampled(word, uv, dx, dy);
    if (word.x & 0x100u) != 0u {
        if colour.a < 0.4 { discard; }
        colour.a = 1.0;
    }
    if (word.x & 0x600u) == 0u { colour.a = 1.0; }
    if (word.x & 0x400u) != 0u { colour.a = 1.0 - colour.a; }
    colour.a *= 1.0 - f32(word.z & 0xFFu) / 255.0;
    return colour;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface(in);
    if frame.more.y > 0.5 {
        return vec4<f32>(flat_colour(place.cell.x, in.what.y), 1.0);
    }
    let word = materials.words[in.what.x & 0x7FFFFFFFu];
    let glow = f32((word.z >> 8u) & 0xFFu) / 255.0;
    let light = mix(lit(normalize(in.normal), in.at), vec3<f32>(1.0), glow);
    return vec4<f32>(fogged(colour.rgb * light, in.at), colour.a);
}

// What hangs in the sky is never in the way, and shines by itself.
@fragment
fn celestial(in: Shown) -> @location(0) vec4<f32> {
    let colour = surface(in);
    return vec4<f32>(colour.rgb * place.ambient.rgb, colour.a * place.ambient.a);
}
