import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { localAgent } from "@signalbox/adapters/local-agent";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox, defineEvent, type Storage } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import pg from "pg";
import { afterEach, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../packages/storage-pg/test/test-database.ts";

interface Host {
  readonly storage: Storage;
  begin(): Promise<unknown>;
  end(how: "commit" | "rollback"): Promise<void>;
  close(): Promise<void>;
}

async function sqliteHost(): Promise<Host> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-tx-"));
  const filename = join(directory, "host.sqlite");
  const database = new DatabaseSync(filename);
  return {
    storage: sqliteStorage({ filename }),
    async begin() {
      database.exec("begin immediate");
      return database;
    },
    async end(how) {
      database.exec(how);
    },
    async close() {
      database.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function pgHost(): Promise<Host> {
  const connectionString = await createTestDatabase(inject("pgUrl"));
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    storage: pgStorage({ connectionString }),
    async begin() {
      await client.query("begin");
      return client;
    },
    async end(how) {
      await client.query(how);
    },
    close: () => client.end(),
  };
}

/** A real receiver: counts the hooks that arrive. */
async function receiver() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { bodies, url: `http://127.0.0.1:${port}/hook`, server };
}

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function play(host: Host) {
  const ran: string[] = [];
  const sink = await receiver();
  const signalbox = createSignalbox({
    storage: host.storage,
    agents: localAgent(),
    webHooks: fetchWebHookClient(),
    secretKey: "only for this test",
    config: { debug: true },
    events: [
      defineEvent({
        id: "invoice",
        title: "Send the invoice",
        actions: [{ enabled: true, condition: "success", type: "web_hook", web_hook: "tell" }],
        run: ({ job }) => void ran.push(job.id),
      }),
    ],
  });
  cleanUp.push(async () => void sink.server.close(), host.close, signalbox.stop);
  await signalbox.start();
  await signalbox.api.createWebHook({ id: "tell", title: "Tell", url: sink.url, method: "POST", body: "{{job.id}}" });
  const order = async (tag: string, how: "commit" | "rollback") => {
    const handle = await host.begin();
    const { api } = signalbox.with(handle);
    await api.createTag({ id: tag, title: tag });
    const { id } = await api.runEvent({ id: "invoice" });
    await host.end(how);
    return id;
  };
  return { signalbox, sink, ran, order };
}

describe.each([
  ["SQLite", sqliteHost],
  ["PostgreSQL", pgHost],
])("inside a transaction of the host on %s", (_name, makeHost) => {
  test("a rollback leaves neither tag, job nor web hook; a commit leaves all three", { timeout: 30_000 }, async () => {
    const { signalbox, sink, ran, order } = await play(await makeHost());
    const lost = await order("rolled_back", "rollback");
    const completed = new Promise<{ id: string }>((resolve) => signalbox.events.on("job.completed", resolve));
    const kept = await order("committed", "commit");

    expect((await completed).id).toBe(kept);
    expect(ran).toEqual([kept]);
    expect(sink.bodies).toEqual([kept]);
    const { rows } = await signalbox.api.getTags();
    expect(rows.map((tag) => tag.id)).toEqual(["important", "flag", "committed"]);
    const { jobs } = await signalbox.api.getJobs({ ids: [lost, kept] });
    expect(jobs).toMatchObject([{ err: `Failed to locate job: ${lost}` }, { id: kept, code: 0 }]);
  });

  test("a command that fails leaves the host's transaction usable and no trace of itself", async () => {
    const host = await makeHost();
    const { signalbox } = await play(host);
    const handle = await host.begin();
    await expect(signalbox.with(handle).api.createTag({ id: "flag", title: "Taken" })).rejects.toMatchObject({
      code: "tag",
    });
    await signalbox.with(handle).api.createTag({ id: "fine", title: "Fine" });
    await host.end("commit");
    await expect.poll(async () => (await signalbox.api.getTags()).rows.map((tag) => tag.id)).toContain("fine");
  });

  test("a handle without an open transaction is refused", async () => {
    const host = await makeHost();
    const { signalbox } = await play(host);
    const handle = await host.begin();
    await host.end("rollback");
    await expect(async () => signalbox.with(handle).api.createTag({ title: "x" })).rejects.toThrow(TypeError);
  });
});
