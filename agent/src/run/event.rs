//! What happens in a run, for whoever watches.

/// What happens in a run: for logs and progress, as it happens.
///
/// ```
/// use helix_skills::run::RunEvent;
/// fn line(event: &RunEvent<'_>) -> String {
///     match event {
///         RunEvent::Tick { number, of } => format!("turn {number} of {of}"),
///         RunEvent::Called { tool, .. } => format!("calls {tool}"),
///         _ => String::new(),
///     }
/// }
/// assert_eq!(line(&RunEvent::Tick { number: 1, of: 10 }), "turn 1 of 10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunEvent<'e> {
    /// The model is asked.
    Tick {
        /// For the how many'th time, from 1.
        number: u32,
        /// How many times it can be.
        of: u32,
    },
    /// It said something.
    Text {
        /// The text.
        text: &'e str,
    },
    /// It called a tool, which is about to run.
    Called {
        /// The tool.
        tool: &'e str,
        /// The arguments as they were written.
        arguments: &'e str,
    },
    /// A call was answered, by a tool or because it was refused.
    Answered {
        /// The tool.
        tool: &'e str,
        /// The text for the model.
        text: &'e str,
        /// Whether the call failed, or was refused.
        is_error: bool,
    },
    /// It handed in a result, which was accepted: the run is over.
    Submitted {
        /// The result, as JSON.
        arguments: &'e str,
    },
}

/// Whoever watches a run: a closure that is told of each [`RunEvent`]. `Sync` except on wasm32, as everything that is waited for.
#[cfg(not(target_arch = "wasm32"))]
pub type Watcher<'a> = dyn Fn(RunEvent<'_>) + Sync + 'a;
/// Whoever watches a run: a closure that is told of each [`RunEvent`]. `Sync` except on wasm32, as everything that is waited for.
#[cfg(target_arch = "wasm32")]
pub type Watcher<'a> = dyn Fn(RunEvent<'_>) + 'a;
