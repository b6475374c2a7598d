"""Attacks a server of skills over stdio and HTTP.

Usage: hostile.py PROGRAM [ARGUMENT…]

Starts the program for each attack, with `--http 127.0.0.1:PORT` appended for one over HTTP. The
server must answer an honest request afterwards, then exit without an error, and its memory must
stay below a limit.
"""

import http.client
import json
import os
import pathlib
import queue
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

INVALID_PARAMS = -32602
# For an unknown resource, before 2026-07-28.
RESOURCE_NOT_FOUND = -32002
MEMORY_LIMIT = 256 << 20
REQUESTS = 10_000
# In seconds. A debug build on a busy machine needs a while for all requests.
PATIENCE = 240

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "hostile", "version": "1.0.0"},
}


# Processes to end at the end.
PROCESSES = []


class Failure(Exception):
    """The attack succeeded."""


def check(condition, what):
    if not condition:
        raise Failure(what)


def peak_memory(process):
    """Returns the peak of the resident memory in bytes, or 0 where /proc does not have it."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def start(command, **streams):
    """Starts a server, and returns it with the file of its standard error."""
    stderr = tempfile.TemporaryFile()
    process = subprocess.Popen(command, stderr=stderr, **streams)
    PROCESSES.append(process)
    return process, stderr


def read_errors(stderr):
    """Returns what a server wrote to standard error, unless it panicked."""
    # The server writes at the same offset, so that must not move.
    errors = os.pread(stderr.fileno(), 1 << 20, 0).decode(errors="replace")
    check("panicked" not in errors, f"the server panicked: {errors}")
    return errors


def check_memory(process):
    memory = peak_memory(process)
    check(memory < MEMORY_LIMIT, f"the server used {memory >> 20} MiB of memory")


def message(method, params=None, **fields):
    return {
        "jsonrpc": "2.0",
        "method": method,
        **({} if params is None else {"params": params}),
        **fields,
    }


class Stdio:
    """A client over stdio. Reads the answers only when it is asked to."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process, self.stderr = start(command, stdin=pipe, stdout=pipe)
        self.lines = queue.Queue()
        self.id = 0

    def initialize(self):
        self.read_in_background()
        self.request("initialize", INITIALIZE)
        self.write(message("notifications/initialized"))
        return self

    def read_in_background(self):
        def read():
            for line in self.process.stdout:
                self.lines.put(line)
            self.lines.put(None)

        threading.Thread(target=read, daemon=True).start()

    def write(self, value):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def read(self):
        line = b""
        for _ in range(PATIENCE):
            try:
                line = self.lines.get(timeout=1)
                break
            except queue.Empty:
                # A task that panicked has no answer.
                read_errors(self.stderr)
        check(line != b"", "no answer")
        check(line is not None, f"the server ended: {read_errors(self.stderr)}")
        return json.loads(line)

    def request(self, method, params=None):
        self.id += 1
        self.write(message(method, params, id=self.id))
        while True:
            answer = self.read()
            if answer.get("id") == self.id:
                return answer

    def close(self, may_fail=False):
        """Checks that the server exits when its input ends."""
        check_memory(self.process)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            raise Failure("the server does not exit when its input ends") from None
        errors = read_errors(self.stderr)
        check(code == 0 or may_fail and code > 0, f"exit code {code}: {errors}")


def is_error(answer, *codes):
    return answer.get("error", {}).get("code") in codes


def call_tool(client, name, arguments):
    return client.request("tools/call", {"name": name, "arguments": arguments})


def is_refused(answer):
    return "error" in answer or answer["result"]["isError"]


def hostile_paths(others):
    """Returns paths below a skill that must not lead to any file."""
    yield from ["", ".", "..", "/", "//", "/etc/passwd", "C:\\Windows\\win.ini", "NUL", "~", "a\0b"]
    separators = ["/", "\\", "%2f", "%2F", "%5c", "%5C", "%252f", "\u2215", "\uff0f", "//"]
    dots = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "...", "\uff0e\uff0e", ".. ", "..%00"]
    for separator in separators:
        for dot in dots:
            for other in others:
                yield f"{dot}{separator}{other}{separator}SKILL.md"
            yield (dot + separator) * 20 + "etc" + separator + "passwd"
    ends = ["%00", "%00.md", "\0", "%2f", "/", "/.", "/..", "?x=1", "#x", ";x", "%", "%zz", " "]
    for end in ends:
        yield f"SKILL.md{end}"
    yield "x" * (1 << 20)
    yield "a/" * (1 << 16)


def attack_uris(client):
    skills = client.request("skills/list", {})["result"]["skills"]
    names = [skill["frontmatter"]["name"] for skill in skills]
    uris = ["", "%", "skill:", "skill://", "skill:///", "file:///etc/passwd"]
    uris += [f"skill://{name}/SKILL.md" for name in ["..", "%2e%2e", "no-such-skill", "NUL", ""]]
    for skill in skills:
        root = skill["uri"].removesuffix("SKILL.md")
        others = [name for name in names if not root.endswith(f"{name}/")]
        uris += [root + path for path in hostile_paths(others)]
        for path in hostile_paths(others):
            arguments = {"skill": skill["frontmatter"]["name"], "path": path}
            answer = call_tool(client, "read_skill_file", arguments)
            # A server may read `SKILL.md/.` as `SKILL.md`, but never another file.
            same_file = path.split("/")[0] == "SKILL.md" and ".." not in path
            check(is_refused(answer) or same_file, f"read {str(arguments)[:300]}: {answer}")
    roots = {skill["uri"].removesuffix("/SKILL.md") for skill in skills}
    for uri in uris:
        for method in ["resources/read", "skills/get", "resources/directory/read"]:
            if method == "resources/directory/read" and uri.rstrip("/.") in roots:
                continue
            answer = client.request(method, {"uri": uri})
            codes = [INVALID_PARAMS] + [RESOURCE_NOT_FOUND] * (method == "resources/read")
            check(is_error(answer, *codes), f"{method} of {uri[:200]!r}: {str(answer)[:300]}")


def attack_params(client):
    methods = ["skills/get", "resources/read", "resources/directory/read"]
    for method in [*methods, "prompts/get", "tools/call"]:
        for params in [{}, {"uri": 5}, {"uri": None}, {"uri": ["x"]}, {"name": 5}, {"name": {}}]:
            answer = client.request(method, params)
            check(is_error(answer, INVALID_PARAMS), f"{method} {params}: {answer}")
    nested = json.loads("[" * 100 + "]" * 100)
    for arguments in [{}, {"name": 5}, {"name": nested}, {"name": ""}, {"name": "x" * (1 << 20)}]:
        answer = call_tool(client, "load_skill", arguments)
        check(is_refused(answer), f"load {str(arguments)[:300]}: {answer}")
    deep = "[" * 100_000 + "]" * 100_000
    broken = ["", "no JSON", "[]", "{}", "null", '{"jsonrpc":"2.0"}', '"\\ud800"', "\0", "\xff"]
    for line in [*broken, deep]:
        client.write(line.encode("latin-1"))
    check("result" in client.request("tools/list"), "tools/list after broken messages")


def attack_cursors(client):
    for items in ["skills", "tools", "prompts", "resources", "resources/templates"]:
        method = f"{items}/list"
        for cursor in ["", "0", "-1", "1", "x", "18446744073709551616", "%00", "x" * (1 << 20)]:
            for _ in range(100):
                answer = client.request(method, {"cursor": cursor})
                cursor = answer.get("result", {}).get("nextCursor")
                if cursor is None:
                    break
            check(cursor is None, f"{method} has no end for an unknown cursor")
            check(
                "result" in answer or is_error(answer, INVALID_PARAMS),
                f"{method}: {str(answer)[:300]}",
            )


def files(client):
    """Returns the URIs of all files, the largest first."""
    skills = client.request("skills/list", {})["result"]["skills"]
    resources = [file for skill in skills for file in skill["resources"]]
    return [file["uri"] for file in sorted(resources, key=lambda file: -file["size"])]


def attack_flood(client):
    """Sends all requests at once and wants each answered, once."""
    params = {"uri": files(client)[-1]}
    requests = [
        message("resources/read", params, id=f"flood {number}") for number in range(REQUESTS)
    ]
    data = "\n".join(map(json.dumps, requests)).encode()
    threading.Thread(target=client.write, args=[data], daemon=True).start()
    missing = {request["id"] for request in requests}
    for _ in range(REQUESTS):
        answer = client.read()
        check("result" in answer, f"an answer to one of {REQUESTS} requests: {str(answer)[:300]}")
        missing.remove(answer["id"])


def attack_notifications(client):
    """Cancels requests before they are answered, and requests that there are not."""
    uri = files(client)[0]
    for number in range(REQUESTS // 10):
        client.write(message("resources/read", {"uri": uri}, id="same"))
        client.write(message("notifications/cancelled", {"requestId": "same"}))
        client.write(message("notifications/cancelled", {"requestId": number}))
        client.write(message("notifications/progress", {"progressToken": number, "progress": 1}))
        client.write(message(f"notifications/{number}", {"x": "x" * 1000}))
        client.write({"jsonrpc": "2.0", "id": number, "result": {}})


def attack_noise(client):
    """Sends messages with random mistakes."""
    random_source = random.Random(1)
    uri = files(client)[-1]
    requests = [
        message("resources/read", {"uri": uri}, id=-1),
        message("tools/call", {"name": "load_skill", "arguments": {"name": "x"}}, id=-1),
        message("initialize", INITIALIZE, id=-1),
    ]
    for _ in range(REQUESTS // 10):
        data = bytearray(json.dumps(random_source.choice(requests)).encode())
        for _ in range(random_source.randint(1, 4)):
            at = random_source.randrange(len(data))
            match random_source.randrange(4):
                case 0:
                    data[at] = random_source.randrange(256)
                case 1:
                    del data[at:]
                    data += b" "
                case 2:
                    data[at:at] = data[at : at + 20]
                case 3:
                    data[at:at] = random_source.choice([b"\\u0000", b"[", b"{", b'"', b"\\"])
        client.write(bytes(data))


def attack_without_reading(command):
    """Sends requests and never reads an answer."""
    client = Stdio(command).initialize()
    uri = files(client)[0]
    client.close()
    client = Stdio(command)
    client.write(message("initialize", INITIALIZE, id=0))
    client.write(message("notifications/initialized"))
    sent = 0

    def write():
        nonlocal sent
        try:
            for sent in range(REQUESTS):
                client.write(message("resources/read", {"uri": uri}, id=sent))
        except OSError:
            pass

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    before = -1
    # Either all is sent, or the server has stopped to read.
    while writer.is_alive() and sent > before:
        before = sent
        writer.join(timeout=5)
    check_memory(client.process)
    client.process.stdout.close()
    writer.join(timeout=30)
    check(not writer.is_alive(), "the server does not notice that its output is closed")
    client.close(may_fail=True)


def attack_size(client):
    megabyte = b"x" * (1 << 20)
    client.process.stdin.write(b'{"jsonrpc":"2.0","id":"large","method":"')
    for _ in range(100):
        client.process.stdin.write(megabyte)
    client.write(b'"}')
    check("result" in client.request("tools/list"), "tools/list after a request of 100 MB")


def report(attack, process):
    print(f"{attack.__name__}: peak memory {peak_memory(process) >> 20} MiB", flush=True)


def attack_stdio(command):
    attacks = [attack_uris, attack_params, attack_cursors, attack_flood, attack_size]
    attacks += [attack_notifications, attack_noise]
    for attack in attacks:
        client = Stdio(command).initialize()
        attack(client)
        check("result" in client.request("tools/list"), f"tools/list after {attack.__name__}")
        report(attack, client.process)
        client.close()
    attack_without_reading(command)
    unfinished = json.dumps(message("initialize", INITIALIZE, id=1)).encode()
    for data in [b"", b"no JSON\n", b"[]\n", b"x" * (1 << 20), unfinished]:
        client = Stdio(command)
        client.process.stdin.write(data)
        client.close(may_fail=True)
    return len(attacks) + 2


class Http:
    """A server over HTTP, and its honest client."""

    def __init__(self, command):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        null = subprocess.DEVNULL
        address = f"127.0.0.1:{self.port}"
        self.process, self.stderr = start([*command, "--http", address], stdin=null, stdout=null)
        deadline = time.monotonic() + 30
        while True:
            try:
                return self.connect().close()
            except ConnectionRefusedError:
                check(time.monotonic() < deadline, "the server does not listen")
                time.sleep(0.05)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def head(self, *fields):
        """Returns the start of a request, for what `http.client` does not send."""
        lines = [
            "POST /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            *fields,
        ]
        return "".join(f"{line}\r\n" for line in lines).encode()

    def post(self, body, **headers):
        """Returns the status and the text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest("POST", "/mcp", skip_host="Host" in headers)
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        }
        for name, value in (fields | headers).items():
            connection.putheader(name.replace("_", "-"), value)
        try:
            connection.endheaders(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            response = connection.getresponse()
            return response.status, response.read().decode(errors="replace")
        except (ConnectionError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def call(self, method, params=None, name=None, **headers):
        """Sends a request of the protocol without sessions."""
        version = "2026-07-28"
        meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": INITIALIZE["clientInfo"],
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        body = message(method, {**(params or {}), "_meta": meta}, id=1)
        fields = {
            "MCP_Protocol_Version": version,
            "Mcp_Method": method,
            **({"Mcp_Name": name} if name else {}),
        }
        return self.post(json.dumps(body).encode(), **(fields | headers))

    def check_alive(self, after):
        status, text = self.call("tools/list")
        check(
            status == 200 and "load_skill" in text,
            f"tools/list after {after}: {status} {text[:300]}",
        )

    def close(self):
        code = self.process.poll()
        check(code is None, f"exit code {code}: {read_errors(self.stderr)}")
        check_memory(self.process)
        self.process.terminate()
        self.process.wait(timeout=30)
        read_errors(self.stderr)


def attack_headers(server):
    """DNS rebinding: a page in a browser that reaches the server by another name."""
    port = server.port
    foreign = [
        {"Host": "evil.example"},
        {"Host": f"evil.example:{port}"},
        {"Host": f"localhost.evil.example:{port}"},
        {"Host": f"127.0.0.1.evil.example:{port}"},
        {"Host": "169.254.169.254"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": f"http://localhost.evil.example:{port}"},
        {"Origin": "http://localhost:3.evil.example"},
        {"Origin": "null"},
        {"Origin": "file://"},
        {"Origin": "x"},
        {"Host": f"127.0.0.1:{port}", "Origin": "https://evil.example"},
    ]
    for headers in foreign:
        status, text = server.call("tools/list", **headers)
        check(400 <= status < 500 and "load_skill" not in text, f"{headers}: {status} {text[:200]}")
        body = json.dumps(message("initialize", INITIALIZE, id=1)).encode()
        status, text = server.post(body, **headers)
        check(400 <= status < 500 and "serverInfo" not in text, f"{headers}: {status} {text[:200]}")
    for headers in [{}, {"Host": f"localhost:{port}"}, {"Origin": f"http://127.0.0.1:{port}"}]:
        status, text = server.call("tools/list", **headers)
        check(status == 200 and "load_skill" in text, f"{headers}: {status} {text[:200]}")


def attack_http_uris(server):
    for path in hostile_paths(["write-release"]):
        if path.isascii() and path.isprintable() and len(path) < 4000:
            uri = f"skill://audit-tables/{path}"
            status, text = server.call("resources/read", {"uri": uri}, name=uri)
            check("error" in text and "contents" not in text, f"{uri}: {status} {text[:200]}")
    for path in ["/", "/etc/passwd", "/mcp/../../etc/passwd", "/mcp/%2e%2e/SKILL.md", "/SKILL.md"]:
        with server.connect() as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
            )
            status = int(connection.recv(64).split()[1])
            check(400 <= status < 500, f"GET {path}: {status}")


def attack_http_size(server):
    for length in ["104857600", "18446744073709551615", "99999999999999999999", "-1", "x"]:
        with server.connect() as connection:
            try:
                connection.sendall(server.head(f"Content-Length: {length}", ""))
                for _ in range(100):
                    connection.sendall(b"x" * (1 << 20))
                answer = connection.recv(64)
            except OSError:
                # The server closed the connection.
                continue
            refused = not answer or answer.split()[1].startswith(b"4")
            check(refused, f"Content-Length {length}: {answer}")
    with server.connect() as connection:
        try:
            connection.sendall(server.head(*(f"X-{number}: y" for number in range(100_000))))
        except OSError:
            pass


def attack_http_endless(server):
    """Sends bodies and headers that never end."""
    starts = [
        server.head("Transfer-Encoding: chunked", "") + b"1\r\n{\r\n",
        server.head("Content-Length: 1000", "") + b"{",
        server.head(),
        b"GET /mcp HTTP/1.1\r\n",
        b"",
    ] * 40
    connections = [server.connect() for _ in starts]
    for connection, data in zip(connections, starts):
        connection.sendall(data)
    for _ in range(10):
        server.check_alive("bodies that never end")
        for connection, data in zip(connections, starts):
            try:
                connection.sendall(b"1\r\n \r\n" if b"chunked" in data else b" ")
            except OSError:
                pass
    for connection in connections:
        connection.close()


def attack_http_flood(server):
    """Sends requests over many connections at once, half of which are never read."""
    body = json.dumps(message("initialize", INITIALIZE, id=1)).encode()
    request = server.head(f"Content-Length: {len(body)}", "") + body
    connections = [server.connect() for _ in range(200)]
    each = REQUESTS // len(connections)

    def write(connection):
        try:
            connection.sendall(request * each)
        except OSError:
            pass

    def read(connection):
        text = b""
        try:
            while text.count(b"HTTP/1.1 200") < each or not text.endswith((b"\r\n\r\n", b"}")):
                data = connection.recv(1 << 16)
                if not data:
                    break
                text += data
        except OSError:
            pass
        answered.append(text.count(b"HTTP/1.1 200"))

    answered = []
    read_connections = connections[::2]
    threads = [(write, connection) for connection in connections]
    threads += [(read, connection) for connection in read_connections]
    threads = [threading.Thread(target=run, args=[it], daemon=True) for run, it in threads]
    for thread in threads:
        thread.start()
    server.check_alive("a flood")
    for thread in threads[len(connections) :]:
        thread.join(timeout=PATIENCE)
    expected = [each] * len(read_connections)
    check(answered == expected, f"{sum(answered)} of {sum(expected)} requests are answered")
    for connection in connections:
        connection.close()


def attack_http(command):
    attacks = [attack_headers, attack_http_uris, attack_http_size, attack_http_endless]
    attacks.append(attack_http_flood)
    for attack in attacks:
        server = Http(command)
        attack(server)
        server.check_alive(attack.__name__)
        report(attack, server.process)
        server.close()
    return len(attacks)


try:
    count = attack_stdio(sys.argv[1:]) + attack_http(sys.argv[1:])
    print(f"hostile clients: the server withstood {count} attacks over stdio and HTTP")
except Failure as failure:
    sys.exit(f"hostile clients: {failure}")
finally:
    for process in PROCESSES:
        process.kill()
