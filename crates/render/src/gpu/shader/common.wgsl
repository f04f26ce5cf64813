// What all shaders share: the frame, and the place that is drawn.

struct Frame {
    // From points relative to the eye to the screen; far is 0.
    screen: mat4x4<f32>,
    // Towards the sun, and seconds for what moves by itself.
    sun: vec4<f32>,
    sun_colour: vec4<f32>,
    ambient: vec4<f32>,
    // Colour, and where fog ends.
    fog: vec4<f32>,
    // Where fog begins; 1 where everything is drawn in one colour for each polygon.
    more: vec4<f32>,
    zenith: vec4<f32>,
};

struct Lamp {
    // In the frame of the landblock, and how far it reaches.
    place: vec4<f32>,
    colour: vec4<f32>,
};

struct Place {
    // From the eye to the origin of the landblock; how much fog there is.
    offset: vec4<f32>,
    // Light from everywhere; how much of the sun comes in.
    ambient: vec4<f32>,
    // The cell, how many lamps.
    cell: vec4<u32>,
    lamps: array<Lamp, 8>,
};

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<uniform> place: Place;

fn lit(normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let toward = max(dot(normal, frame.sun.xyz), 0.0);
    // Faces that look up see more of the sky than others.
    let sky = 0.75 + 0.25 * normal.z;
    var light = place.ambient.rgb * sky + frame.sun_colour.rgb * toward * place.ambient.a;
    for (var number = 0u; number < place.cell.y; number += 1u) {
        let lamp = place.lamps[number];
        let way = lamp.place.xyz + place.offset.xyz - at;
        let far = length(way);
        let reach = clamp(1.0 - far / lamp.place.w, 0.0, 1.0);
        let facing = 0.35 + 0.65 * max(dot(normal, way / max(far, 0.001)), 0.0);
        light += lamp.colour.rgb * reach * reach * facing;
    }
    return light;
}

fn fogged(colour: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let far = length(at);
    let part = clamp((far - frame.more.x) / max(frame.fog.w - frame.more.x, 1.0), 0.0, 1.0);
    return mix(colour, frame.fog.rgb, part * part * place.offset.w);
}

// A colour that tells polygons and cells apart.
fn flat_colour(cell: u32, polygon: u32) -> vec3<f32> {
    var hash = cell * 0x9E3779B1u + polygon * 0x85EBCA77u;
    hash = (hash ^ (hash >> 15u)) * 0x2C1B3C6Du;
    hash = (hash ^ (hash >> 12u)) * 0x297A2D39u;
    hash = hash ^ (hash >> 15u);
    let bytes = vec3<u32>(hash & 0xFFu, (hash >> 8u) & 0xFFu, (hash >> 16u) & 0xFFu);
    // As light: the device makes the same bytes of it again.
    let share = vec3<f32>(bytes) / 255.0;
    let high = pow((share + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, share / 12.92, share <= vec3<f32>(0.04045));
}
