//! Maps over slices, on all cores with the feature `rayon`. The order of the results is that of the items.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

#[cfg(feature = "rayon")]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().map(each).collect()
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn map<T, R>(items: &[T], each: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(each).collect()
}

/// Like [`map`], with a value that is made once for each thread.
#[cfg(feature = "rayon")]
pub(crate) fn map_init<T: Sync, V, R: Send>(
    items: &[T],
    init: impl Fn() -> V + Sync + Send,
    each: impl Fn(&mut V, &T) -> R + Sync + Send,
) -> Vec<R> {
    items.par_iter().map_init(init, each).collect()
}

/// Like [`map`], with a value that is made once.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map_init<T, V, R>(
    items: &[T],
    init: impl Fn() -> V,
    each: impl Fn(&mut V, &T) -> R,
) -> Vec<R> {
    let mut value = init();
    items.iter().map(|item| each(&mut value, item)).collect()
}
