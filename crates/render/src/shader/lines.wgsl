// Debug lines, drawn over everything.

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) colour: vec3<f32>,
};

@vertex
fn corner(@location(0) at: vec3<f32>, @location(1) colour: vec3<f32>) -> Shown {
    var out: Shown;
    out.screen = frame.screen * vec4<f32>(at, 1.0);
    out.colour = colour;
    return out;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    return vec4<f32>(in.colour, 1.0);
}
