import { describe, expect, test } from "vitest";
import { failed, type Members, setUp, ticket } from "../../../../test/desk/job-ticket-setup.ts";
import { ticketCollection } from "../collection.ts";

describe("a ticket action with reuse", () => {
  const reuse = (members: Members = {}) => ticket("error", { reuse: "open", ...members });
  const comments = ({ changes }: Members): string[] =>
    (changes as Members[]).filter(({ type }) => type === "comment").map(({ body }) => String(body));

  test("comments on the open ticket of the same event, and links the job to it", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [reuse()] });
    const first = await at.run(event, failed);
    const second = await at.run(event, { code: 4, description: "Worse" });
    const [made, ...others] = await at.tickets();
    expect(others).toEqual([]);
    expect(second["tickets"]).toEqual(first["tickets"]);
    expect(second["actions"]).toMatchObject([
      { code: 0, description: `Added a comment to ticket: #1 (${made?.["id"]})`, loc: "#1" },
    ]);
    const [text] = comments(made ?? {});
    expect(text).toContain(`It happened again: the job [${second.id}](http://localhost:5522/#Job?id=${second.id})`);
    expect(text).toContain("```text\nWorse\n```");
    expect(await at.activity("ticket_add_change")).toHaveLength(1);
  });

  test("says that a starting job is running, and how it ended only at its end", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [ticket("start", { reuse: "open" })] });
    await at.run(event);
    const { id } = await at.api.runEvent({ id: event });
    await at.settle();
    const [made] = await at.tickets();
    expect(comments(made ?? {})).toEqual([
      `The job [${id}](http://localhost:5522/#Job?id=${id}) of **Backup** is running.`,
    ]);
  });

  test.each(["closed", "resolved", "draft"])(
    "opens a new ticket beside one that is %s, and continues in the new one",
    async (status) => {
      const at = await setUp();
      const event = await at.event({ actions: [reuse()] });
      const { tickets } = await at.run(event, failed);
      await at.api.updateTicket({ id: String((tickets as string[])[0]), status });
      await at.run(event, failed);
      await at.run(event, failed);
      expect((await at.tickets()).map((each) => comments(each).length)).toEqual([0, 1]);
    },
  );

  test.each(["in_progress", "on_hold"])("treats one that is %s as open", async (status) => {
    const at = await setUp();
    const event = await at.event({ actions: [reuse()] });
    const { tickets } = await at.run(event, failed);
    await at.api.updateTicket({ id: String((tickets as string[])[0]), status });
    await at.run(event, failed);
    expect(await at.tickets()).toMatchObject([{ status }]);
  });

  test("opens a new one when the old one is deleted", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [reuse()] });
    const { tickets } = await at.run(event, failed);
    await at.api.deleteTicket({ id: String((tickets as string[])[0]) });
    await at.run(event, failed);
    expect(await at.tickets()).toMatchObject([{ num: 2, changes: [{ key: "created" }] }]);
  });

  test("separates events, and actions with other assignees or types", async () => {
    const at = await setUp();
    const one = await at.event({ actions: [reuse(), reuse({ ticket_assignees: [] })] });
    const two = await at.event({ actions: [reuse()] });
    for (const event of [one, two, one, two]) await at.run(event, failed);
    expect((await at.tickets()).map((each) => comments(each).length)).toEqual([1, 1, 1]);
  });

  test("opens one ticket for jobs that fail at the same moment", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [reuse()] });
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push((await at.api.runEvent({ id: event })).id);
    await at.settle();
    at.server.send("jobs", Object.fromEntries(ids.map((id) => [id, { state: "complete", complete: true, code: 1 }])));
    for (let count = 0; count < 5; count++) await at.settle();
    expect((await at.tickets()).map((each) => comments(each).length)).toEqual([4]);
  });

  test("stops commenting when a ticket has very many entries", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [reuse()] });
    const { tickets } = await at.run(event, failed);
    const id = String((tickets as string[])[0]);
    await at.storage.write((tx) =>
      tx.collection(ticketCollection).update(id, (stored) => ({
        ...stored,
        changes: Array.from({ length: 1000 }, (_, n) => ({
          type: "comment",
          id: `c${n}`,
          username: "a",
          date: n,
          body: "x",
        })),
      })),
    );
    expect((await at.run(event, failed))["actions"]).toMatchObject([
      { code: 0, description: `Nothing was added to a ticket with so many entries: #1 (${id})` },
    ]);
    expect((await at.tickets())[0]?.["changes"]).toHaveLength(1000);
  });
});

describe("closing on clear", () => {
  const closing = (members: Members = {}) => ticket("error", { close_on_clear: true, ...members });

  test("happens at the next success of the event, with an entry that says so", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [closing({ reuse: "open" })] });
    await at.run(event, failed);
    await at.settle(10);
    const job = await at.run(event);
    const [made] = await at.tickets();
    expect(made).toMatchObject({ status: "closed" });
    expect(made?.["changes"]).toMatchObject([
      { key: "created" },
      {
        type: "comment",
        username: "system",
        body: expect.stringContaining(`#Job?id=${job.id}) of **Backup** succeeded`),
      },
      { key: "status", value: "closed", username: "system" },
    ]);
    await at.run(event, failed);
    expect(await at.tickets()).toMatchObject([{ status: "closed" }, { status: "open" }]);
  });

  test("closes every ticket of the failures before it, except closed and draft ones of users", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [closing()] });
    for (let count = 0; count < 3; count++) await at.run(event, failed);
    const [, second, third] = await at.tickets();
    await at.api.updateTicket({ id: String(second?.["id"]), status: "resolved" });
    await at.api.updateTicket({ id: String(third?.["id"]), status: "draft" });
    await at.settle(10);
    await at.run(event);
    expect((await at.tickets()).map(({ status }) => status)).toEqual(["closed", "resolved", "draft"]);
  });

  test("a run that began before the failure closes nothing", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [closing({ reuse: "open" })] });
    const slow = (await at.api.runEvent({ id: event })).id;
    await at.settle(10);
    await at.run(event, failed);
    await at.settle(10);
    await at.end(slow, {});
    expect(await at.tickets()).toMatchObject([{ status: "open" }]);
  });

  test("works after a failure under a clock that was ahead, also once the clock is right again", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [closing({ reuse: "open" })] });
    await at.run(event, failed);
    at.clock.step(-3600);
    await at.settle(10);
    await at.run(event);
    expect(await at.tickets()).toMatchObject([{ status: "closed" }]);
  });

  test("happens only where it is configured", async () => {
    const at = await setUp();
    const event = await at.event({ actions: [ticket("error", { reuse: "open" })] });
    await at.run(event, failed);
    await at.settle(10);
    await at.run(event);
    expect(await at.tickets()).toMatchObject([{ status: "open", changes: [{ key: "created" }] }]);
  });
});
