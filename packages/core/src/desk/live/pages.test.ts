import { describe, expect, test, vi } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { type Actor, systemActor } from "../../kernel/calls/context.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type JobsOptions, startJobs } from "../../testing/test-jobs.ts";
import type { LiveUpdate } from "./model.ts";
import type { UpdateStream } from "./operations.ts";

type Members = Record<string, unknown>;
interface PageData {
  readonly loc: string;
  readonly page_cmd: string;
  readonly page_data: Members;
}

/** An engine with a running job. */
async function setUp(options: JobsOptions = {}, event: Members = {}) {
  const jobs = await startJobs(options);
  const server = await jobs.connect();
  const { api, execute } = jobs.signalbox;
  const { id } = await api.runEvent({ id: await jobs.event(event) });
  await jobs.settle(1);
  const turn = (): Promise<void> => jobs.clock.advance(0.2);
  const open = (loc: string, actor: Actor = systemActor): Promise<UpdateStream> =>
    execute({ operation: "stream_updates", input: { loc }, actor }) as Promise<UpdateStream>;
  return {
    ...{ ...jobs, api, id, open, server, turn },
    /** Collects the messages that a viewer of a page gets. */
    async look(loc = `Job?id=${id}`, actor?: Actor) {
      const seen: PageData[] = [];
      const { updates } = await open(loc, actor);
      void (async () => {
        for await (const { cmd, data } of updates) if (cmd === "page_update") seen.push(data as never);
      })();
      await turn();
      return { seen, leave: () => updates.return?.() };
    },
    say: (text: string) => server.send("job_log", { id, text }),
    async finish(members: Members = {}) {
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...members } });
      await jobs.settle();
      await turn();
    },
  };
}

/** Messages except for the job itself, which is sent every second. */
const told = (seen: readonly PageData[]): (readonly [string, Members])[] =>
  seen.flatMap(({ page_cmd, page_data }) => (page_cmd === "job_updated" ? [] : [[page_cmd, page_data] as const]));
const textOf = (seen: readonly PageData[]): string =>
  seen.map(({ page_cmd, page_data }) => (page_cmd === "log_append" ? page_data["text"] : "")).join("");
const dataOf = (seen: readonly PageData[], cmd: string): Members[] =>
  seen.flatMap(({ page_cmd, page_data }) => (page_cmd === cmd ? [page_data] : []));

describe("a viewer of a job", () => {
  test("gets its output in order, and then its end", async () => {
    const at = await setUp({}, { actions: [{ enabled: true, condition: "complete", type: "label", label: "Done" }] });
    const { seen } = await at.look();
    at.say("one\n");
    at.say("two\n");
    await at.turn();
    at.server.send("job_meta", { id: at.id, text: "fetching" });
    await at.turn();
    at.server.send("jobs", { [at.id]: { procs: { 7: { cpu: 3, command: "sleep" } }, conns: [{ port: 1 }] } });
    await at.turn();
    at.say("three");
    await at.finish();
    const commands = told(seen);
    expect(commands.slice(0, 3)).toMatchObject([
      ["log_append", { text: "one\ntwo\n" }],
      ["meta_row", { msg: "fetching", server: "s1", id: expect.any(String), epoch: expect.any(Number) }],
      ["minute_append", { epoch: 1_795_253_580, procs: { 7: { cpu: 3 } }, conns: [{ port: 1 }] }],
    ]);
    expect(textOf(seen)).toBe("one\ntwo\nthree");
    expect(dataOf(seen, "action_append")).toMatchObject([{ action: { type: "label", code: 0 } }]);
    expect(dataOf(seen, "meta_row").at(-1)).toMatchObject({ msg: "Job completed successfully." });
    expect(commands.at(-1)?.[0]).toBe("job_completed");
  });

  test("of several pages gets the news of each page once", async () => {
    const at = await setUp({}, { limits: [{ type: "job", amount: 5, enabled: true }] });
    const first = at.id;
    const [{ event = "" } = {}] = (await at.api.getActiveJobs({})).rows;
    const { id: second } = await at.api.runEvent({ id: event });
    await at.settle(2);
    const { seen, leave } = await at.look(`Job?id=${first}\nJob?id=${second}\nJob?id=${first}\nSearch`);
    for (const id of [first, second]) at.server.send("job_log", { id, text: `of ${id}\n` });
    await at.turn();
    const texts = seen.filter(({ page_cmd }) => page_cmd === "log_append");
    expect(texts.map(({ loc, page_data }) => [loc, page_data["text"]]).sort()).toEqual(
      [first, second].map((id) => [`Job?id=${id}`, `of ${id}\n`]).sort(),
    );
    await leave();
    at.server.send("job_log", { id: second, text: "unheard\n" });
    await at.turn();
    expect(textOf(seen)).not.toContain("unheard");
  });

  test("may not follow more pages than a browser has windows", async () => {
    const at = await setUp();
    const loc = Array.from({ length: 21 }, (_, n) => `Job?id=j${n}`).join("\n");
    await expect(at.open(loc)).rejects.toMatchObject({ code: "api" });
  });

  test("gets no earlier output, and nothing after leaving", async () => {
    const at = await setUp();
    at.say("before\n");
    await at.turn();
    const first = await at.look();
    at.say("now\n");
    const second = await at.look();
    await at.turn();
    await first.leave();
    at.say("later\n");
    await at.turn();
    expect([textOf(first.seen), textOf(second.seen)]).toEqual(["now\n", "later\n"]);
    expect(dataOf(second.seen, "meta_row")).toEqual([]);
  });

  test("gets a fired limit with its text, and all limits", async () => {
    const at = await setUp({}, { limits: [{ type: "log", amount: 3, enabled: true, tags: [] }] });
    const { seen } = await at.look();
    at.say("too long");
    await at.clock.advance(2);
    const msg = "Job output size has exceeded maximum limit of 3 bytes.";
    expect(dataOf(seen, "limit_triggered")).toMatchObject([{ msg, limits: [{ type: "log", msg }] }]);
    expect(dataOf(seen, "meta_row").map((row) => row["msg"])).toContain(msg);
  });

  test("learns that a large log was moved, and that the server is gone", async () => {
    const at = await setUp({ config: { max_inline_job_log_size: 10 } });
    const other = await at.look();
    at.say("more than ten bytes\n");
    await at.finish();
    // The log is compressed in real time, not in the virtual time of the test.
    await vi.waitFor(async () => {
      await at.turn();
      expect(dataOf(other.seen, "log_uploaded")).toEqual([{}]);
    }, 120_000);
    const gone = await setUp();
    const { seen } = await gone.look();
    gone.server.send("jobs", { [gone.id]: { progress: 0.5 } });
    await gone.turn();
    gone.server.close();
    await gone.turn();
    expect(dataOf(seen, "meta_row").at(-1)).toMatchObject({ msg: "Server connection was lost" });
  });

  test("gets nothing without access to its category, and nothing more when the key loses it", async () => {
    const at = await setUp();
    await at.api.createCategory({ id: "rail", title: "Rail" });
    const stranger = await at.look(undefined, keyWith([], { categories: ["rail"] }));
    const { api_key, plain_key } = await at.api.createApiKey({ title: "Robot" });
    const { updates } = await at.signalbox.as({ apiKey: plain_key }).streamUpdates({ loc: `Job?id=${at.id}` });
    const heard: LiveUpdate[] = [];
    void (async () => {
      for await (const update of updates) heard.push(update);
    })();
    at.say("for all\n");
    await at.turn();
    await at.api.updateApiKey({ id: api_key.id, categories: ["rail"] });
    at.say("for few\n");
    await at.turn();
    expect(stranger.seen).toEqual([]);
    expect(JSON.stringify(heard)).toContain("for all");
    expect(JSON.stringify(heard)).not.toContain("for few");
  });
});

describe("a job with very much output", () => {
  const KB = 1024;
  const line = `${"x".repeat(KB - 1)}\n`;

  test("is sent with gaps that say how much is missing", async () => {
    const at = await setUp();
    const { seen } = await at.look();
    for (let n = 0; n < 20; n++) at.say(line.repeat(KB / 2));
    await at.turn();
    const texts = dataOf(seen, "log_append").map(({ text }) => String(text));
    const note = /^\n\[(\d+) bytes of output are not shown here\]\n$/;
    const shown = texts.filter((text) => !note.test(text)).reduce((sum, { length }) => sum + length, 0);
    const hidden = texts.reduce((sum, text) => sum + Number(note.exec(text)?.[1] ?? 0), 0);
    expect(shown + hidden).toBe(10 * KB * KB);
    expect(shown).toBeLessThanOrEqual(4 * 64 * KB);
  });

  test("costs a viewer who does not read some output, but not the stream", async () => {
    const at = await setUp();
    const { updates } = await at.open(`Job?id=${at.id}`);
    for (let n = 0; n < 60; n++) {
      at.say(line.repeat(64));
      await at.turn();
    }
    const seen: PageData[] = [];
    const done = (async () => {
      for await (const { cmd, data } of updates) if (cmd === "page_update") seen.push(data as never);
    })();
    await at.turn();
    expect(textOf(seen).length).toBeLessThan(400 * KB);
    at.say("the end\n");
    await at.turn();
    await at.signalbox.stop();
    await done;
    const [note, last] = dataOf(seen, "log_append").slice(-2);
    expect(last).toEqual({ text: "the end\n", end: 60 * 64 * KB + "the end\n".length });
    expect(note?.["text"]).toMatch(/^\n\[\d{7} bytes of output are not shown here\]\n$/);
    const hidden = Number(/\d+/.exec(String(note?.["text"]))?.[0]);
    expect(hidden + textOf(seen).length - String(note?.["text"]).length).toBe(60 * 64 * KB + "the end\n".length);
  });

  test("costs nothing while no one is looking", async () => {
    const clock = fakeClock(1_795_253_600);
    const { storage, reads } = counting(memoryStorage({ clock }));
    const at = await setUp({ clock, storage });
    const readsFor = async (text: string): Promise<number> => {
      const before = reads();
      at.say(text);
      await at.clock.advance(0.11);
      return reads() - before;
    };
    await at.look("Job?id=other");
    expect(await readsFor("unseen\n")).toBe(0);
    await at.look();
    expect(await readsFor("seen\n")).toBeGreaterThan(0);
  });
});

/** A storage that counts how often it is read. */
function counting(inner: Storage): { readonly storage: Storage; readonly reads: () => number } {
  let count = 0;
  const read: Storage["read"] = (run) => {
    count += 1;
    return inner.read(run);
  };
  return { storage: { ...inner, read }, reads: () => count };
}

describe("a bulk deletion", () => {
  test("is reported at its end to viewers of its list, and to administrators at the system page", async () => {
    const at = await setUp();
    await at.finish();
    const [jobs, tickets] = [await at.look("Search?query=*", keyWith([])), await at.look("#Tickets", keyWith([]))];
    const [system, other] = [await at.look("System"), await at.look("System", keyWith([]))];
    const first = await at.api.bulkSearchDeleteJobs({ query: "*" });
    await at.clock.advance(1);
    const completed = { page_cmd: "bulk_delete_completed", page_data: {} };
    expect(jobs.seen).toEqual([{ loc: "Search", ...completed }]);
    expect(tickets.seen).toEqual([]);
    const { id } = await at.api.bulkSearchDeleteTickets({ query: "*" });
    await at.clock.advance(1);
    expect(tickets.seen).toEqual([{ loc: "Tickets", ...completed }]);
    const ended = { loc: "System", page_cmd: "internal_job_completed" };
    expect(system.seen).toEqual([first.id, id].map((each) => ({ ...ended, page_data: { id: each } })));
    expect(other.seen).toEqual([]);
  });

  test.each([
    ["alerts", "Alerts"],
    ["snapshots", "Snapshots"],
  ] as const)("of %s is reported at %s", async (list, loc) => {
    const at = await setUp();
    const { seen } = await at.look(loc, keyWith([]));
    if (list === "alerts") {
      const { alert } = await at.api.createAlert({ title: "Load", expression: "1 > 2", message: "High" });
      await at.api.deleteAlert({ id: alert.id });
    } else {
      at.server.close();
      await at.turn();
      await at.api.deleteServer({ id: "s1", history: true });
    }
    await at.clock.advance(1);
    expect(seen).toEqual([{ loc, page_cmd: "bulk_delete_completed", page_data: {} }]);
  });
});
