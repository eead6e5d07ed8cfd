#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");

const name = `commerce-refserver-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/refserver${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`commerce-refserver: the package ${name} is missing. ` +
    "Install without --no-optional and --ignore-optional, or use an archive of the release.");
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`commerce-refserver: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
