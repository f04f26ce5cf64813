//! A sign of life for what takes longer than a second and cannot be counted, silent when nobody looks.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) struct Waiting(ProgressBar);

impl Waiting {
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{msg} {spinner} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        // The first time that it is drawn.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
