// Sky gradient, from the colour of the horizon to that of the zenith.

struct Shown {
    @builtin(position) screen: vec4<f32>,
    @location(0) at: vec2<f32>,
};

@vertex
fn corner(@builtin(vertex_index) number: u32) -> Shown {
    let at = vec2<f32>(f32((number << 1u) & 2u), f32(number & 2u)) * 2.0 - 1.0;
    var out: Shown;
    // Just in front of the far plane, behind everything else.
    out.screen = vec4<f32>(at, 1e-7, 1.0);
    out.at = at;
    return out;
}

@fragment
fn shaded(in: Shown) -> @location(0) vec4<f32> {
    let direction = frame.ahead.xyz + frame.right.xyz * in.at.x + frame.up.xyz * in.at.y;
    // Slowly at first: distant land in the colour of the fog must blend with the horizon.
    let high = smoothstep(0.0, 0.7, normalize(direction).z);
    return vec4<f32>(mix(frame.fog.rgb, frame.zenith.rgb, high), 1.0);
}
