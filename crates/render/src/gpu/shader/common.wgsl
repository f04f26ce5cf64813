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
    // Outdoors: light from everywhere, and how bright lamps are.
    day: vec4<f32>,
    // In a room that the day does not come to: the same.
    dark: vec4<f32>,
};

struct Place {
    // From the eye to the origin of the landblock in whole steps; how much fog there is.
    offset: vec4<f32>,
    // What is left of that; how bright lamps are.
    rest: vec4<f32>,
    // Light from everywhere; how much of the sun comes in.
    ambient: vec4<f32>,
    // What shows where nothing else does; how much soft light there is.
    fill: vec4<f32>,
    // How pictures are moved; the cell.
    drift: vec2<f32>,
    cell: u32,
};

struct Lamp {
    // In the frame of the landblock, and how far it reaches.
    place: vec4<f32>,
    // 1 where it stands outdoors.
    colour: vec4<f32>,
};

// An opening round which the light of a room changes.
struct Skylight {
    // In the frame of the landblock, and how far it reaches; less than 0 where it leads to a room that the day does not come to.
    middle: vec4<f32>,
    // Across and up along it, and half its size there.
    right: vec4<f32>,
    up: vec4<f32>,
};

struct Lamps {
    // Lamps, and openings.
    count: vec4<u32>,
    lamps: array<Lamp, 32>,
    skylights: array<Skylight, 16>,
};

@group(0) @binding(0) var<uniform> frame: Frame;
// A plane through which everything is seen: only what is beyond it shows.
@group(0) @binding(1) var<uniform> opening: vec4<f32>;
@group(1) @binding(0) var<uniform> place: Place;
@group(3) @binding(0) var<uniform> lamps: Lamps;

// Whether what lies before the opening is cut off; elsewhere nothing does.
override is_cut: bool = false;

// How far the light of a point of a room is that of the landscape, and how far that of a room that the day does not come to: 1 right at the
// opening, 0 as far away as it reaches, and less aside of it than before it. No point is near openings of both sorts.
fn shares(at: vec3<f32>) -> vec2<f32> {
    var shares = vec2<f32>(0.0);
    for (var number = 0u; number < lamps.count.y; number += 1u) {
        let skylight = lamps.skylights[number];
        let way = at - (skylight.middle.xyz + place.offset.xyz);
        let flat = vec2<f32>(dot(way, skylight.right.xyz), dot(way, skylight.up.xyz));
        let aside = length(max(abs(flat) - vec2<f32>(skylight.right.w, skylight.up.w), vec2<f32>(0.0)));
        let before = abs(dot(way, cross(skylight.right.xyz, skylight.up.xyz)));
        let near = clamp(1.0 - length(vec2<f32>(before, aside)) / abs(skylight.middle.w), 0.0, 1.0);
        let share = near * near * (1.0 - smoothstep(0.0, 0.03 + before, aside));
        let is_dark = skylight.middle.w < 0.0;
        shares = max(shares, select(vec2<f32>(share, 0.0), vec2<f32>(0.0, share), is_dark));
    }
    return shares;
}

fn lit(normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let share = shares(at);
    let ambient = mix(mix(place.ambient.rgb, frame.day.rgb, share.x), frame.dark.rgb, share.y);
    let sun = mix(place.ambient.a, 1.0, share.x) * (1.0 - share.y);
    let inner = mix(mix(place.rest.w, frame.day.w, share.x), frame.dark.w, share.y);
    let outer = frame.day.w * (1.0 - share.y);
    let own = mix(place.fill.w * (1.0 - share.x), 1.0, share.y);
    let toward = max(dot(normal, frame.sun.xyz), 0.0);
    // Faces that look up see more of the sky than others.
    let sky = 0.75 + 0.25 * normal.z;
    var light = ambient * sky + frame.sun_colour.rgb * toward * sun;
    for (var number = 0u; number < lamps.count.x; number += 1u) {
        let lamp = lamps.lamps[number];
        let way = lamp.place.xyz + place.offset.xyz - at;
        let far = length(way);
        let reach = clamp(1.0 - far / lamp.place.w, 0.0, 1.0);
        // What faces away has none of it: the outer side of a wall is dark whatever burns behind it.
        let toward_lamp = dot(normal, way / max(far, 0.001));
        let facing = 0.35 * clamp(1.0 + 4.0 * toward_lamp, 0.0, 1.0) + 0.65 * max(toward_lamp, 0.0);
        light += lamp.colour.rgb * (reach * reach * facing * mix(inner, outer, lamp.colour.a));
    }
    return light + soft(light, normal, at) * own;
}

// In rooms: from above and one side, so that walls, floor and ceiling are told apart, and from the eye. The less other light
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
