//! In which order regions are drawn.
//!
//! What is seen through an opening is drawn before the near side of that opening, in its own mask and with a depth of its
//! own; then the opening is as deep as it is, and the near side is drawn round it. Masks count how deep one is in openings: a
//! region lies within the one it is seen in, whatever its outline says.

use threshold_view::{Region, Seen};

/// A step of drawing, with the region by its place in [`Seen::regions`] and how deep in openings it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Into a region: from here on nothing of what was drawn outside it counts.
    Enter { region: usize, depth: u32 },
    /// What is seen in it.
    Draw { region: usize, depth: u32 },
    /// Out of it, and its opening is closed.
    Leave { region: usize, depth: u32 },
}

/// The steps of a picture.
pub(super) fn steps(seen: &Seen, steps: &mut Vec<Step>) {
    steps.clear();
    let regions: Vec<Region<'_>> = seen.regions().collect();
    let place = |number: u32| regions.iter().position(|region| region.number() == number);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); regions.len()];
    let mut roots = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        match region.seen_in().and_then(place) {
            // The near side comes first in the list; what does not keep to that stands alone.
            Some(parent) if parent < index => children[parent].push(index),
            _ => roots.push(index),
        }
    }
    for root in roots.into_iter().rev() {
        visit(&children, root, steps);
    }
}

fn visit(children: &[Vec<usize>], root: usize, steps: &mut Vec<Step>) {
    // Openings in a row are as many as rooms: no recursion.
    let mut open = vec![(root, 0_u32, false)];
    while let Some((region, depth, is_done)) = open.pop() {
        if is_done {
            steps.push(Step::Draw { region, depth });
            if depth > 0 {
                steps.push(Step::Leave { region, depth });
            }
            continue;
        }
        if depth > 0 {
            steps.push(Step::Enter { region, depth });
        }
        open.push((region, depth, true));
        // The first found is drawn last: it is pushed first.
        open.extend(children[region].iter().map(|child| (*child, depth + 1, false)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_forge::samples;
    use threshold_land::CellId;
    use threshold_land::glam::DVec3;
    use threshold_view::{Lens, Looker, Scratch, Target, Viewer};
    use threshold_world::{Builder, World};

    #[test]
    fn the_far_side_of_an_opening_is_drawn_before_its_near_side() {
        let builder = Builder::new(samples::town(1, 1).unwrap());
        let mut world = World::new();
        for piece in builder.pieces() {
            world.adopt(builder.build(piece).unwrap().unwrap().piece);
        }
        let (eye, look) = (DVec3::new(12.0, 9.0, 41.7), DVec3::new(12.5, 0.0, 41.5));
        let viewer = Viewer::looking_at(CellId(0xA9B4_0100), eye, look, Lens::default()).unwrap();
        let mut scratch = Scratch::new();
        let seen = Looker::new(&world).look(&mut scratch, &mut (), &viewer);
        let regions: Vec<Region<'_>> = seen.regions().collect();
        let mut order = Vec::new();
        steps(seen, &mut order);
        let (mut open, mut drawn) = (Vec::new(), Vec::new());
        for step in order {
            match step {
                Step::Enter { region, depth } => {
                    open.push(region);
                    assert_eq!(open.len(), depth as usize);
                    // What it is seen in is entered already, and not drawn yet.
                    let outer = regions[region].seen_in();
                    let around = open.len().checked_sub(2).map(|place| open[place]);
                    let around = around.unwrap_or(0);
                    assert_eq!(outer, Some(regions[around].number()));
                    assert!(!drawn.contains(&around));
                }
                Step::Draw { region, .. } => drawn.push(region),
                Step::Leave { region, .. } => assert_eq!(open.pop(), Some(region)),
            }
        }
        assert!(open.is_empty());
        drawn.sort_unstable();
        assert_eq!(drawn, (0..regions.len()).collect::<Vec<_>>());
        assert!(regions.iter().any(|region| region.target() == Target::Outside));
    }
}
