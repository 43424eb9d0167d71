/** Runs a program of this checkout: `node scripts/code/run.ts examples/standalone.ts`. */
import { spawn } from "node:child_process";
import { programArguments } from "./code.ts";

const [program = "", ...given] = process.argv.slice(2);
const args = [...programArguments(program), ...given];

// Replaces this process: a parent process would receive the signals meant for the program.
if (process.execve && process.platform !== "win32")
  process.execve(process.execPath, [process.execPath, ...args], process.env);

const child = spawn(process.execPath, args, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
