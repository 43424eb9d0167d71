#!/usr/bin/env node
/** The command `signalbox`: the stand-alone server, and commands for its records. See docs/guide/command-line.md. */
import { runCommandLine } from "./lib/command-line/command-line.ts";

process.exitCode = await runCommandLine(process.argv.slice(2));
