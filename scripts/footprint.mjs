// Simulates a user's installation: packs core, adapters, http-hono, storage-sqlite, the client, the pages and the creator of a
// first program, installs the tarballs into an empty folder and fails when over budget. Prints packages and megabytes; only the
// first four count, with their dependencies. Then it opens the pages, and has a first program written, checked, tested and
// started.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { readFirstProgram, runCreatedProgram, runFirstProgram } from "./first-program.mjs";
import { missing } from "./release/declared.mjs";

const BUDGET = { packages: 8, megabytes: 15 };
const PACKED = ["core", "adapters", "http-hono", "storage-sqlite"];
/** Packed and installed too, but not counted. */
const UNCOUNTED = ["client", "dashboard", "create"];
/** Packed too, in the same call because npm takes a second to start, but not installed. */
const ONLY_PACKED = "storage-pg";
const SERVER = "@hono/node-server";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "signalbox-footprint-"));

const npm = (args, cwd) => execFileSync("npm", [...args, "--loglevel=error"], { cwd, encoding: "utf8" });

/** Every installed package folder below node_modules, including scoped and nested ones. */
function* installed(modules) {
  if (!existsSync(modules)) return;
  for (const name of readdirSync(modules)) {
    if (name.startsWith(".")) continue;
    const path = join(modules, name);
    if (name.startsWith("@")) {
      for (const scoped of readdirSync(path)) yield* packageAt(join(path, scoped));
    } else yield* packageAt(path);
  }
}
function* packageAt(path) {
  yield path;
  yield* installed(join(path, "node_modules"));
}
function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const full = join(path, entry.name);
    if (entry.isDirectory()) yield* files(full);
    else if (entry.isFile()) yield full;
  }
}

/**
 * Entry points that a user's tools could not resolve. Checks our tarballs: on its own, the checker has npm pack each package
 * again.
 */
async function faultyEntries(tarballs) {
  const faults = [];
  for (const file of tarballs) {
    const tarball = new Blob([readFileSync(file)]).stream();
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    faults.push(...messages.map((message) => `${pkg.name}: ${formatMessage(message, pkg)}`));
  }
  return faults;
}

/** Matches files that must not be published: fixtures, tests and private keys. A template contains a test for its user. */
const isLeak = (file) =>
  (/[\\/]fixtures[\\/]|\.test\.|\.(?:pem|key)$/.test(file) && !/[\\/]create[\\/]template[\\/]/.test(file)) ||
  readFileSync(file, "utf8").includes("PRIVATE KEY-----");

/** Packs packages; returns the paths of the tarballs. */
function pack(names) {
  const chosen = names.flatMap((name) => ["--workspace", `packages/${name}`]);
  const made = JSON.parse(npm(["pack", "--json", "--pack-destination", folder, ...chosen], root));
  return made.map(({ filename }) => join(folder, filename));
}

const install = (what) => npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...what], folder);

try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
  const tarballs = pack([...PACKED, ...UNCOUNTED, ONLY_PACKED]);
  install(["hono", "kysely", SERVER, ...tarballs.filter((path) => !basename(path).includes(ONLY_PACKED))]);

  const modules = join(folder, "node_modules");
  const uncounted = [SERVER, ...UNCOUNTED.map((name) => `@signalbox/${name}`)].map((name) => join(modules, name));
  const third = [...installed(modules)].filter(
    (path) => !(path.includes(`${join("node_modules", "@signalbox")}`) || uncounted.includes(path)),
  );
  const sizeOf = (path) => [...files(path)].reduce((sum, file) => sum + statSync(file).size, 0);
  const bytes = uncounted.reduce((rest, path) => rest - sizeOf(path), sizeOf(modules));
  const megabytes = bytes / 1e6;
  const native = [...files(modules)].filter((file) => /\.node$|binding\.gyp$/.test(file));
  const scripted = third.filter((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return scripts.preinstall || scripts.install || scripts.postinstall;
  });
  const leaked = [...files(join(modules, "@signalbox"))].filter(isLeak);
  const text = (file) => readFileSync(file, "utf8");
  const untyped = [...missing([...files(join(modules, "@signalbox"))], text), ...undeclared(folder)];
  const ready = execFileSync("node", ["--input-type=module", "-e", SMOKE()], { cwd: folder, encoding: "utf8" }).trim();

  const program = readFirstProgram(root);
  const unsaid = program.packages.filter((name) => !existsSync(join(modules, name)));
  if (unsaid.length > 0) throw new Error(`README installs ${unsaid}, which was not packed`);
  console.log(await runFirstProgram(folder, program));
  console.log(await runCreatedProgram(folder, join(root, "node_modules")));
  const shown = execFileSync("node", ["--input-type=module", "-e", PAGE()], { cwd: folder, encoding: "utf8" }).trim();

  console.log(
    `Installed: ${third.length} third-party packages (budget ${BUDGET.packages}), ${megabytes.toFixed(1)} MB (budget ${BUDGET.megabytes})`,
  );
  console.log(
    `Native files: ${native.length}; packages with install scripts: ${scripted.length}; installed copy: ${ready}; pages: ${shown}`,
  );
  const faults = [...native, ...scripted, ...leaked, ...untyped, ...(await faultyEntries(tarballs))];
  for (const fault of faults) console.error(fault);
  if (third.length > BUDGET.packages || megabytes > BUDGET.megabytes || faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Checks that a host that publishes its own declarations can name the types of its values; returns the faulty lines. */
function undeclared(folder) {
  const host = `
    import { createSignalbox, defineEvent, memoryStorage } from "@signalbox/core";
    import { credentials, defineCommand, definePlugin } from "@signalbox/core/plugin";
    import { z } from "zod";
    const shape = { name: "acme_touch", method: "POST", summary: "Touch.", access: credentials } as const;
    export const touch = defineCommand({ ...shape, input: z.looseObject({}), output: z.object({}), handler: async () => ({}) });
    export const acme = definePlugin({ id: "acme.touch", operations: [touch] });
    export const nightly = defineEvent({ id: "nightly", title: "Nightly", schedule: "0 3 * * *", run: () => 1 });
    const options = { storage: memoryStorage(), secretKey: "0123456789abcdef", events: [nightly] };
    export const signalbox = createSignalbox({ ...options, plugins: [acme] });
    export const { api } = signalbox;`;
  writeFileSync(join(folder, "host.mts"), host);
  const compiler = join(root, "node_modules", ".bin", "tsc");
  const flags = "--declaration --emitDeclarationOnly --strict --skipLibCheck --module nodenext --target es2024 --types";
  try {
    execFileSync(compiler, [...flags.split(" "), "", "--outDir", "declared", "host.mts"], {
      cwd: folder,
      encoding: "utf8",
    });
    return [];
  } catch ({ stdout }) {
    return String(stdout).trim().split("\n");
  }
}

/** The installed copy, compiled and without access to our sources, must start and answer. */
function SMOKE() {
  return `
    import { createSignalbox } from "@signalbox/core";
    import { createRouter } from "@signalbox/http-hono";
    import { sqliteStorage } from "@signalbox/storage-sqlite";
    const signalbox = createSignalbox({ storage: sqliteStorage({ filename: ":memory:" }), secretKey: "0123456789abcdef" });
    await signalbox.start();
    const response = await createRouter(signalbox).request("/api/app/ping/v1");
    await signalbox.stop();
    console.log(response.status === 200 ? "starts and answers" : "answers " + response.status);
  `;
}

/** Opens the first page and everything it references. */
function PAGE() {
  return `
    import { createSignalbox, memoryStorage } from "@signalbox/core";
    import { createClient } from "@signalbox/client";
    import { createDashboard } from "@signalbox/dashboard";
    const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "0123456789abcdef" });
    await signalbox.start();
    const dashboard = createDashboard(signalbox);
    const get = (path) => dashboard(new Request(new URL(path, "http://localhost/ops/")));
    const page = await (await get("")).text();
    const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
    const statuses = await Promise.all(named.map(async (path) => (await get(path)).status));
    await signalbox.stop();
    const isWhole = named.length > 3 && statuses.every((status) => status === 200) && typeof createClient === "function";
    if (!isWhole) throw new Error("the first page names " + JSON.stringify([named, statuses]));
    console.log(named.length + " files of the first page are there");
  `;
}
