// What all shaders share: the frame, the place that is drawn, and its lights.

struct Frame {
    // From points relative to the eye to the screen; far is 0.
    screen: mat4x4<f32>,
    // Right, up and ahead, each as long as half the screen is at a distance of 1.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    // Towards the sun, and seconds for what moves by itself.
    sun: vec4<f32>,
    sun_colour: vec4<f32>,
    // Colour, and where fog ends.
    fog: vec4<f32>,
    // The colour overhead, and where fog begins.
    zenith: vec4<f32>,
    // 1 where everything is drawn in one colour for each polygon.
    style: vec4<f32>,
};

struct Place {
    // From the eye to the origin of the landblock in whole steps; how much fog there is.
    offset: vec4<f32>,
    // What is left of that; how bright lamps are.
    rest: vec4<f32>,
    // Light from everywhere; how much of the sun comes in.
    ambient: vec4<f32>,
    // What shows where nothing else does.
    fill: vec4<f32>,
    // How pictures are moved; the cell.
    drift: vec2<f32>,
    cell: u32,
};

struct Lamp {
    // In the frame of the landblock, and how far it reaches.
    place: vec4<f32>,
    colour: vec4<f32>,
};

struct Lamps {
    count: vec4<u32>,
    lamps: array<Lamp, 16>,
};

@group(0) @binding(0) var<uniform> frame: Frame;
// A plane through which everything is seen: only what is beyond it shows.
@group(0) @binding(1) var<uniform> opening: vec4<f32>;
@group(1) @binding(0) var<uniform> place: Place;
@group(3) @binding(0) var<uniform> lamps: Lamps;

// Whether what lies before the opening is cut off; elsewhere nothing does.
override is_cut: bool = false;

fn lit(normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let toward = max(dot(normal, frame.sun.xyz), 0.0);
    // Faces that look up see more of the sky than others.
    let sky = 0.75 + 0.25 * normal.z;
    var light = place.ambient.rgb * sky + frame.sun_colour.rgb * toward * place.ambient.a;
    for (var number = 0u; number < lamps.count.x; number += 1u) {
        let lamp = lamps.lamps[number];
        let way = lamp.place.xyz + place.offset.xyz - at;
        let far = length(way);
        let reach = clamp(1.0 - far / lamp.place.w, 0.0, 1.0);
        let facing = 0.35 + 0.65 * max(dot(normal, way / max(far, 0.001)), 0.0);
        light += lamp.colour.rgb * (reach * reach * facing * place.rest.w);
    }
    return select(light, light + soft(light, normal, at), place.ambient.a == 0.0);
}

// Where no sun comes in: from above and one side, so that walls, floor and ceiling are told apart, and from the eye. The less other light
// there is the more of it, so that nobody is in the dark and lamps are still what lights a room.
const ASIDE: vec3<f32> = vec3<f32>(0.355, 0.203, 0.913);
fn soft(light: vec3<f32>, normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let far = length(at);
    let above = 0.55 + 0.45 * dot(normal, ASIDE);
    let facing = max(dot(normal, -at / max(far, 0.001)), 0.0) / (1.0 + far * far / 80.0);
    let other = dot(light, vec3<f32>(0.3, 0.5, 0.2));
    return vec3<f32>(1.0, 0.96, 0.9) * (0.3 * above + 0.25 * facing) * (0.12 / (0.12 + other));
}

// What hangs in the sky, through the haze at the horizon: there it has the colour of the fog, nine degrees above its own. What lets
// something through gives way to the haze instead, as it may add to what is behind it. What is near, such as rain, is not in the sky.
fn hazy(colour: vec4<f32>, at: vec3<f32>, is_whole: bool) -> vec4<f32> {
    let far = length(at);
    let clear = select(smoothstep(0.0, 0.156, at.z / far), 1.0, far < 100.0);
    if is_whole { return vec4<f32>(mix(frame.fog.rgb, colour.rgb, clear), colour.a); }
    return vec4<f32>(colour.rgb, colour.a * clear);
}

fn fogged(colour: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let far = length(at);
    let part = clamp((far - frame.zenith.w) / max(frame.fog.w - frame.zenith.w, 1.0), 0.0, 1.0);
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
