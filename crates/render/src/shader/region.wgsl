// Regions of the screen: stencil, depth of portals, and fill colour.

struct Corner {
    // Normalised device coordinates.
    @location(0) at: vec2<f32>,
    // Depth of a plane as an affine function of them.
    @location(1) depth: vec3<f32>,
};

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec2<f32>,
    @location(1) @interpolate(flat) depth: vec3<f32>,
};

@vertex
fn corner(in: Corner) -> Shown {
    var out: Shown;
    out.screen = vec4<f32>(in.at, 0.5, 1.0);
    out.at = in.at;
    out.depth = in.depth;
    return out;
}

@fragment
fn deep(in: Shown) -> @builtin(frag_depth) f32 {
    // Not per vertex: at the vertices of a plane seen edge-on the depth is far out of range.
    return clamp(dot(in.depth, vec3<f32>(in.at, 1.0)), 0.0, 1.0);
}

// Never the far value 0, which would count as untouched.
@fragment
fn sealed(in: Shown) -> @builtin(frag_depth) f32 {
    return clamp(dot(in.depth, vec3<f32>(in.at, 1.0)), 4e-7, 1.0);
}

@fragment
fn filled(in: Shown) -> @location(0) vec4<f32> {
    return vec4<f32>(place.fill.rgb, 1.0);
}
