import { createSignalbox } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { createRouter } from "../src/index.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const KEY = "administrator0123456789abc";

interface Heard {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads events until one with the name fulfils the condition; leaves out statuses. */
async function hear(response: Response, name: string, isIt: (data: Record<string, unknown>) => boolean = () => true) {
  const heard: Heard[] = [];
  let text = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, , id, event = "", json = "{}"] = /^(id: (.*)\n)?event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      if (event !== "status") heard.push({ id, event, data: JSON.parse(json) });
    }
    if (heard.some(({ event, data }) => event === name && isIt(data))) break;
  }
  return heard;
}

describe.each(ONE_STORAGE)("live updates over %s", (name) => {
  test("are server-sent events that a client resumes where it was interrupted", async () => {
    const { admin, clock, engine } = await openEngine(name, { administratorKey: KEY });
    const app = createRouter(engine);
    // Updates about changes of the start are sent before.
    await clock.advance(0.2);
    const open = (headers: Record<string, string> = {}, path = "stream_updates/v1") =>
      app.request(`/api/app/${path}`, { headers: { "x-api-key": KEY, ...headers } });
    const response = await open();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{ "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" },
    });
    const hearing = hear(response, "update");
    await admin.post("create_tag", { title: "First" });
    await clock.advance(0.2);
    const first = await hearing;
    expect(first[0]).toMatchObject({ event: "login", id: expect.stringMatching(/^[0-9a-f]{12}-\d+$/) });
    const id = first.findLast((each) => each.id)?.id ?? "";
    await admin.post("create_category", { id: "missed", title: "Missed" });
    await clock.advance(0.2);
    const resumed = await hear(await open({ "last-event-id": id }), "update");
    expect(resumed.map(({ event }) => event)).toContain("login");
    expect(resumed.findLast(({ event }) => event === "update")?.data).toEqual({ categories: expect.any(Array) });
    const anew = await hear(await open({ "last-event-id": "000000000000-7" }), "update");
    expect(anew.map(({ event }) => event)).toEqual(["login", "update"]);
    expect(anew[1]?.data).toMatchObject({ tags: expect.any(Array), categories: expect.any(Array), activeJobs: {} });
    expect((await app.request("/api/app/stream_updates/v1")).status).toBe(403);
  });

  test("send a caller limited to a category only its tickets, and the whole ticket of a page", async () => {
    const { admin, clock, engine } = await openEngine(name, { administratorKey: KEY });
    for (const id of ["rail", "ops"]) await admin.post("create_category", { id, title: id });
    const { body } = await admin.post("create_api_key", { title: "Rail", privileges: {}, categories: ["rail"] });
    const { ticket } = (await admin.post("create_ticket", { subject: "Lamp", category: "rail" })).body;
    // Updates about changes of the start and of the ticket are sent before.
    await clock.advance(0.2);
    const app = createRouter(engine);
    const headers = { "x-api-key": body.plain_key };
    const response = await app.request(`/api/app/stream_updates/v1?loc=%23Ticket?id=${ticket.id}`, { headers });
    const hearing = hear(response, "page_update");
    await clock.advance(0.2);
    await admin.post("create_ticket", { subject: "Hidden", category: "ops" });
    await admin.post("update_ticket", { id: ticket.id, body: "out again" });
    await clock.advance(0.2);
    const heard = await hearing;
    expect(heard.at(-1)?.data).toMatchObject({
      page_cmd: "ticket_updated",
      page_data: { ticket: { body: "out again" } },
    });
    expect(JSON.stringify(heard)).not.toContain("Hidden");
  });
});

test("changes on one node are sent to clients of another", async () => {
  const connectionString = await lendDatabase();
  const node = async () => {
    const storage = pgStorage({ connectionString });
    const engine = createSignalbox({
      storage,
      secretKey: "a secret key for tests",
      administratorKey: KEY,
      plugins: [quickKeys],
    });
    await engine.start();
    onTestFinished(() => engine.stop());
    return engine;
  };
  const [here, there] = [await node(), await node()];
  const response = await createRouter(there).request("/api/app/stream_updates/v1", { headers: { "x-api-key": KEY } });
  const hearing = hear(response, "single", ({ list }) => list === "tickets");
  const { ticket } = await here.api.createTicket({ subject: "Lamp" });
  expect((await hearing).at(-1)?.data).toMatchObject({ list: "tickets", item: { id: ticket.id, subject: "Lamp" } });
});
