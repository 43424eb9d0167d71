import { once } from "node:events";
import { createServer } from "node:http";
import { localAgent } from "@signalbox/adapters/local-agent";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox, defineEvent } from "@signalbox/core";
import { afterEach, describe, expect, inject, test } from "vitest";
import { type Host, kyselyHost, pgHost, sqliteHost } from "./hosts.ts";

/** On SQLite the engine sees the host's commit at its next poll, once a second. */

/** A real receiver that keeps the bodies of the web hooks. */
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
    webHooks: fetchWebHookClient({ allow: ["loopback"] }),
    secretKey: "only for this test",
    config: { debug: true },
    events: [
      defineEvent({
        id: "invoice",
        title: "Send the invoice",
        actions: [{ enabled: true, condition: "success", type: "web_hook", web_hook: "tell" }],
        run: ({ job, log }) => {
          ran.push(job.id);
          log("The invoice is sent.");
        },
      }),
    ],
  });
  cleanUp.push(async () => void sink.server.close(), host.close, signalbox.stop);
  await signalbox.start();
  await signalbox.api.createWebHook({ id: "tell", title: "Tell", url: sink.url, method: "POST", body: "{{job.id}}" });
  return {
    ...{ signalbox, sink, ran },
    tags: async () => (await signalbox.api.getTags()).rows.map(({ id }) => id),
    /** Writes the host's order, a tag and a job in one transaction; returns the job's id. */
    async order(tag: string, how: "commit" | "rollback"): Promise<string> {
      const { api } = signalbox.with(await host.begin());
      await api.createTag({ id: tag, title: tag });
      const { id } = await api.runEvent({ id: "invoice" });
      await host.end(how);
      return id;
    },
  };
}

describe.each<[string, () => Promise<Host>]>([
  ["SQLite", sqliteHost],
  ["PostgreSQL", () => pgHost(inject("pgUrl"))],
  ["PostgreSQL through Kysely", () => kyselyHost(inject("pgUrl"))],
])("inside a transaction of the host on %s", (_name, makeHost) => {
  test("a rollback leaves neither tag, job nor web hook; a commit leaves all three", async () => {
    const host = await makeHost();
    const { signalbox, sink, ran, order, tags } = await play(host);
    const lost = await order("rolled_back", "rollback");
    const kept = await order("committed", "commit");

    // The rolled-back work came first, so any effect of it would have arrived earlier.
    await expect.poll(() => sink.bodies.length).toBeGreaterThan(0);
    await expect.poll(tags).toContain("committed");
    expect(sink.bodies).toEqual([kept]);
    expect(ran).toEqual([kept]);
    expect(await tags()).toEqual(["important", "flag", "committed"]);
    expect(await host.orders()).toBe(1);
    const jobs = async () => (await signalbox.api.getJobs({ ids: [lost, kept] })).jobs;
    await expect.poll(jobs).toMatchObject([{ err: `Failed to locate job: ${lost}` }, { id: kept, final: true }]);
    const { job } = await signalbox.api.getJob({ id: kept });
    expect(job).toMatchObject({ code: 0, output: "The invoice is sent.\n" });
  });

  test("the transaction sees its own changes, and other connections do not before the commit", async () => {
    const host = await makeHost();
    const { signalbox, tags } = await play(host);
    const { api } = signalbox.with(await host.begin());
    await api.createTag({ id: "fresh", title: "Fresh" });
    await api.updateTag({ id: "flag", title: "Renamed" });
    expect((await api.getTag({ id: "fresh" })).tag.title).toBe("Fresh");
    expect((await api.getTag({ id: "flag" })).tag.title).toBe("Renamed");
    expect((await api.getTags()).rows.map(({ id }) => id)).toEqual(["important", "flag", "fresh"]);
    expect(await tags()).toEqual(["important", "flag"]);
    await host.end("rollback");
    await expect(signalbox.api.getTag({ id: "fresh" })).rejects.toThrow("Failed to locate tag: fresh");
  });

  test("nothing is sent before the commit", async () => {
    const host = await makeHost();
    const { signalbox, sink, ran } = await play(host);
    const { api } = signalbox.with(await host.begin());
    const { id } = await api.runEvent({ id: "invoice" });
    // Longer than the engine waits between two polls of its queued work.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([ran, sink.bodies]).toEqual([[], []]);
    await host.end("commit");
    await expect.poll(() => sink.bodies).toEqual([id]);
  });

  test("a failed command leaves the host's transaction usable and leaves no changes", async () => {
    const host = await makeHost();
    const { signalbox, tags } = await play(host);
    const { api } = signalbox.with(await host.begin());
    await expect(api.createTag({ id: "flag", title: "Taken" })).rejects.toMatchObject({ code: "tag" });
    await api.createTag({ id: "fine", title: "Fine" });
    await host.end("commit");
    await expect.poll(tags).toEqual(["important", "flag", "fine"]);
    expect(await host.orders()).toBe(1);
  });

  test("a handle without an open transaction is refused", async () => {
    const host = await makeHost();
    const { signalbox } = await play(host);
    const handle = await host.begin();
    await host.end("rollback");
    await expect(async () => signalbox.with(handle).api.createTag({ title: "x" })).rejects.toThrow();
    expect(await host.orders()).toBe(0);
  });
});
