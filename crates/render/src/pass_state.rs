//! Render pass state, to skip redundant state changes.

use std::ops::Range;

use wgpu::{BindGroup, Buffer, RenderPass, RenderPipeline};

use super::DrawStats;

/// Records commands into a render pass, skips redundant state changes, and counts draw calls.
pub(super) struct PassState<'p, 'e> {
    pass: &'p mut RenderPass<'e>,
    pub(super) stats: DrawStats,
    /// Last state, identified by address; all resources outlive the pass.
    pipeline: usize,
    groups: [BoundGroup; 4],
    buffers: [usize; 2],
    stencil: Option<u32>,
}

/// A bind group that is set.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct BoundGroup {
    address: usize,
    /// Dynamic offset; `u32::MAX` for a group without one.
    offset: u32,
}

impl<'p, 'e> PassState<'p, 'e> {
    pub(super) fn new(pass: &'p mut RenderPass<'e>) -> Self {
        Self {
            pass,
            stats: DrawStats::default(),
            pipeline: 0,
            groups: [BoundGroup::default(); 4],
            buffers: [0; 2],
            stencil: None,
        }
    }

    pub(super) fn set_pipeline(&mut self, pipeline: &RenderPipeline) {
        let place = std::ptr::from_ref(pipeline).addr();
        if self.pipeline != place {
            self.pipeline = place;
            self.pass.set_pipeline(pipeline);
        }
    }

    /// Sets a bind group with one dynamic offset.
    pub(super) fn set_bind_group_at(&mut self, number: u32, group: &BindGroup, offset: u32) {
        let address = std::ptr::from_ref(group).addr();
        if self.is_new(number, BoundGroup { address, offset }) {
            self.pass.set_bind_group(number, group, &[offset]);
        }
    }

    /// Sets a bind group.
    pub(super) fn set_bind_group(&mut self, number: u32, group: &BindGroup) {
        let address = std::ptr::from_ref(group).addr();
        if self.is_new(number, BoundGroup { address, offset: u32::MAX }) {
            self.pass.set_bind_group(number, group, &[]);
        }
    }

    /// Notes a bind group and returns whether another one was set before.
    fn is_new(&mut self, number: u32, group: BoundGroup) -> bool {
        std::mem::replace(&mut self.groups[number as usize], group) != group
    }

    /// Sets a vertex or instance buffer.
    pub(super) fn set_vertex_buffer(&mut self, number: u32, buffer: &Buffer) {
        let place = std::ptr::from_ref(buffer).addr();
        let known = &mut self.buffers[number as usize];
        if *known != place {
            *known = place;
            self.pass.set_vertex_buffer(number, buffer.slice(..));
        }
    }

    /// Sets the stencil reference.
    pub(super) fn set_stencil_reference(&mut self, value: u32) {
        if self.stencil != Some(value) {
            self.stencil = Some(value);
            self.pass.set_stencil_reference(value);
        }
    }

    /// Sets the scissor rectangle to these columns and rows.
    pub(super) fn set_scissor_rect(&mut self, [x, y]: [Range<u32>; 2]) {
        self.pass.set_scissor_rect(x.start, y.start, x.end - x.start, y.end - y.start);
    }

    /// Draws instances and counts them.
    pub(super) fn draw(&mut self, corners: Range<u32>, instances: Range<u32>) {
        if corners.is_empty() || instances.is_empty() {
            return;
        }
        let count = |range: &Range<u32>| u64::from(range.end - range.start);
        self.stats.calls += 1;
        self.stats.triangles += count(&corners) / 3 * count(&instances);
        self.pass.draw(corners, instances);
    }

    /// Draws without counting: regions and lines.
    pub(super) fn draw_uncounted(&mut self, corners: Range<u32>) {
        if !corners.is_empty() {
            self.pass.draw(corners, 0..1);
        }
    }
}
