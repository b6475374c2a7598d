//! Runs independent work on all cores.

use std::{num::NonZero, sync::Mutex, thread};

/// Applies `work` to every item. Returns the results in the order of the items.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    map_on(threads, items, work)
}

/// Like [`map`], on this number of threads, for work that mostly waits.
pub(crate) fn map_on<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if threads <= 1 || items.len() <= 1 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let work = &work;
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            loop {
                let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                let Some((at, item)) = next else { return done };
                done.push((at, work(item)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let joined = handles.into_iter().map(|handle| match handle.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let doubled = super::map_on(8, items.clone(), |n| n * 2);
        assert_eq!(doubled, items.into_iter().map(|n| n * 2).collect::<Vec<_>>());
    }
}
