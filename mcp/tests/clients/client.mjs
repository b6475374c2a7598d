// Checks a server of skills with the TypeScript SDK as its client, in version 1 (the package `sdk`)
// and in version 2 (the package `client`).
//
// Usage: client.mjs SKILLS URL
//        client.mjs SKILLS PROGRAM [ARGUMENT…]
//
// SKILLS is the directory with the skills as their author wrote them. The server has to serve these
// and no others: every byte, and each frontmatter as a YAML 1.2 parser reads it. Fails at the first
// difference.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

// Packages are installed in the current directory, not next to this file.
const { resolve } = createRequire(join(process.cwd(), "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)));
const { parse } = await load("yaml");
const { z } = await load("zod");

const EXTENSION = "io.modelcontextprotocol/skills";
const INVALID_PARAMS = -32602;
// For an unknown resource, before 2026-07-28.
const RESOURCE_NOT_FOUND = -32002;

function readSkill(skills, name) {
  const directory = join(skills, name);
  const files = new Map();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(
      path
        .slice(directory.length + 1)
        .split(sep)
        .join("/"),
      readFileSync(path),
    );
  }
  const [, frontmatter, body] = files
    .get("SKILL.md")
    .toString()
    .split(/^---\r?\n/m);
  return { name, files, frontmatter: parse(frontmatter), firstLine: body.trim().split(/\r?\n/)[0] };
}

const isText = (bytes) => Buffer.from(bytes.toString()).equals(bytes);

async function expectError(codes, request, what) {
  const answer = await request.then(JSON.stringify, (error) => error);
  assert(answer instanceof Error, `${what}: expected an error, got ${answer}`);
  assert(
    codes.includes(answer.code),
    `${what}: expected an error of ${codes}, got ${answer.code} (${answer.message})`,
  );
}

const send = (client, method, params) => client.request({ method, params }, z.looseObject({}));

// Returns the items of a list that the SDK has no method for.
async function pages(client, method, key, params) {
  const items = [];
  let cursor;
  for (let page = 0; page < 100; page++) {
    const answer = await send(
      client,
      method,
      cursor === undefined ? params : { ...params, cursor },
    );
    items.push(...answer[key]);
    cursor = answer.nextCursor;
    if (cursor === undefined) return items;
  }
  assert.fail(`${method} has more than 100 pages`);
}

async function read(client, uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1, `contents of ${uri}`);
  assert.equal(contents[0].uri, uri);
  return contents[0].text === undefined
    ? Buffer.from(contents[0].blob, "base64")
    : Buffer.from(contents[0].text);
}

async function walk(client, uri) {
  const files = [];
  for (const child of await pages(client, "resources/directory/read", "resources", { uri })) {
    files.push(
      ...(child.mimeType === "inode/directory" ? await walk(client, child.uri) : [child.uri]),
    );
  }
  return files;
}

async function checkExtension(client, skills) {
  const capabilities = client.getServerCapabilities();
  const settings = capabilities.extensions[EXTENSION];
  assert(capabilities.resources, "the capability `resources` is missing");
  const entries = await pages(client, "skills/list", "skills", {});
  const { resources } = await client.listResources();
  assert.deepEqual(
    entries.map((entry) => entry.frontmatter.name).sort(),
    [...skills.keys()].sort(),
  );
  for (const entry of entries) {
    const skill = skills.get(entry.frontmatter.name);
    assert.deepEqual(entry.frontmatter, skill.frontmatter, `frontmatter of ${skill.name}`);
    const { skill: got } = await send(client, "skills/get", { uri: entry.uri });
    assert.deepEqual(got, entry, `skills/get of ${skill.name}`);
    const served = [];
    for (const { uri, digest, size } of entry.resources) {
      const bytes = await read(client, uri);
      assert.equal(bytes.length, size, `size of ${uri}`);
      assert.equal(
        `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
        digest,
        `digest of ${uri}`,
      );
      served.push(bytes.toString("hex"));
    }
    const written = [...skill.files.values()].map((bytes) => bytes.toString("hex"));
    assert.deepEqual(served.sort(), written.sort(), `files of ${skill.name}`);
    if (settings.directoryRead) {
      const files = await walk(client, entry.uri.slice(0, -"/SKILL.md".length));
      assert.deepEqual(
        files.sort(),
        entry.resources.map(({ uri }) => uri).sort(),
        `files in the directories of ${skill.name}`,
      );
      await expectError(
        [INVALID_PARAMS],
        send(client, "resources/directory/read", { uri: entry.uri }),
        "directory read of a file",
      );
    }
    const resource = resources.find(({ uri }) => uri === entry.uri);
    assert.equal(resource.name, skill.name);
    assert.equal(resource.description, skill.frontmatter.description);
    assert.equal(resource.mimeType, "text/markdown");
  }
  for (const uri of [
    "skill://no-such-skill/SKILL.md",
    "skill://no-such-skill",
    "file:///etc/passwd",
    "",
    "%",
  ]) {
    await expectError(
      [INVALID_PARAMS],
      send(client, "skills/get", { uri }),
      `skills/get of "${uri}"`,
    );
    await expectError(
      [INVALID_PARAMS, RESOURCE_NOT_FOUND],
      client.readResource({ uri }),
      `resources/read of "${uri}"`,
    );
  }
}

async function checkTools(client, skills) {
  const { tools } = await client.listTools();
  for (const name of ["load_skill", "read_skill_file"]) {
    assert.equal(
      tools.find((tool) => tool.name === name)?.inputSchema.type,
      "object",
      `schema of ${name}`,
    );
  }
  const call = async (name, args, part, failed = false) => {
    const result = await client.callTool({ name, arguments: args });
    const text = result.content.map((block) => block.text).join("");
    const what = `${name} ${JSON.stringify(args)}, answered with ${JSON.stringify(text)}`;
    assert.equal(result.isError ?? false, failed, `isError of ${what}`);
    assert(text.includes(part), `${JSON.stringify(part)} is missing in ${what}`);
  };
  for (const skill of skills.values()) {
    await call("load_skill", { name: skill.name }, skill.firstLine);
    for (const [path, bytes] of skill.files) {
      const lastLine = bytes.toString().trim().split("\n").at(-1);
      await call(
        "read_skill_file",
        { skill: skill.name, path },
        isText(bytes) ? lastLine : "",
        !isText(bytes),
      );
    }
    for (const path of ["no-such-file", "../../SKILL.md", "/etc/passwd"]) {
      await call("read_skill_file", { skill: skill.name, path }, "", true);
    }
  }
  await call("load_skill", { name: "no-such-skill" }, "no-such-skill", true);
  await expectError(
    [INVALID_PARAMS],
    client.callTool({ name: "no_such_tool", arguments: {} }),
    "call of an unknown tool",
  );
}

async function checkPrompts(client, skills) {
  const { prompts } = await client.listPrompts();
  const invocable = [...skills.values()].filter(
    ({ frontmatter }) => frontmatter["user-invocable"] ?? true,
  );
  assert.deepEqual(
    prompts.map(({ name }) => name).sort(),
    invocable.map(({ name }) => name).sort(),
  );
  for (const { name, arguments: declared = [] } of prompts) {
    const names = declared.map((argument) => argument.name);
    for (const argument of skills.get(name).frontmatter.arguments ?? []) {
      assert(
        names.includes(argument),
        `the prompt ${name} lacks the argument ${argument}: ${names}`,
      );
    }
    const values = Object.fromEntries(names.map((argument) => [argument, "seven"]));
    const { messages } = await client.getPrompt({ name, arguments: values });
    const text = messages.map(({ content }) => content.text).join("");
    for (const part of [skills.get(name).firstLine, ...(names.length ? ["seven"] : [])]) {
      assert(
        text.includes(part),
        `${part} is missing in the prompt ${name}: ${JSON.stringify(text)}`,
      );
    }
  }
  await expectError(
    [INVALID_PARAMS],
    client.getPrompt({ name: "no-such-skill" }),
    "an unknown prompt",
  );
}

const [directory, ...command] = process.argv.slice(2);
const names = readdirSync(directory);
const skills = new Map(names.map((name) => [name, readSkill(directory, name)]));

const v1 = {
  ...(await load("@modelcontextprotocol/sdk/client/index.js")),
  ...(await load("@modelcontextprotocol/sdk/client/stdio.js")),
  ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
};
const v2 = {
  ...(await load("@modelcontextprotocol/client")),
  ...(await load("@modelcontextprotocol/client/stdio")),
};
for (const [version, sdk, options] of [
  ["1", v1, {}],
  ["2", v2, {}],
  ["2", v2, { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
]) {
  const transport = command[0].startsWith("http://")
    ? new sdk.StreamableHTTPClientTransport(new URL(command[0]))
    : new sdk.StdioClientTransport({ command: command[0], args: command.slice(1) });
  const client = new sdk.Client({ name: "judge", version: "1.0.0" }, options);
  await client.connect(transport);
  for (const name of names)
    assert(client.getInstructions()?.includes(name), `${name} is missing in the instructions`);
  await checkExtension(client, skills);
  await checkTools(client, skills);
  await checkPrompts(client, skills);
  await client.close();
  const protocol = options.versionNegotiation?.mode.pin ?? "2025-11-25";
  console.log(
    `TypeScript SDK ${version}, ${command[0]}: ${skills.size} skills as written, in ${protocol}`,
  );
}
