import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { rounds } from "../../test/rounds.ts";
import { anyone, defineQuery, type UnknownMembers } from "../kernel/calls/operation.ts";
import { definePlugin } from "../kernel/plugins/plugin.ts";
import { defineEvent } from "../work/events/define-event.ts";
import { createTestSignalbox } from "./test-signalbox.ts";

const DUE_AT_ONCE = rounds(250, 1000);

const started = ({ now = 0 }: { now?: number | undefined }): string => new Date(now * 1000).toISOString();
const noActions = { default: [], workflow: [] };
const quiet = { job_universal_actions: noActions, alert_universal_actions: [] };

describe("a test box", () => {
  const ping = definePlugin({
    id: "acme.ping",
    operations: [
      defineQuery({
        ...{ name: "acme_ping", method: "GET", summary: "Ping.", access: anyone },
        input: z.looseObject({}),
        output: z.object({ pong: z.number() }),
        handler: async (_input, { clock }) => ({ pong: clock.now() }),
      }),
    ],
  });

  test("knows the operations of its plugins", async () => {
    await using box = await createTestSignalbox({ plugins: [ping], now: 1_800_000_000 });
    const answer = await box.api.acmePing({});
    expectTypeOf(answer).toEqualTypeOf<{ pong: number } & UnknownMembers>();
    expect(answer).toEqual({ pong: 1_800_000_000 });
  });

  test("shares nothing with another one", async () => {
    const run = defineEvent({ id: "e", title: "E", schedule: "* * * * *", run: () => undefined });
    await using first = await createTestSignalbox({ events: [run], now: "2026-05-01" });
    await using second = await createTestSignalbox({ events: [run], now: "2026-05-01" });
    await first.api.createTag({ id: "mine", title: "Mine" });
    await first.advanceBy({ minutes: 3 });
    expect(second.clock.now()).toBe(Date.parse("2026-05-01T00:00:00Z") / 1000);
    expect((await first.runs("e")).length).toBe(4);
    expect((await second.runs("e")).length).toBe(1);
    expect((await second.api.getTags({})).rows.map(({ id }) => id)).not.toContain("mine");
  });

  test("has the same result every time", async () => {
    const ids = async (): Promise<string[]> => {
      const run = defineEvent({ id: "e", title: "E", schedule: "* * * * *", run: () => undefined });
      await using box = await createTestSignalbox({ events: [run] });
      await box.advanceBy({ minutes: 3 });
      return (await box.runs("e")).map((job) => `${job.id} ${started(job)} ${job.elapsed}`);
    };
    expect(await ids()).toEqual(await ids());
  });

  test(`does ${DUE_AT_ONCE} runs that are due at once`, async () => {
    const events = Array.from({ length: DUE_AT_ONCE }, (_, index) =>
      defineEvent({ id: `e${index}`, title: `E ${index}`, schedule: "30 2 * * *", run: () => ({ index }) }),
    );
    await using box = await createTestSignalbox({
      events,
      now: "2026-05-01 02:29",
      config: { ...quiet, max_jobs_per_min: 0 },
      settleMs: 60_000,
    });
    await box.advanceTo("02:30");
    const ended = await Promise.all(events.map(async ({ id }) => (await box.runs(id))[0]));
    expect(ended.filter((job) => job?.code === 0)).toHaveLength(DUE_AT_ONCE);
    expect(new Set(ended.map((job) => job?.completed))).toEqual(new Set([box.clock.now()]));
  });

  test("a box that does not come to rest names the running work", async () => {
    const again = defineEvent({
      id: "again",
      title: "Again",
      run: async () => void (await box.api.runEvent({ id: "again" })),
    });
    await using box = await createTestSignalbox({
      events: [again],
      config: { ...quiet, max_jobs_per_min: 0 },
      settleMs: 1000,
    });
    await expect(box.run("again")).rejects.toThrow(
      /did not come to rest within 1000 ms\. .*the function of event "again" \(\d+ times\)/,
    );
    // The running work ends, so that the process of the test can exit.
    await expect(box.settle()).resolves.toBeUndefined();
  });

  test("does not move back, or to a text that is no time", async () => {
    await using box = await createTestSignalbox({ now: "2026-05-01T10:00:00Z" });
    await expect(box.advanceTo("2026-05-01T09:00:00Z")).rejects.toThrow("It is 2026-05-01T10:00:00.000Z already");
    for (const text of ["25:00", "soon", ""]) await expect(box.advanceTo(text)).rejects.toThrow(`Not a time: ${text}`);
    await expect(box.advanceBy({ minutes: -1 })).rejects.toThrow("Not a length of time");
    await expect(box.advanceUntil(() => false, { minutes: 2 })).rejects.toThrow("did not come within 120 seconds");
    expect(box.clock.now()).toBe(Date.parse("2026-05-01T10:02:00Z") / 1000);
  });

  test("ends with functions that hang, and a second end has no effect", async () => {
    const hangs = defineEvent({ id: "hangs", title: "Hangs", run: () => new Promise(() => undefined) });
    const box = await createTestSignalbox({ events: [hangs], patienceMs: 20 });
    await box.run("hangs");
    await box.stop();
    await box.stop();
    await expect(box.api.getTags({})).rejects.toThrow("it was stopped before get_tags was called");
  });
});

describe("messages that leave the test box", () => {
  const channel = (id: string, members: object) => ({ id, title: id, enabled: true, users: [], ...members }) as never;
  const nightly = (channelId: string) =>
    defineEvent({
      id: "nightly",
      title: "Nightly",
      actions: [{ type: "channel", enabled: true, condition: "error", channel_id: channelId }],
      run: () => {
        throw new Error("Disk full");
      },
    });

  test("mails are kept, and a mail can be waited for", async () => {
    const at = "02:30";
    const now = "2026-05-01T02:20:00Z";
    const failing = defineEvent({
      id: "failing",
      title: "Failing",
      schedule: "30 2 * * *",
      actions: [{ type: "channel", enabled: true, condition: "error", channel_id: "ops" }],
      run: () => {
        throw new Error("Disk full");
      },
    });
    await using box = await createTestSignalbox({ events: [failing], config: quiet, now });
    await box.api.createChannel(channel("ops", { email: "ops@example.internal" }));
    const mail = await box.mails.waitFor(({ text }) => text.includes("Failing"), { hours: 3 });
    expect(mail).toMatchObject({ to: ["ops@example.internal"] });
    expect(new Date(mail.at * 1000).toISOString()).toContain(at);
    await expect(box.mails.waitFor(({ to }) => to.includes("x"), { minutes: 1 })).rejects.toThrow(
      /A mail that matches did not come within 60 seconds, .*there are: "/i,
    );
    box.mails.clear();
    expect(box.mails).toEqual([]);
  });

  test("answers of receivers are set by the test, and each attempt is a request", async () => {
    let calls = 0;
    await using box = await createTestSignalbox({
      events: [nightly("ops")],
      config: quiet,
      patienceMs: 20,
      onHook: () => {
        calls += 1;
        if (calls === 1) throw new Error("connection refused");
        return calls === 2 ? { status: 503, statusText: "Busy" } : undefined;
      },
    });
    await box.api.createWebHook({
      ...{ id: "h", title: "H", enabled: true, method: "POST", url: "https://h.example.internal/", retries: 5 },
      ...{ headers: [], body: "text" },
    } as never);
    await box.api.createChannel(channel("ops", { web_hook: "h" }));
    await box.run("nightly");
    await box.advanceUntil(() => box.hooks.length === 3);
    await box.advanceBy({ hours: 1 });
    expect(box.hooks.map(({ body, json }) => [body, json])).toEqual(Array(3).fill(["text", undefined]));
  });
});
