/** Writes docs/reference/operations.md from the registry; `--check` fails when the file is out of date. */
import { readFile, writeFile } from "node:fs/promises";
import { createSignalbox, memoryStorage } from "@signalbox/core";

const file = new URL("../reference/operations.md", import.meta.url);
const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "only for the reference" });

const access = (operation: { access: { kind: string; id?: string } }): string =>
  operation.access.kind === "privilege" ? `\`${operation.access.id}\`` : operation.access.kind;

const rows = [...signalbox.operations.values()]
  .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
  .map((each) => `| \`${each.name}\` | ${each.method} | ${access(each)} | ${each.kind} | ${each.summary} |`);

const text = `# Operations

Generated from the registry by \`npm run reference\`. Path: \`/api/<namespace>/<operation>/v1\`; the namespace is \`app\`
unless the name says otherwise.

| Operation | Method | Who may call | Kind | What it does |
|---|---|---|---|---|
${rows.join("\n")}
`;

if (process.argv.includes("--check")) {
  const stored = await readFile(file, "utf8").catch(() => "");
  if (stored !== text) {
    console.error("docs/reference/operations.md is out of date: run npm run reference");
    process.exit(1);
  }
} else await writeFile(file, text);
