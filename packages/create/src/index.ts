#!/usr/bin/env node
/** The command `npx @signalbox/create <folder>`. */
import { createApp } from "./create-app.ts";
import { folderOf, RefusedError, shellWord } from "./rules.ts";

try {
  const folder = folderOf(process.argv.slice(2), process.versions.node);
  const files = createApp(folder);
  console.log(`${folder} has ${files.join(", ")}.\nNext: cd ${shellWord(folder)} && npm install && npm start`);
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
