//! Maps of landblocks: ground, water, roads, buildings and objects.

mod frame;
mod ground;
mod objects;
mod water_and_roads;

use threshold_dat::RegionDesc;
use threshold_land::vector::Vec2;
use threshold_land::{BLOCK_LENGTH, BlockId, CellId, Compass, Position, block_offset_between};
use threshold_world::{Land, PieceId};

use crate::Pieces;
use crate::drawing::{Drawing, Ink, Paint};
use crate::legend::{HEAD_HEIGHT, LegendEntry, MARGIN, MIN_WIDTH};
use crate::sheet::{self, Chart};
use crate::style::{self, PAPER};
use crate::text::thousands;
use crate::{DrawnMap, MapError};

/// The landblocks of a map, and how they are drawn.
#[derive(Clone, Debug)]
pub(super) struct LandscapeView {
    /// The south-western landblock.
    pub(super) corner: BlockId,
    pub(super) columns: u8,
    pub(super) rows: u8,
    /// The marked position.
    pub(super) mark: Option<Position>,
    /// The marked land cell.
    pub(super) cell: Option<CellId>,
    pub(super) ids: bool,
    pub(super) title: String,
}

impl LandscapeView {
    fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        let (corner, columns, rows) = (self.corner, self.columns, self.rows);
        (0..columns)
            .flat_map(move |x| (0..rows).map(move |y| BlockId::new(corner.x() + x, corner.y() + y)))
    }

    /// Returns the offset from the south-west corner of the map to that of a landblock, in metres.
    fn offset(&self, block: BlockId) -> Vec2 {
        block_offset_between(self.corner.as_cell(), block.as_cell()).truncate()
    }

    /// Returns width and height of the map in metres.
    fn size(&self) -> Vec2 {
        Vec2::new(f32::from(self.columns), f32::from(self.rows)) * BLOCK_LENGTH
    }

    fn compass(&self, at: Vec2) -> Option<Compass> {
        Compass::from_position(&Position::new(self.corner.as_cell(), at.extend(0.0)))
    }
}

/// The data that all parts of the map draw from.
struct LandscapeInput<'a> {
    view: &'a LandscapeView,
    pieces: &'a Pieces,
    region: Option<RegionDesc>,
    lands: Vec<&'a Land>,
    chart: Chart,
}

impl LandscapeInput<'_> {
    /// Returns the colour of a kind of ground: that of the region, made lighter for print.
    fn ink(&self, kind: u16) -> Ink {
        let own = self.region.as_ref().and_then(|r| r.terrain.types.get(usize::from(kind)));
        let own = own.map(|kind| kind.map_colour.0).filter(|colour| colour & 0x00FF_FFFF != 0);
        own.map_or_else(|| style::terrain(kind), Ink::hex).towards(PAPER, 0.34)
    }

    fn name(&self, kind: u16) -> String {
        let own = self.region.as_ref().and_then(|r| r.terrain.types.get(usize::from(kind)));
        own.map_or_else(|| format!("terrain {kind}"), |kind| separate_words(&kind.name.to_string()))
    }

    fn offset(&self, land: &Land) -> Vec2 {
        self.view.offset(land.block())
    }
}

/// Separates the words of a name such as `BarrenRock`.
fn separate_words(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// Side of the map on paper, unless the scale would leave its limits.
const TARGET_SIDE: f32 = 960.0;
/// Space for the compass coordinates below the map.
const RULER_BELOW: f32 = 24.0;
/// Limits of the scale, in paper units per metre.
const MIN_SCALE: f32 = 0.3;
const MAX_SCALE: f32 = 4.5;

pub(super) fn draw(pieces: &mut Pieces, view: &LandscapeView) -> Result<DrawnMap, MapError> {
    for block in view.blocks() {
        if pieces.load(PieceId::Land(block)) {
            objects::load_doorways(pieces, block);
        }
    }
    let region = pieces.region();
    let pieces = &*pieces;
    let lands: Vec<&Land> = view.blocks().filter_map(|block| pieces.world.land(block)).collect();
    if lands.is_empty() {
        return Err(MapError::NoLand(view.title.clone()));
    }
    let size = view.size();
    let scale = scale_of(view);
    let paper = size * scale;
    let ruler = frame::RULER;
    let width = (paper.x + ruler + 2.0 * MARGIN).max(MIN_WIDTH);
    let left = MARGIN + ruler + (width - paper.x - ruler - 2.0 * MARGIN) / 2.0;
    let corner = Vec2::new(left, HEAD_HEIGHT + 10.0 + paper.y);
    let chart = Chart { origin: Vec2::ZERO, corner, scale };
    let input = LandscapeInput { view, pieces, region, lands, chart };
    Ok(compose(&input, width))
}

/// Returns paper units per metre. A few landblocks are drawn larger if land cells have ids.
fn scale_of(view: &LandscapeView) -> f32 {
    let scale = (TARGET_SIDE / view.size().max_element()).clamp(MIN_SCALE, MAX_SCALE);
    let few = view.columns.max(view.rows) <= 6;
    if view.ids && few { scale.max(1.8) } else { scale }
}

fn compose(input: &LandscapeInput<'_>, width: f32) -> DrawnMap {
    let mut drawing = Drawing { title: input.view.title.clone(), ..Drawing::default() };
    let mut legend = Vec::new();
    frame::draw_missing_blocks(&mut drawing, input, &mut legend);
    ground::draw(&mut drawing, input, &mut legend);
    water_and_roads::draw(&mut drawing, input, &mut legend);
    frame::draw_grid(&mut drawing, input);
    let counts = objects::draw(&mut drawing, input, &mut legend);
    frame::draw(&mut drawing, input);
    draw_mark(&mut drawing, input, &mut legend);
    let bottom = input.chart.corner.y + RULER_BELOW;
    drawing.size = Vec2::new(width, bottom + sheet::foot_height(width, &legend) + MARGIN);
    sheet::draw_margins(&mut drawing, &subtitle(input, &counts), input.chart.scale, &legend);
    let blocks = input.lands.len();
    let plural = if blocks == 1 { "landblock" } else { "landblocks" };
    DrawnMap { drawing, summary: format!("{} {plural}, {counts}", thousands(blocks)) }
}

fn subtitle(input: &LandscapeInput<'_>, counts: &str) -> String {
    let heights = input.lands.iter().map(|land| land.terrain().height_range());
    let (low, high) = heights
        .fold((f32::INFINITY, f32::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let centre = input.view.compass(input.view.size() / 2.0);
    let centre = centre.map_or_else(String::new, |centre| format!("middle {centre:.1} · "));
    format!("{centre}heights {low:.0} to {high:.0} m · {counts}")
}

fn draw_mark(drawing: &mut Drawing, input: &LandscapeInput<'_>, legend: &mut Vec<LegendEntry>) {
    let view = input.view;
    if let Some(cell) = view.cell.and_then(|cell| input.pieces.world.land_cell(cell)) {
        let centre = cell.position().frame.origin.truncate() + view.offset(cell.id().block());
        let corners = [(-12.0, -12.0), (12.0, -12.0), (12.0, 12.0), (-12.0, 12.0)];
        let outline = corners.map(|(x, y)| input.chart.at(centre + Vec2::new(x, y)));
        drawing.area(outline.to_vec(), Paint::line(style::MARK, 1.6));
        legend.push(LegendEntry::area("the land cell asked for", Paint::line(style::MARK, 1.6)));
    }
    if let Some(position) = view.mark {
        let at = position.frame.origin.truncate() + view.offset(position.cell.block());
        sheet::mark(drawing, input.chart.at(at));
        legend.push(sheet::mark_entry());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_terrain_are_words() {
        assert_eq!(separate_words("BarrenRock"), "barren rock");
        assert_eq!(separate_words("Mud"), "mud");
    }
}
