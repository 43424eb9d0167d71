import { afterEach, describe, expect, test } from "vitest";
import { type BoxOptions, openTicketBox, type TicketBox } from "../../../../../test/desk/ticket-box.ts";
import { overdueRunCollection } from "../../collection.ts";
import { createOverdueNotices } from "./overdue.ts";

const boxes: TicketBox[] = [];
afterEach(async () => {
  for (const box of boxes.splice(0)) await box.stop();
});

const DAY = 86_400;
/** Unix seconds of a day ago, by the clock of the box. */
const yesterday = (box: TicketBox): number => Math.floor(box.clock.now()) - DAY;
const quiet = "debounced";

/** An engine one minute before the daily search, without mails about the tickets' creation. */
async function setUp({ now = "2026-11-21 04:29", ...options }: BoxOptions = {}): Promise<TicketBox> {
  const box = await openTicketBox({ now, ...options });
  boxes.push(box);
  return box;
}

async function overdueTicket(
  box: TicketBox,
  id: string,
  members: Parameters<TicketBox["write"]>[1] = {},
): Promise<void> {
  await box.write(id, { due: yesterday(box), ...members }, quiet);
  await box.forget(id);
}

describe("overdue notices", () => {
  test("leave at the configured time of day, oldest ticket first, to the assignees alone", async () => {
    const at = await setUp();
    await overdueTicket(at, "b", { assignees: ["ann", "bob"], cc: ["c@example.com"], notify: ["n@example.com"] });
    await overdueTicket(at, "a", { tags: ["_error"] });
    await at.advanceBy({ seconds: 30 });
    expect(at.mails).toEqual([]);
    await at.advanceBy({ seconds: 40 });
    expect(at.subjects()).toEqual(["Signalbox: #1 overdue: Disk full", "Signalbox: #2 overdue: Disk full"]);
    expect(at.mails[0]?.to).toEqual(['"Ann Lee" <ann@example.com>', '"Bob *Ray*" <bob@example.com>']);
    expect(at.mails[0]?.headers).toEqual({ References: "<ticket-b@ops.example.com>" });
    expect(at.mails[1]?.text).toBe(`Overdue

Issue **#2** was due Friday, November 20, 2026 and is overdue: Disk full

## Details

- **Subject:** Disk full
- **Due:** Friday, November 20, 2026
- **Number:** #2
- **Type:** Issue
- **Category:** (None)
- **Status:** Open
- **Assignees:** Ann Lee
- **Tags:** (None)

[Ticket #2](https://ops.example.com/#2)

View Ticket: https://ops.example.com/#2

-- 
Signalbox, https://ops.example.com
`);
  });

  test("skip tickets without reachable assignees, tickets due today and later, and drafts", async () => {
    const at = await setUp({ config: { tickets: { overdue_query: "due:<today" } } });
    await overdueTicket(at, "t1", { assignees: [] });
    await overdueTicket(at, "t2", { assignees: ["gone", "nobody"] });
    await overdueTicket(at, "t3", { status: "draft" });
    await overdueTicket(at, "t4", { due: yesterday(at) + DAY });
    await overdueTicket(at, "t5", { due: 0 });
    await overdueTicket(at, "t6", { status: "closed" });
    await at.advanceBy({ minutes: 2 });
    expect(at.subjects()).toEqual(["Signalbox: #6 overdue: Disk full"]);
  });

  test("come every day until the ticket is done, each once and with its own id", async () => {
    const at = await setUp();
    await overdueTicket(at, "t1");
    for (let day = 0; day < 3; day++) {
      await at.advanceBy({ minutes: 5 });
      at.skip(DAY - 300);
    }
    await at.change("t1", { status: "closed" });
    await at.forget("t1");
    await at.advanceBy({ minutes: 5 });
    expect(at.mails.map(({ at: time }) => new Date(time * 1000).toISOString().slice(0, 16))).toEqual([
      "2026-11-21T04:30",
      "2026-11-22T04:30",
      "2026-11-23T04:30",
    ]);
    expect(new Set(at.mails.map(({ messageId }) => messageId)).size).toBe(3);
  });

  test("read all pages of the search", async () => {
    const at = await setUp();
    for (let count = 0; count < 130; count++) await overdueTicket(at, `t${count}`);
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toHaveLength(130);
    expect(new Set(at.mails.map(({ messageId }) => messageId)).size).toBe(130);
  });

  test("missed overdue notices are sent later on the same day, but not on another one", async () => {
    const at = await setUp({ now: "2026-11-21 00:10" });
    await overdueTicket(at, "t1");
    at.skip(13 * 3600);
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toHaveLength(1);
    // The engine is down from then until three o'clock two days later.
    at.skip(2 * DAY - 10 * 3600);
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toHaveLength(1);
  });

  test("a clock that ran far ahead for a while delays no overdue notice", async () => {
    const at = await setUp();
    await overdueTicket(at, "t1", { assignees: ["ann"] });
    const run = { id: "overdue", day: "2031-01-01", upTo: 7, done: true };
    await at.storage.write((tx) => tx.collection(overdueRunCollection).insert(run));
    await at.advanceBy({ seconds: 70 });
    expect(at.mails).toHaveLength(1);
    await at.advanceBy({ seconds: 180 });
    expect(at.mails).toHaveLength(1);
  });

  test("continue after a crash where it interrupted them, and two nodes do not send them twice", async () => {
    const at = await setUp();
    for (let count = 0; count < 120; count++) await overdueTicket(at, `t${count}`);
    at.skip(60);
    const { cradle } = at;
    let pages = 0;
    const dying = {
      ...depsOf(at),
      transact: ((work, options) => {
        if (pages++ === 1) throw new Error("Power cut");
        return cradle.transact(work, options);
      }) as typeof cradle.transact,
    };
    await expect(createOverdueNotices(dying).run(new AbortController().signal)).rejects.toThrow("Power cut");
    const signal = new AbortController().signal;
    await Promise.all([1, 2].map(() => createOverdueNotices(depsOf(at)).run(signal)));
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toHaveLength(120);
    expect(new Set(at.mails.map(({ messageId }) => messageId)).size).toBe(120);
  });

  test.each(["due:<nonsense", "nosuchfield:x", "((("])("refuse the query %j at start", async (query) => {
    const engine = setUp({ config: { tickets: { overdue_query: query } } });
    await expect(engine).rejects.toThrow("Configuration tickets.overdue_query: not a query of tickets: ");
  });
});

/** Clock changes in spring and autumn, in zones where they fall near the daily search or on midnight. */
const CHANGES = [
  ["Europe/Berlin", "2026-03-28", "02:30"],
  ["Europe/Berlin", "2026-03-28", "04:30"],
  ["Europe/Berlin", "2026-10-24", "02:30"],
  ["Europe/Berlin", "2026-10-24", "04:30"],
  ["America/New_York", "2026-03-07", "02:15"],
  ["America/New_York", "2026-10-31", "01:15"],
  ["America/Havana", "2026-10-31", "00:30"],
  ["Australia/Lord_Howe", "2026-04-04", "01:45"],
] as const;

test.each(CHANGES)(
  "in %s overdue notices are sent once on each of three days from %s on, at %s or despite a clock change",
  async (timeZone, day, schedule) => {
    const at = await setUp({ now: `${day} 00:00`, timeZone, config: { tickets: { overdue_schedule: schedule } } });
    await overdueTicket(at, "t1", { due: yesterday(at) - DAY });
    const runs: number[] = [];
    const start = at.clock.now();
    const deps = depsOf(at);
    const noted = { ...deps, outbox: { ...deps.outbox, post: async () => void runs.push(minute) } };
    let minute = 0;
    const signal = new AbortController().signal;
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
      hourCycle: "h23",
    });
    const clock = { ...at.clock, now: () => start + minute * 60 };
    const notices = createOverdueNotices({ ...noted, clock });
    for (; minute < 3 * 1440 - 61; minute++) {
      await notices.run(signal);
    }
    const local = runs.map((each) => format.format((start + each * 60) * 1000).split(", "));
    expect(local).toHaveLength(3);
    expect(new Set(local.map(([date]) => date)).size).toBe(3);
    for (const [, time = ""] of local) expect((time >= schedule && time <= "03:00") || time === schedule).toBe(true);
  },
);

function depsOf({ cradle }: TicketBox) {
  const { clock, config, definitions, expressions, log, lookups, mailer, outbox, snapshot, transact } = cradle;
  return { clock, config, definitions, expressions, log, lookups, mailer, outbox, snapshot, transact };
}
