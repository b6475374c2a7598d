//! Events of a run.

use helix_skills_runtime::Event;

/// An event of a run, for logs and progress.
///
/// ```
/// use helix_skills::run::RunEvent;
/// fn line(event: &RunEvent<'_>) -> String {
///     match event {
///         RunEvent::Turn { number, of } => format!("turn {number} of {of}"),
///         RunEvent::Called { tool, .. } => format!("calls {tool}"),
///         _ => String::new(),
///     }
/// }
/// assert_eq!(line(&RunEvent::Turn { number: 1, of: 10 }), "turn 1 of 10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunEvent<'e> {
    /// A turn of the model starts.
    Turn {
        /// The turn, counted from 1.
        number: u32,
        /// The maximum number of turns.
        of: u32,
    },
    /// The model wrote a text.
    Text {
        /// The text.
        text: &'e str,
    },
    /// The model called a tool, which is about to run. If it is `submit`, its result was accepted,
    /// and this is the last event.
    Called {
        /// The name of the tool.
        tool: &'e str,
        /// The arguments, as the model wrote them.
        arguments: &'e str,
    },
    /// A call was answered by a tool, or refused.
    Answered {
        /// The name of the tool.
        tool: &'e str,
        /// The text for the model.
        text: &'e str,
        /// Whether the call failed or was refused.
        is_error: bool,
    },
    /// An event for user interfaces: the skill of the run was loaded, or a toolbox of the host has
    /// loaded another one.
    Event(Event<'e>),
}

/// A function that is called with each [`RunEvent`]. `Sync`, like all our futures, except on
/// wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub type Watcher<'a> = dyn Fn(RunEvent<'_>) + Sync + 'a;
/// A function that is called with each [`RunEvent`]. `Sync`, like all our futures, except on
/// wasm32.
#[cfg(target_arch = "wasm32")]
pub type Watcher<'a> = dyn Fn(RunEvent<'_>) + 'a;
