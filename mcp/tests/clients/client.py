"""Checks a server of skills with the Python SDK as its client.

Usage: client.py SKILLS URL
       client.py SKILLS PROGRAM [ARGUMENT…]

SKILLS is the directory with the skills as their author wrote them. The server has to serve these
and no others: every byte, and each frontmatter as a YAML 1.2 parser reads it. Fails at the first
difference.
"""

import asyncio
import base64
import hashlib
import pathlib
import sys

from mcp import Client, MCPError, StdioServerParameters, types
from pydantic import TypeAdapter
from ruamel.yaml import YAML

EXTENSION = "io.modelcontextprotocol/skills"
INVALID_PARAMS = -32602
# For an unknown resource, before 2026-07-28.
RESOURCE_NOT_FOUND = -32002


class Params(types.RequestParams):
    uri: str | None = None
    cursor: str | None = None


class Skill:
    """A skill as its author wrote it."""

    def __init__(self, directory):
        self.name = directory.name
        self.files = {
            path.relative_to(directory).as_posix(): path.read_bytes()
            for path in directory.rglob("*")
            if path.is_file()
        }
        frontmatter, body = self.files["SKILL.md"].decode().split("---", 2)[1:]
        self.frontmatter = YAML(typ="safe", pure=True).load(frontmatter)
        self.first_line = body.strip().splitlines()[0]

    def text_files(self):
        for path, content in self.files.items():
            try:
                yield path, content.decode()
            except UnicodeDecodeError:
                pass

    def binary_files(self):
        return self.files.keys() - {path for path, _ in self.text_files()}


class Difference(Exception):
    """The server differs from what is expected."""


def expect(actual, expected, what):
    if actual != expected:
        raise Difference(f"{what}: expected {expected!r}, got {actual!r}")


def expect_part(part, text, what):
    if part not in text:
        raise Difference(f"{what}: {part!r} is missing in {text!r}")


async def expect_error(codes, request, what):
    try:
        answer = await request
    except MCPError as error:
        if error.error.code not in codes:
            raise Difference(f"{what}: expected an error of {codes}, got {error.error}") from None
    else:
        raise Difference(f"{what}: expected an error, got {answer}")


async def send(client, method, **params):
    request = types.Request[Params, str](method=method, params=Params(**params))
    return await client.session.send_request(request, TypeAdapter(dict))


async def pages(client, method, key, **params):
    """Returns the items of a list that the SDK has no method for."""
    items, cursor = [], None
    for _ in range(100):
        page = await send(client, method, **params, cursor=cursor)
        items += page[key]
        cursor = page.get("nextCursor")
        if cursor is None:
            return items
    raise Difference(f"{method} has more than 100 pages")


def content(result, uri):
    """Returns the bytes of a result of `resources/read`."""
    expect(len(result.contents), 1, f"contents of {uri}")
    item = result.contents[0]
    expect(item.uri, uri, "URI of the contents")
    return item.text.encode() if hasattr(item, "text") else base64.b64decode(item.blob)


def same(left, right):
    """Compares JSON values without Python's `True == 1`."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and left == right


async def check_extension(client, skills):
    capabilities = client.server_capabilities
    settings = capabilities.extensions[EXTENSION]
    if capabilities.resources is None:
        raise Difference("the capability `resources` is missing")
    entries = await pages(client, "skills/list", "skills")
    expect(
        sorted(entry["frontmatter"]["name"] for entry in entries),
        sorted(skills),
        "names of skills/list",
    )
    for entry in entries:
        skill = skills[entry["frontmatter"]["name"]]
        if not same(entry["frontmatter"], skill.frontmatter):
            got = entry["frontmatter"]
            raise Difference(
                f"frontmatter of {skill.name}: expected {skill.frontmatter}, got {got}"
            )
        got = await send(client, "skills/get", uri=entry["uri"])
        expect(got["skill"], entry, f"skills/get of {skill.name}")
        served = []
        for resource in entry["resources"]:
            uri = resource["uri"]
            read = content(await client.read_resource(uri), uri)
            expect(len(read), resource["size"], f"size of {uri}")
            expect(
                "sha256:" + hashlib.sha256(read).hexdigest(), resource["digest"], f"digest of {uri}"
            )
            served.append(read)
        expect(sorted(served), sorted(skill.files.values()), f"files of {skill.name}")
        if settings.get("directoryRead"):
            expect(
                sorted(await walk(client, entry["uri"].removesuffix("/SKILL.md"))),
                sorted(resource["uri"] for resource in entry["resources"]),
                f"files in the directories of {skill.name}",
            )
            await expect_error(
                [INVALID_PARAMS],
                send(client, "resources/directory/read", uri=entry["uri"]),
                "directory read of a file",
            )
    for uri in [
        "skill://no-such-skill/SKILL.md",
        "skill://no-such-skill",
        "file:///etc/passwd",
        "",
        "%",
    ]:
        await expect_error(
            [INVALID_PARAMS], send(client, "skills/get", uri=uri), f"skills/get of {uri!r}"
        )
        await expect_error(
            [INVALID_PARAMS, RESOURCE_NOT_FOUND],
            client.read_resource(uri),
            f"resources/read of {uri!r}",
        )


async def walk(client, uri):
    files = []
    for child in await pages(client, "resources/directory/read", "resources", uri=uri):
        if child.get("mimeType") == "inode/directory":
            files += await walk(client, child["uri"])
        else:
            files.append(child["uri"])
    return files


async def check_resources(client, skills):
    listed = {resource.uri: resource for resource in (await client.list_resources()).resources}
    for entry in await pages(client, "skills/list", "skills"):
        resource, skill = listed[entry["uri"]], skills[entry["frontmatter"]["name"]]
        expect(resource.name, skill.name, f"name of {resource.uri}")
        expect(
            resource.description, skill.frontmatter["description"], f"description of {resource.uri}"
        )
        expect(resource.mime_type, "text/markdown", f"type of {resource.uri}")
    expect((await client.list_resource_templates()).resource_templates, [], "resource templates")


async def check_tools(client, skills):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name in ["load_skill", "read_skill_file"]:
        expect_part(name, tools, "tools")
        expect(tools[name].input_schema["type"], "object", f"schema of {name}")

    async def call(tool, part, failed=False, **arguments):
        result = await client.call_tool(tool, arguments)
        text = "".join(block.text for block in result.content)
        expect(bool(result.is_error), failed, f"isError of {tool} {arguments} with {text!r}")
        expect_part(part, text, f"{tool} {arguments}")

    for skill in skills.values():
        await call("load_skill", skill.first_line, name=skill.name)
        for path, text in skill.text_files():
            last_line = text.splitlines()[-1] if text else ""
            await call("read_skill_file", last_line, skill=skill.name, path=path)
        for path in [*skill.binary_files(), "no-such-file", "../../SKILL.md", "/etc/passwd"]:
            await call("read_skill_file", "", failed=True, skill=skill.name, path=path)
    await call("load_skill", "no-such-skill", failed=True, name="no-such-skill")
    await expect_error(
        [INVALID_PARAMS], client.call_tool("no_such_tool", {}), "call of an unknown tool"
    )


async def check_prompts(client, skills):
    prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    invocable = [
        name for name, skill in skills.items() if skill.frontmatter.get("user-invocable", True)
    ]
    expect(sorted(prompts), sorted(invocable), "names of prompts")
    for name, prompt in prompts.items():
        names = [argument.name for argument in prompt.arguments or []]
        for argument in skills[name].frontmatter.get("arguments", []):
            expect_part(argument, names, f"arguments of the prompt {name}")
        result = await client.get_prompt(name, {argument: "seven" for argument in names})
        text = "".join(message.content.text for message in result.messages)
        for part in [skills[name].first_line, *(["seven"] if names else [])]:
            expect_part(part, text, f"prompt {name}")
    await expect_error([INVALID_PARAMS], client.get_prompt("no-such-skill"), "an unknown prompt")


def check_instructions(client, skills):
    for name in skills:
        expect_part(name, client.instructions or "", "instructions")


async def main():
    directory, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    skills = {path.parent.name: Skill(path.parent) for path in directory.glob("*/SKILL.md")}
    server = command[0]
    if not server.startswith("http://"):
        server = StdioServerParameters(command=command[0], args=command[1:])
    for mode, version in [("legacy", "2025-11-25"), ("auto", "2026-07-28")]:
        async with Client(server, mode=mode, read_timeout_seconds=30) as client:
            expect(client.protocol_version, version, "protocol version")
            check_instructions(client, skills)
            await check_extension(client, skills)
            await check_resources(client, skills)
            await check_tools(client, skills)
            await check_prompts(client, skills)
            print(f"Python SDK, {command[0]}: {len(skills)} skills as written, in {version}")


try:
    asyncio.run(main())
except* Difference as group:
    while isinstance(group, ExceptionGroup):
        group = group.exceptions[0]
    sys.exit(f"Python SDK: {group}")
