//! A task instead of a database: it owns two tables, and answers one query at a time, with a delay.

use std::{collections::BTreeMap, error::Error, fmt, time::Duration};
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

/// Duration of a query.
const LATENCY: Duration = Duration::from_millis(2);
/// Time limit of a client.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(crate) struct Tables {
    /// The text of each `SKILL.md`, by the name of the skill.
    pub(crate) skills: BTreeMap<String, String>,
    /// Other files, by the name of the skill and their path.
    pub(crate) files: BTreeMap<(String, String), Vec<u8>>,
}

type Query = Box<dyn FnOnce(&mut Tables) + Send>;

/// A connection to the database.
#[derive(Clone)]
pub(crate) struct Database(mpsc::Sender<Option<Query>>);

impl Database {
    pub(crate) fn open(mut tables: Tables) -> Self {
        let (sender, mut queries) = mpsc::channel(16);
        tokio::spawn(async move {
            while let Some(Some(query)) = queries.recv().await {
                sleep(LATENCY).await;
                let query: Query = query;
                query(&mut tables);
            }
        });
        Self(sender)
    }

    /// Runs a query that reads or writes.
    pub(crate) async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut Tables) -> T + Send + 'static,
    ) -> Result<T, Unavailable> {
        let (answer, answered) = oneshot::channel();
        let query: Query = Box::new(move |tables| {
            // The receiver is dropped if the client has given up.
            let _ = answer.send(query(tables));
        });
        self.0.send(Some(query)).await.map_err(|_| Unavailable)?;
        timeout(PATIENCE, answered).await.map_err(|_| Unavailable)?.map_err(|_| Unavailable)
    }

    /// Returns all rows: names of skills, and the text of their `SKILL.md`.
    pub(crate) async fn skills(&self) -> Result<BTreeMap<String, String>, Unavailable> {
        self.query(|tables| tables.skills.clone()).await
    }

    /// Returns the text of a skill and the paths of its files.
    pub(crate) async fn skill(
        &self,
        name: &str,
    ) -> Result<Option<(String, Vec<String>)>, Unavailable> {
        let key = name.to_owned();
        self.query(move |tables| {
            let paths =
                tables.files.keys().filter(|(name, _)| *name == key).map(|(_, path)| path.clone());
            Some((tables.skills.get(&key)?.clone(), paths.collect()))
        })
        .await
    }

    /// Returns the content of a file.
    pub(crate) async fn file(
        &self,
        skill: &str,
        path: &str,
    ) -> Result<Option<Vec<u8>>, Unavailable> {
        let key = (skill.to_owned(), path.to_owned());
        self.query(move |tables| tables.files.get(&key).cloned()).await
    }

    /// Shuts the database down.
    pub(crate) async fn close(&self) {
        if self.0.send(None).await.is_ok() {
            self.0.closed().await;
        }
    }
}

/// The error of a database that does not answer.
#[derive(Debug)]
pub(crate) struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the database does not answer; try again later")
    }
}

impl Error for Unavailable {}
