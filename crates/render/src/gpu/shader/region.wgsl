// Regions of the screen: masks, the depth of openings, and what shows where nothing else does.

struct Corner {
    // On the screen.
    @location(0) at: vec2<f32>,
    // Depth is affine there, whatever plane it is the depth of.
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
    // Here and not in the corners: of a plane that is seen edge-on, those are far out of all bounds.
    return clamp(dot(in.depth, vec3<f32>(in.at, 1.0)), 0.0, 1.0);
}

// Never nothing at all: that would be given away.
@fragment
fn sealed(in: Shown) -> @builtin(frag_depth) f32 {
    return clamp(dot(in.depth, vec3<f32>(in.at, 1.0)), 4e-7, 1.0);
}

@fragment
fn filled(in: Shown) -> @location(0) vec4<f32> {
    return vec4<f32>(place.fill.rgb, 1.0);
}
