#!/usr/bin/env node
// Starts the program `skills` of the package for this system, one of the `optionalDependencies`.
"use strict";

const { spawn } = require("node:child_process");
const manifest = require("./package.json");

function fail(message, help) {
  console.error(`error: ${message}\nhelp: ${help}`);
  process.exit(1);
}

const system = `${process.platform}-${process.arch}`;
const name = `${manifest.name}-${system}`;
if (!(name in manifest.optionalDependencies)) {
  fail(`there is no program for ${system}`, "use `cargo install helix-skills-cli`");
}
let program;
try {
  program = require.resolve(`${name}/skills${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  fail(`the package ${name} is not installed`, "install without `--omit=optional` and `--no-optional`");
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`failed to start ${program}: ${error.message}`, `reinstall ${manifest.name}`));
// A terminal sends SIGINT to both; the program decides when to end.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
