//! Conversations and tools in the formats of serde.

use helix_skills_agent::run::{Answer, Message, ToolCall, ToolDefinition};
use serde_json::{from_value, json, to_value};

#[test]
fn conversation_is_stored_and_read_again() {
    let call = ToolCall::new("1", "search", r#"{"query": "pdf"}"#);
    let mut answer = Answer::new("One moment.", [call]);
    answer.opaque = Some("signature".into());
    let conversation = vec![
        Message::System("You are an agent.".into()),
        Message::User("Find the report.".into()),
        Message::Assistant(answer),
        Message::Result {
            id: "1".into(),
            tool: "search".into(),
            text: "report.pdf".into(),
            is_error: false,
        },
    ];
    let stored = to_value(&conversation).unwrap();
    let call = json!({"id": "1", "tool": "search", "arguments": "{\"query\": \"pdf\"}"});
    let expected = json!([
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Find the report."},
        {
            "role": "assistant",
            "content": {"text": "One moment.", "calls": [call], "opaque": "signature"},
        },
        {
            "role": "result",
            "content": {"id": "1", "tool": "search", "text": "report.pdf", "is_error": false},
        },
    ]);
    assert_eq!(stored, expected);
    assert_eq!(from_value::<Vec<Message>>(stored).unwrap(), conversation);

    // Fields that an older version did not write.
    let short = json!({"role": "assistant", "content": {"text": "Done."}});
    assert_eq!(from_value::<Message>(short).unwrap(), Message::Assistant("Done.".into()));
}

#[test]
fn parameters_of_a_tool_serialize_as_json() {
    let parameters =
        r#"{"type": "object", "minProperties": 1, "default": [1.5, -2, null, true, "é\n"]}"#;
    let tool = ToolDefinition::new("time", "The time of day.", parameters);
    let expected = json!({
        "name": "time",
        "description": "The time of day.",
        "parameters": {"type": "object", "minProperties": 1, "default": [1.5, -2, null, true, "é\n"]},
    });
    assert_eq!(to_value(&tool).unwrap(), expected);

    let error = to_value(ToolDefinition::new("time", "", "{type: object}")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the parameters of the tool `time` are not JSON: expected a key in double quotes at line 1 column 2"
    );
}
