import { expect, test, vi } from "vitest";
import { type HookSetup, setUpHook } from "../../../../test/directory/hook-setup.ts";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { webHookDeliveryCollection } from "../collection.ts";
import type { HookData } from "../services/sending/prepare.ts";

const JOB = { job: { id: "j1", category: "general", targets: ["main"] }, text: "Job failed" };
const LINK = "https://x/api/app/download_job_log?id=j1&t=abcdef";

async function setUp(setup: HookSetup = {}) {
  const at = await setUpHook({ steps: [{ status: 404 }], hook: { body: "{{text}} {{links.job_log}}" }, ...setup });
  const { api, as } = at.engine;
  const list = async (input: { web_hook?: string } = {}) => (await api.getWebHookDeliveries(input)).rows;
  return {
    ...at,
    api,
    as,
    list,
    fail: (data: HookData = JOB, idempotencyKey = "j1/3") => at.sender.fire("ops", data, { idempotencyKey }),
    only: async () => {
      const [row, ...more] = await list();
      expect(more).toEqual([]);
      return row ?? expect.fail("There is no delivery");
    },
    stored: () => at.storage.read((tx) => tx.collection(webHookDeliveryCollection).list()),
    [Symbol.asyncDispose]: () => at.engine.stop(),
  };
}

test("a permanently failed delivery is listed with its subject and its answer", async () => {
  await using at = await setUp();
  await at.fail();
  expect(await at.only()).toMatchObject({
    ...{ id: expect.stringMatching(/^wd[0-9a-f]{14}$/), web_hook: "ops", title: "Ops", type: "job", about: "j1" },
    ...{ category: "general", attempts: 1, code: "webhook", resendable: true },
    description: expect.stringMatching(/^Error: HTTP 404/),
    details: expect.stringContaining("POST"),
  });
  expect(await at.list({ web_hook: "other" })).toEqual([]);
});

test("a successful delivery is not listed, and neither is a refused one or a test", async () => {
  await using at = await setUp({ steps: [{}, { status: 404 }] });
  await at.fail();
  await at.sender.fire("gone", JOB);
  await refusalOf(at.api.testWebHook({ id: "ops", title: "Ops", url: "https://example.com/a", method: "POST" }));
  expect(await at.list()).toEqual([]);
});

test("a delivery is resent by the present hook, under the key of the first attempt", async () => {
  await using at = await setUp({ steps: [{ status: 404 }, {}] });
  await at.fail({ ...JOB, links: { job_log: LINK } });
  await at.api.updateWebHook({ id: "ops", url: "https://example.com/b" });
  const { id } = await at.only();
  const { delivery } = await at.api.resendWebHookDelivery({ id });
  expect(delivery).toMatchObject({ id, code: 0, attempts: 2, delivered: true, resendable: false });
  const [first, second] = at.client.sent;
  expect(second).toMatchObject({ url: "https://example.com/b", headers: { "X-Idempotency-Key": "j1/3" } });
  expect(first?.headers["X-Idempotency-Key"]).toBe("j1/3");
  // The link opens the log again, although its token was not stored.
  expect(second?.body).toMatch(/^Job failed https:\/\/x\/api\/app\/download_job_log\?id=j1&t=\w+$/);
  expect(second?.body).not.toContain("abcdef");
  expect(await refusalOf(at.api.resendWebHookDelivery({ id }))).toEqual({
    code: "web_hook",
    description: `Web Hook delivery has arrived already: ${id}`,
  });
  expect(at.client.sent).toHaveLength(2);
});

test("a delivery that fails again can be resent again, and a repeated firing is the same delivery", async () => {
  await using at = await setUp({ steps: [{ status: 404 }, { status: 410 }, { status: 404 }] });
  await at.fail();
  const { id } = await at.only();
  const { delivery } = await at.api.resendWebHookDelivery({ id });
  expect(delivery).toMatchObject({ attempts: 2, code: "webhook", resendable: true });
  expect(delivery.description).toMatch(/^Error: HTTP 410/);
  await at.fail();
  expect(await at.only()).toMatchObject({ id, attempts: 3 });
});

test("a resend is refused for an unknown delivery, a deleted or disabled hook, or too large data", async () => {
  await using at = await setUp();
  const resend = (id: string) => refusalOf(at.api.resendWebHookDelivery({ id }));
  expect(await resend("wdnone")).toEqual({ code: "web_hook", description: "Web Hook delivery not found: wdnone" });
  await at.fail({ ...JOB, text: "x".repeat(100_000) }, "large");
  const large = await at.only();
  expect(large.resendable).toBe(false);
  expect((await resend(large.id)).description).toBe(`Web Hook delivery is too large to be sent again: ${large.id}`);
  await at.clock.advance(1);
  await at.fail();
  const [{ id } = large] = await at.list();
  await at.api.updateWebHook({ id: "ops", enabled: false });
  expect((await resend(id)).description).toBe("Web Hook is disabled: ops");
  await at.api.updateWebHook({ id: "ops", enabled: true, max_per_day: 2 });
  expect((await resend(id)).description).toBe("Web Hook has reached maximum daily limit: ops (2/day)");
  await at.api.deleteWebHook({ id: "ops" });
  expect((await resend(id)).description).toBe("Web Hook not found: ops");
});

test("secrets are in neither the list nor the store, and are still sent again", async () => {
  await using at = await setUp({ hook: { url: "https://example.com/{{secrets.TOKEN}}", body: "{{text}}" } });
  const fields = [{ name: "TOKEN", value: "s3cretvalue" }];
  await at.api.createSecret({ title: "S", fields, web_hooks: ["ops"] });
  await at.fail({ ...JOB, env: { API: "fromtheenvironment" }, links: { job_log: LINK } });
  for (const seen of [await at.list(), await at.stored()])
    expect(JSON.stringify(seen)).not.toMatch(/s3cretvalue|fromtheenvironment|abcdef/);
  await at.api.resendWebHookDelivery({ id: (await at.only()).id });
  expect(at.client.sent[1]?.url).toBe("https://example.com/s3cretvalue");
});

test("a firing on a check is for callers of its category, a notice for callers with reach of all its firings", async () => {
  await using at = await setUp();
  const onCheck = { id: "down", subject: { type: "check", id: "page", title: "Page" }, category: "shop", groups: [] };
  const onServer = { id: "hot", groups: ["main"] };
  await at.fail({ alert: onCheck, server: { id: "", groups: [] } }, "down/1");
  await at.fail({ alert: onServer, server: { id: "s", groups: ["main"] }, alerts: [{ alert: onServer }] }, "hot/1");
  await at.fail({ alert: onServer, alerts: [{ alert: onServer }, { alert: onCheck }] }, "both/1");
  const seenBy = async (limits: object) => {
    const { rows } = await at.as(keyWith(["edit_web_hooks"], limits)).getWebHookDeliveries();
    for (const row of rows) expect(row).not.toHaveProperty("firings");
    return rows.map(({ about }) => about).toSorted();
  };
  expect(await seenBy({})).toEqual(["down", "hot", "hot"]);
  expect(await seenBy({ categories: ["other"] })).toEqual(["hot"]);
  expect(await seenBy({ categories: ["shop"], groups: ["main"] })).toEqual(["down", "hot", "hot"]);
  expect(await seenBy({ categories: ["shop"], groups: ["other"] })).toEqual(["down"]);
  const both = (await at.stored()).find(({ key }) => key === "both/1");
  const stranger = at.as(keyWith(["edit_web_hooks"], { categories: ["other"] }));
  expect((await refusalOf(stranger.resendWebHookDelivery({ id: both?.id ?? "" }))).code).toBe("access");
});

test("callers see and resend deliveries within their limits; system hooks need a caller without any", async () => {
  await using at = await setUp();
  await at.fail();
  await at.fail({ alert: { id: "inv" }, server: { id: "s", groups: ["main"] } }, "inv/1");
  await at.fail({ action: "user_login" }, "row");
  const seenBy = async (limits: object) => {
    const { rows, list } = await at.as(keyWith(["edit_web_hooks"], limits)).getWebHookDeliveries();
    expect(list.length).toBe(rows.length);
    return rows.map(({ type }) => type).toSorted();
  };
  expect(await seenBy({})).toEqual(["alert", "job", "system"]);
  expect(await seenBy({ categories: ["other"] })).toEqual(["alert"]);
  expect(await seenBy({ groups: ["main"] })).toEqual(["alert", "job"]);
  expect(await seenBy({ groups: ["other"] })).toEqual([]);
  const job = (await at.list()).find(({ type }) => type === "job");
  const outsider = at.as(keyWith(["edit_web_hooks"], { categories: ["other"] }));
  expect((await refusalOf(outsider.resendWebHookDelivery({ id: job?.id ?? "" }))).code).toBe("access");
  expect((await refusalOf(at.as(keyWith(["run_jobs"])).getWebHookDeliveries())).code).toBe("access");
});

test("the history is bounded: the oldest are deleted first", async () => {
  await using at = await setUp({ config: { web_hooks: { max_deliveries: 3 } } });
  for (let n = 0; n < 5; n++) {
    await at.fail({ ...JOB, text: `${n}` }, `key${n}`);
    await at.clock.advance(1);
  }
  expect((await at.stored()).map(({ data }) => data?.["text"])).toEqual(["2", "3", "4"]);
});

test("many deliveries are listed newest first, over several turns of the event loop", async () => {
  await using at = await setUp();
  await at.fail();
  const [one = expect.fail("There is no delivery")] = await at.stored();
  const more = Array.from({ length: 44 }, (_, n) => ({ ...one, id: `wd${(n * 7) % 44}`, created: one.created + n }));
  await at.storage.write((tx) => tx.collection(webHookDeliveryCollection).insertMany(more));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  const { rows, list } = await at.api.getWebHookDeliveries({ offset: 1, limit: 30 });
  isOver = true;
  expect(turns).toBeGreaterThan(4);
  expect(list.length).toBe(45);
  expect(rows.map(({ id }) => id)).toEqual(
    more
      .toReversed()
      .slice(1, 31)
      .map(({ id }) => id),
  );
});

test("a failure reads no other deliveries while there is room", async () => {
  await using at = await setUp();
  for (const key of ["one", "two"]) await at.fail(JOB, key);
  const read: number[] = [];
  const { write } = at.storage;
  const spied = vi.spyOn(at.storage, "write").mockImplementation((work) =>
    write((tx) =>
      work({
        ...tx,
        collection: (definition) => {
          const inner = tx.collection(definition);
          const find: typeof inner.find = async (where, page) => {
            const found = await inner.find(where, page);
            if (definition.name === webHookDeliveryCollection.name) read.push(found.rows.length);
            return found;
          };
          return { ...inner, find };
        },
      }),
    ),
  );
  await at.fail(JOB, "three");
  spied.mockRestore();
  expect(read).toEqual([0]);
});

test("a resend leaves a row in the activity log", async () => {
  await using at = await setUp();
  await at.fail();
  const { id } = await at.only();
  await at.api.resendWebHookDelivery({ id });
  const { rows } = await at.api.searchActivity({ query: "action:web_hook_resend", limit: 5 });
  expect(rows).toMatchObject([{ description: "Ops", params: { id, code: "webhook" } }]);
});
