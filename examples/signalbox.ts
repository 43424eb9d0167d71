#!/usr/bin/env node
/** The command `signalbox`: the stand-alone server, and commands for its records. See docs/guide/command-line.md. */
import { runCommandLine } from "./lib/command-line/command-line.ts";

// A reader such as `head` may close the pipe early: the rest of the output is not needed.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
process.exitCode = await runCommandLine(process.argv.slice(2), process);
