//! What the runtime promises, from outside.
#![allow(clippy::unwrap_used)]

mod define;
mod disclosure;
mod hostile;
mod json;
mod live;
mod order;
mod owned;
mod provider;
mod registry;
mod rows;
mod run;
mod search;
mod slash;
mod template;
mod tool_policy;

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
