//! Shapes of the body parts. Each has its joint at the origin and hangs down from it, as in a standing
//! figure.

use threshold_land::vector::Vec3;

use super::skeleton::{Part, SOLE};
use crate::stock::material::Material::{Cloth, Hair, Leather, Linen, Skin};
use crate::stock::thing::{Collision, Thing};
use crate::tool::form::{bar, block, hull, loft, ring};

/// The models in the order of [`Part`], each once: limbs on the left and on the right are alike.
pub(crate) fn models() -> Vec<Thing> {
    [pelvis(), chest(), head(), upper_arm(), forearm(), hand(), thigh(), shin(), foot()]
        .map(|thing| thing.touch(Collision::Nothing))
        .into()
}

/// Returns the model of a part.
pub(crate) fn model_of(part: Part) -> usize {
    part as usize
}

fn pelvis() -> Thing {
    let skirt = [ring(-0.17, [0.24, 0.185]), ring(0.0, [0.205, 0.152]), ring(0.1, [0.155, 0.11])];
    let belt = [ring(0.06, [0.172, 0.125]), ring(0.12, [0.166, 0.12])];
    Thing::new()
        .solid(Cloth, loft(8, &skirt))
        .solid(Leather, loft(8, &belt))
        .solid(Leather, block([0.0, 0.115, 0.06], [0.06, 0.03, 0.06]))
}

fn chest() -> Thing {
    let trunk = [
        ring(-0.02, [0.148, 0.105]),
        ring(0.24, [0.2, 0.13]),
        ring(0.39, [0.215, 0.118]),
        ring(0.455, [0.11, 0.075]),
    ];
    let collar = [ring(0.43, [0.09, 0.08]), ring(0.48, [0.07, 0.07])];
    Thing::new().solid(Cloth, loft(8, &trunk)).solid(Linen, loft(6, &collar))
}

fn head() -> Thing {
    let neck = [ring(-0.06, [0.058, 0.06]), ring(0.1, [0.052, 0.056])];
    let skull = [
        ring(0.045, [0.036, 0.03]).off(0.0, 0.06),
        ring(0.09, [0.066, 0.082]).off(0.0, 0.012),
        ring(0.2, [0.08, 0.1]),
        ring(0.265, [0.05, 0.062]),
    ];
    let hair = [
        ring(0.07, [0.07, 0.035]).off(0.0, -0.07),
        ring(0.18, [0.089, 0.07]).off(0.0, -0.045),
        ring(0.25, [0.086, 0.1]).off(0.0, -0.012),
        ring(0.312, [0.05, 0.06]).off(0.0, -0.01),
    ];
    let nose =
        [[-0.014, 0.09, 0.13], [0.014, 0.09, 0.13], [0.0, 0.124, 0.135], [0.0, 0.094, 0.185]];
    let eye = |x: f32| block([x, 0.094, 0.172], [0.026, 0.016, 0.014]);
    Thing::new()
        .solid(Skin, loft(6, &neck))
        .solid(Skin, loft(8, &skull))
        .solid(Skin, hull(&nose.map(Vec3::from)))
        .solid(Hair, loft(8, &hair))
        .solid(Hair, eye(-0.034))
        .solid(Hair, eye(0.034))
}

fn upper_arm() -> Thing {
    let sleeve =
        [ring(0.04, [0.034, 0.04]), ring(-0.02, [0.06, 0.064]), ring(-0.31, [0.047, 0.051])];
    Thing::new().solid(Cloth, loft(6, &sleeve))
}

fn forearm() -> Thing {
    let sleeve =
        [ring(0.03, [0.043, 0.045]), ring(-0.06, [0.046, 0.049]), ring(-0.2, [0.035, 0.038])];
    let cuff = [ring(-0.19, [0.04, 0.043]), ring(-0.24, [0.036, 0.039])];
    Thing::new().solid(Linen, loft(6, &sleeve)).solid(Leather, loft(6, &cuff))
}

fn hand() -> Thing {
    let palm =
        [ring(0.02, [0.022, 0.028]), ring(-0.08, [0.021, 0.044]), ring(-0.18, [0.012, 0.028])];
    Thing::new()
        .solid(Skin, loft(6, &palm))
        .solid(Skin, bar([0.0, 0.02, -0.03], [0.0, 0.058, -0.1], 0.022))
}

fn thigh() -> Thing {
    let leg = [ring(0.06, [0.06, 0.075]), ring(-0.1, [0.088, 0.098]), ring(-0.45, [0.057, 0.063])];
    Thing::new().solid(Linen, loft(8, &leg))
}

fn shin() -> Thing {
    let knee = [ring(0.035, [0.052, 0.058]), ring(-0.15, [0.056, 0.064]).off(0.0, -0.012)];
    let boot = [
        ring(-0.11, [0.064, 0.073]).off(0.0, -0.012),
        ring(-0.2, [0.06, 0.07]).off(0.0, -0.012),
        ring(-0.42, [0.042, 0.05]),
    ];
    Thing::new().solid(Linen, loft(8, &knee)).solid(Leather, loft(8, &boot))
}

fn foot() -> Thing {
    let half = [
        // The sole: heel, ball, and the toes a little up.
        [0.035, -0.07, -SOLE],
        [0.048, 0.1, -SOLE],
        [0.04, 0.17, -SOLE],
        [0.024, 0.2, -SOLE + 0.015],
        // The upper of the shoe.
        [0.032, -0.066, 0.02],
        [0.038, 0.05, 0.03],
        [0.04, 0.13, -0.035],
        [0.024, 0.195, -0.055],
    ];
    let both = half.into_iter().flat_map(|[x, y, z]| [Vec3::new(x, y, z), Vec3::new(-x, y, z)]);
    Thing::new().solid(Leather, hull(&both.collect::<Vec<_>>()))
}
