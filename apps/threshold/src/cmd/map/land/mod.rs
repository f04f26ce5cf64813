//! The map of some landblocks: ground, water, roads, buildings and objects.

mod cover;
mod frame;
mod ground;
mod standing;

use anyhow::bail;
use threshold_dat::RegionDesc;
use threshold_land::glam::Vec2;
use threshold_land::{BLOCK_LENGTH, BlockId, CellId, Compass, Position, block_offset_between};
use threshold_world::{Land, PieceId};

use super::Drawn;
use super::sheet::{self, Chart};
use super::style::{self, PAPER};
use crate::drawing::legend::{Entry, HEAD, MARGIN, NARROWEST};
use crate::drawing::scene::{Ink, Paint, Scene};
use crate::pieces::Pieces;
use crate::show::thousands;

/// What of the landscape is shown.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The south-western landblock.
    pub(super) corner: BlockId,
    pub(super) columns: u8,
    pub(super) rows: u8,
    /// The place that was asked for, where it is more than a landblock.
    pub(super) mark: Option<Position>,
    /// The land cell that was asked for.
    pub(super) cell: Option<CellId>,
    pub(super) ids: bool,
    pub(super) title: String,
}

impl View {
    fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        let (corner, columns, rows) = (self.corner, self.columns, self.rows);
        (0..columns)
            .flat_map(move |x| (0..rows).map(move |y| BlockId::new(corner.x() + x, corner.y() + y)))
    }

    /// From the south-west corner of what is shown to that of a landblock, in metres.
    fn offset(&self, block: BlockId) -> Vec2 {
        block_offset_between(self.corner.as_cell(), block.as_cell()).truncate()
    }

    /// What is shown, in metres.
    fn size(&self) -> Vec2 {
        Vec2::new(f32::from(self.columns), f32::from(self.rows)) * BLOCK_LENGTH
    }

    fn compass(&self, at: Vec2) -> Option<Compass> {
        Compass::from_position(&Position::new(self.corner.as_cell(), at.extend(0.0)))
    }
}

/// Everything the parts of the map draw from.
struct Atlas<'a> {
    view: &'a View,
    pieces: &'a Pieces,
    region: Option<RegionDesc>,
    lands: Vec<&'a Land>,
    chart: Chart,
}

impl Atlas<'_> {
    /// The colour of a kind of ground: the region's, made lighter for print.
    fn ink(&self, kind: u16) -> Ink {
        let own = self.region.as_ref().and_then(|r| r.terrain.types.get(usize::from(kind)));
        let own = own.map(|kind| kind.map_colour.0).filter(|colour| colour & 0x00FF_FFFF != 0);
        own.map_or_else(|| style::terrain(kind), Ink::hex).towards(PAPER, 0.34)
    }

    fn name(&self, kind: u16) -> String {
        let own = self.region.as_ref().and_then(|r| r.terrain.types.get(usize::from(kind)));
        own.map_or_else(|| format!("terrain {kind}"), |kind| spaced(&kind.name.to_string()))
    }

    fn offset(&self, land: &Land) -> Vec2 {
        self.view.offset(land.block())
    }
}

/// `BarrenRock` as words.
fn spaced(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The side of the map on paper that is aimed at.
const SIDE: f32 = 960.0;
/// Room for the compass coordinates below the map.
const RULER_BELOW: f32 = 24.0;
/// Paper units a metre, at most and at least.
const SCALES: [f32; 2] = [4.5, 0.3];

pub(super) fn draw(pieces: &mut Pieces, view: &View) -> anyhow::Result<Drawn> {
    for block in view.blocks() {
        if pieces.load(PieceId::Land(block)) {
            standing::load_doorways(pieces, block);
        }
    }
    let pieces = &*pieces;
    let lands: Vec<&Land> = view.blocks().filter_map(|block| pieces.world.land(block)).collect();
    if lands.is_empty() {
        bail!("{}: there is no land", view.title);
    }
    let size = view.size();
    let scale = scale(view);
    let paper = size * scale;
    let ruler = frame::RULER;
    let width = (paper.x + ruler + 2.0 * MARGIN).max(NARROWEST);
    let left = MARGIN + ruler + (width - paper.x - ruler - 2.0 * MARGIN) / 2.0;
    let corner = Vec2::new(left, HEAD + 10.0 + paper.y);
    let chart = Chart { origin: Vec2::ZERO, corner, scale };
    let region = pieces.region();
    let atlas = Atlas { view, pieces, region, lands, chart };
    Ok(compose(&atlas, width))
}

/// Paper units a metre; a few landblocks are drawn larger where land cells are to have ids.
fn scale(view: &View) -> f32 {
    let scale = (SIDE / view.size().max_element()).clamp(SCALES[1], SCALES[0]);
    let few = view.columns.max(view.rows) <= 6;
    if view.ids && few { scale.max(1.8) } else { scale }
}

fn compose(atlas: &Atlas<'_>, width: f32) -> Drawn {
    let mut scene = Scene { title: atlas.view.title.clone(), ..Scene::default() };
    let mut legend = Vec::new();
    frame::absent(&mut scene, atlas, &mut legend);
    ground::draw(&mut scene, atlas, &mut legend);
    cover::draw(&mut scene, atlas, &mut legend);
    frame::grid(&mut scene, atlas);
    let counts = standing::draw(&mut scene, atlas, &mut legend);
    frame::draw(&mut scene, atlas);
    draw_mark(&mut scene, atlas, &mut legend);
    let bottom = atlas.chart.corner.y + RULER_BELOW;
    scene.size = Vec2::new(width, bottom + sheet::foot_height(width, &legend) + MARGIN);
    sheet::furnish(&mut scene, &subtitle(atlas, &counts), atlas.chart.scale, &legend);
    let blocks = atlas.lands.len();
    let plural = if blocks == 1 { "landblock" } else { "landblocks" };
    Drawn { scene, what: format!("{} {plural}, {counts}", thousands(blocks)) }
}

fn subtitle(atlas: &Atlas<'_>, counts: &str) -> String {
    let heights = atlas.lands.iter().map(|land| land.terrain().height_range());
    let (low, high) = heights
        .fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let middle = atlas.view.compass(atlas.view.size() / 2.0);
    let middle = middle.map_or_else(String::new, |middle| format!("middle {middle:.1} · "));
    format!("{middle}heights {low:.0} to {high:.0} m · {counts}")
}

fn draw_mark(scene: &mut Scene, atlas: &Atlas<'_>, legend: &mut Vec<Entry>) {
    let view = atlas.view;
    if let Some(cell) = view.cell.and_then(|cell| atlas.pieces.world.land_cell(cell)) {
        let middle = cell.position().frame.origin.truncate() + view.offset(cell.id().block());
        let corners = [(-12.0, -12.0), (12.0, -12.0), (12.0, 12.0), (-12.0, 12.0)];
        let outline = corners.map(|(x, y)| atlas.chart.at(middle + Vec2::new(x, y)));
        scene.area(outline.to_vec(), Paint::line(style::MARK, 1.6));
        legend.push(Entry::area("the land cell asked for", Paint::line(style::MARK, 1.6)));
    }
    if let Some(position) = view.mark {
        let at = position.frame.origin.truncate() + view.offset(position.cell.block());
        sheet::mark(scene, atlas.chart.at(at));
        legend.push(sheet::mark_entry());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_terrain_are_words() {
        assert_eq!(spaced("BarrenRock"), "barren rock");
        assert_eq!(spaced("Mud"), "mud");
    }
}
