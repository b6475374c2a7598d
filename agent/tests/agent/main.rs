//! What the crate promises, from outside.
#![allow(clippy::unwrap_used)]

mod history;
mod live;
mod provider;
mod registry;
mod run;
mod slash;

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// Runs a future to its end; it is polled again as often as it asks for.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    let mut future = pin!(future);
    (0..1000)
        .find_map(|_| match future.as_mut().poll(&mut context) {
            Poll::Ready(ready) => Some(ready),
            Poll::Pending => None,
        })
        .expect("the future to end")
}
