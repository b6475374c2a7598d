//! A transport for clients that may not read.

use rmcp::{
    RoleServer,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use std::io;
use tokio::sync::watch;

/// Number of bytes of answers that wait for the client from which on no request is read. Requests
/// that were read before are still answered.
///
/// A limit in bytes lets a client send many small requests before it reads the first answer.
const MAX_WAITING: usize = 8 << 20;

/// Estimated number of bytes that an answer uses in addition to its text.
const OVERHEAD: usize = 1 << 10;

/// A transport that reads no request while too many answers wait, and that ends when one cannot be
/// written. Without it, a client that never reads makes the server keep all answers.
pub(crate) struct Bounded<T> {
    inner: T,
    output: watch::Sender<Output>,
}

#[derive(Default)]
struct Output {
    /// Number of bytes of answers that are not written yet.
    waiting: usize,
    is_closed: bool,
}

impl<T> Bounded<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, output: watch::Sender::default() }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Bounded<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let mut size = Size(OVERHEAD);
        // What cannot be serialized fails in the transport below.
        let _ = serde_json::to_writer(&mut size, &message);
        let waiting = Waiting::new(size.0, self.output.clone());
        let sent = self.inner.send(message);
        async move {
            let result = sent.await;
            if result.is_err() {
                waiting.output.send_modify(|output| output.is_closed = true);
            }
            result
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut output = self.output.subscribe();
        // The sender is in `self`, so waiting cannot fail.
        let can_read = |output: &Output| output.is_closed || output.waiting < MAX_WAITING;
        if output.wait_for(can_read).await.is_ok_and(|output| output.is_closed) {
            return None;
        }
        tokio::select! {
            message = self.inner.receive() => message,
            _ = output.wait_for(|output| output.is_closed) => None,
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// An answer that waits, until it is written or given up.
struct Waiting {
    bytes: usize,
    output: watch::Sender<Output>,
}

impl Waiting {
    fn new(bytes: usize, output: watch::Sender<Output>) -> Self {
        output.send_modify(|output| output.waiting += bytes);
        Self { bytes, output }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.output.send_modify(|output| output.waiting -= self.bytes);
    }
}

/// Counts the bytes of a message.
struct Size(usize);

impl io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
