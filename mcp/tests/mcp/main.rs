//! Servers of this crate, asked by the client of `rmcp`.

#![allow(clippy::unwrap_used)]

mod embedded;
mod examples;
mod program;
mod provider;

use helix_skills_mcp::{SkillServer, Skills, rmcp};
use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{ReadResourceRequestParams, ResourceContents, SkillResources},
    service::{Peer, RunningService},
    transport::StreamableHttpClientTransport,
};

/// Connects a client with a server in this process.
async fn connect<C: ClientHandler>(
    client: C,
    skills: impl Into<Skills>,
) -> RunningService<RoleClient, C> {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = SkillServer::new(skills);
    tokio::spawn(async move { server.serve(far).await.unwrap().waiting().await });
    client.serve(near).await.unwrap()
}

/// Connects a client with a server over HTTP.
async fn connect_http(url: String) -> RunningService<RoleClient, ()> {
    // In a build of the whole workspace, reqwest has TLS without a provider, and requires one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    ().serve(StreamableHttpClientTransport::from_uri(url)).await.unwrap()
}

/// Reads a file of a skill.
async fn read(client: &Peer<RoleClient>, uri: &str) -> Result<Vec<u8>, rmcp::ServiceError> {
    let request = ReadResourceRequestParams::new(uri);
    let result = client.read_resource(request).await?;
    let [content] = &result.contents[..] else { panic!("one file: {result:?}") };
    Ok(match content {
        ResourceContents::TextResourceContents { text, uri: found, .. } => {
            assert_eq!(found, uri);
            text.clone().into_bytes()
        }
        ResourceContents::BlobResourceContents { blob, uri: found, .. } => {
            assert_eq!(found, uri);
            use base64::Engine;
            base64::prelude::BASE64_STANDARD.decode(blob).unwrap()
        }
        other => panic!("text or bytes: {other:?}"),
    })
}

/// Verifies every file of every listed skill, and returns the URIs of all files.
async fn verify(client: &Peer<RoleClient>) -> Vec<String> {
    let mut uris = Vec::new();
    for skill in client.list_skills(None).await.unwrap().skills {
        let got = client.get_skill(rmcp::model::GetSkillRequestParams::new(&skill.uri)).await;
        assert_eq!(got.unwrap().skill, skill);
        let SkillResources::Files(files) = skill.resources else {
            panic!("{} is dynamic", skill.uri)
        };
        for file in files {
            file.verify(&read(client, &file.uri).await.unwrap()).unwrap();
            uris.push(file.uri);
        }
    }
    uris
}
