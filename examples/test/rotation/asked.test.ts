import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { beside, killsOf, toldOn } from "../kills.ts";
import { ADMIN_KEY, type RunningServer, startServer } from "../program.ts";

const KILLS = killsOf(20);
/** Number of secrets; resealing one costs two slow keys. One transaction reseals twenty: the long story has more. */
const SECRETS = beside(KILLS, 4, 25);
/** Milliseconds within which the kill falls, so that it finds work. */
const SPREAD_MS = 48 * SECRETS;
const PASSWORD = "the password of the administrator";
const ids = Array.from({ length: SECRETS }, (_unused, n) => `z${n}`);
const fieldsOf = (id: string) => [{ name: "VALUE", value: `value of ${id}` }];

let folder: string;
let server: RunningServer | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-asked-"));
});
afterEach(async () => {
  await server?.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A killed node counts as working for two seconds in place of twelve. There is no other node that a stall could bury. */
const CONFIG = JSON.stringify({ cluster: { beat_sec: 0.5, silent_sec: 2 } });

const keysIn = async (): Promise<string[]> =>
  (await readFile(join(folder, "own.keys"), "utf8")).split("\n").filter(Boolean);

async function start(storage: string): Promise<RunningServer> {
  server = await startServer({
    SIGNALBOX_DATA_DIR: folder,
    SIGNALBOX_STORAGE: storage,
    SIGNALBOX_SECRET_KEY: undefined,
    SIGNALBOX_KEY_STORE: join(folder, "own.keys"),
    SIGNALBOX_ADMIN_PASSWORD: PASSWORD,
    SIGNALBOX_CONFIG: CONFIG,
  });
  return server;
}

/** Resolves when this node is the only one: a killed node counts as working until it was silent for some time. */
async function alone({ call }: RunningServer): Promise<void> {
  const nodes = async () => ((await call("get_masters")) as unknown as { rows: unknown[] }).rows.length;
  await expect.poll(nodes, { timeout: 240_000, interval: 200 }).toBe(1);
}

/**
 * Ends the claim of a process that was killed between its claim and its new key. It would refuse changes for ten minutes, for a
 * process that was only stalled; this one is dead.
 */
const endClaim = ({ call }: RunningServer) => call("update_global_state", { "secrets.key_change_until": null });

/** Requests a rotation as a browser would, with a session and the user's own password. */
async function rotate({ url }: RunningServer, password = PASSWORD): Promise<Record<string, unknown>> {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const door = await post("user/login", { username: "admin", password: PASSWORD });
  const { csrf_token: csrf } = (await door.json()) as { csrf_token: string };
  const [cookie = ""] = (door.headers.get("set-cookie") ?? "").split(";");
  const answer = await post("app/admin_rotate_secret_key/v1", { password }, { cookie, "X-CSRF-Token": csrf });
  return (await answer.json()) as Record<string, unknown>;
}

async function isRotating({ call }: RunningServer): Promise<boolean> {
  const { rows } = (await call("get_internal_jobs")) as unknown as { rows: { title: string }[] };
  return rows.some(({ title }) => title === "Secret key rotation");
}

const told: string[] = [];

async function killed(storage: string, round: number): Promise<void> {
  const running = await start(storage);
  if (round === 0) for (const id of ids) await running.call("create_secret", { id, title: id, fields: fieldsOf(id) });
  const [former] = await keysIn();
  await alone(running);
  await endClaim(running);
  // The leader finishes a change that the last kill cut off; the next change waits for that, or finishes it itself.
  const answer = await rotate(running);
  expect(answer).toMatchObject({ code: 0, id: expect.stringMatching(/^i/) });
  // Every other kill comes after the new key is stored, however slow the machine.
  if (round % 2 === 0)
    await expect.poll(async () => (await keysIn())[0], { timeout: 240_000, interval: 20 }).not.toBe(former);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS));
  told.push(running.stdout(), running.stderr());
  await running.kill("SIGKILL");
}

const STORIES = toldOn(
  {
    SQLite: async () => `sqlite:${folder}/rotation.sqlite`,
    PostgreSQL: () => createTestDatabase(inject("pgUrl")),
  },
  "PostgreSQL",
);

test.each(STORIES)(
  `on %s ${SECRETS} secrets survive ${KILLS} kills while the key is rotated by a call`,
  {
    timeout: 600_000,
  },
  async (_name, addressOf) => {
    const storage = await addressOf();
    const known = new Set<string>();
    for (let round = 0; round < KILLS; round++) {
      await killed(storage, round);
      for (const key of await keysIn()) known.add(key);
      expect((await keysIn()).length).toBeLessThanOrEqual(2);
    }
    const last = await start(storage);
    expect(await rotate(last, "wrong")).toMatchObject({ code: "admin", description: "Incorrect password." });
    await alone(last);
    await endClaim(last);
    expect(await rotate(last)).toMatchObject({ code: 0 });
    await expect.poll(() => isRotating(last), { timeout: 240_000 }).toBe(false);
    for (const key of await keysIn()) known.add(key);
    for (const id of ids) expect(await last.call("decrypt_secret", { id })).toMatchObject({ fields: fieldsOf(id) });
    const { rows } = (await last.call("search_activity", { query: "action:internal_job", limit: 1 })) as unknown as {
      rows: { job: { outcome: string; details: string } }[];
    };
    expect(rows[0]?.job).toMatchObject({ outcome: "done", details: expect.stringContaining("sealed anew") });
    expect(known.size).toBeGreaterThan(KILLS / 2);
    told.push(last.stdout(), last.stderr());
    for (const secret of [...known, PASSWORD, ADMIN_KEY]) expect(told.join("")).not.toContain(secret);
  },
);
