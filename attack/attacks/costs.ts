/** Calls that are cheap to make and expensive to answer. */
import { jsonCall } from "../server/http.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const EPOCH = 1_795_000_000;
const schedule = (index: number) => ({ type: "schedule", enabled: true, minutes: [index % 60], hours: [index % 24] });
const manual = { type: "manual", enabled: true };

/** Lists of triggers that no real event needs. */
const TRIGGERS: Readonly<Record<string, () => unknown[]>> = {
  "3,000 schedules": () => many(3000, schedule),
  "100 schedules of the year 2200": () => many(100, (index) => ({ ...schedule(index), years: [2200] })),
  "100 schedules of 30 February": () => many(100, (index) => ({ ...schedule(index), months: [2], days: [30] })),
  "an interval of a nanosecond": () => [{ type: "interval", enabled: true, start: EPOCH, duration: 1e-9 }],
  "an interval from the beginning of time": () => [{ type: "interval", enabled: true, start: -1e15, duration: 1 }],
  "an interval without an end": () => [{ type: "interval", enabled: true, start: EPOCH, duration: 1e308 }],
  "10,000 precise seconds": () => [
    schedule(0),
    { type: "precision", enabled: true, seconds: many(10_000, (index) => index % 60) },
  ],
  "3,000 blackouts": () => [
    schedule(0),
    ...many(3000, (index) => ({ type: "blackout", enabled: true, start: index, end: 1e10 })),
  ],
  "every billionth run": () => [schedule(0), { type: "nth", enabled: true, every: 1e9 }],
  "a delay of 10^12 seconds": () => [schedule(0), { type: "delay", enabled: true, duration: 1e12 }],
};

const event = (id: string, triggers: unknown[]) => ({
  id,
  title: "Dear",
  enabled: true,
  category: "atk_category",
  plugin: "atk_plugin",
  params: {},
  targets: ["local"],
  algo: "random",
  limits: [],
  actions: [],
  triggers,
});

const previews = Object.entries(TRIGGERS).map(
  ([name, make]): Attack => ({
    name: `callers preview and save an event with ${name}`,
    by: "callers",
    short: true,
    async run(stage) {
      const { admin, weak } = stage.callers;
      const triggers = make();
      for (const who of [weak, admin]) {
        await stage.ask(jsonCall("preview_event", { triggers, limit: 100 }, who));
        await stage.ask(jsonCall("preview_event", { triggers, limit: 100, from: EPOCH - 9e8 }, who));
      }
      await stage.ask(jsonCall("create_event", event("dear", [manual, ...triggers]), admin));
      await stage.ask(jsonCall("explain_event_run", { id: "dear", minute: EPOCH }, admin));
      await wait(stage.short ? 50 : 300);
      await launchesFew(stage);
      await stage.ask(jsonCall("delete_event", { id: "dear" }, admin));
    },
  }),
);

const MAX_LAUNCHES = 120;

/** Checks that a minute launches no flood, whatever definition was saved. */
async function launchesFew(stage: Stage): Promise<void> {
  const { list } = (await stage.api("get_active_jobs", { event: "dear", limit: 1 })) as { list: { length: number } };
  stage.must(list.length <= MAX_LAUNCHES, `${list.length} jobs were launched`);
}

const abandoned: Attack = {
  name: "callers ask for a preview and go away",
  by: "callers",
  short: true,
  async run(stage) {
    const triggers = many(100, (index) => ({ ...schedule(index), years: [2200] }));
    for (let turn = 0; turn < 5; turn++)
      await stage.http.ask({
        ...jsonCall("preview_event", { triggers, limit: 100 }, stage.callers.admin),
        timeoutMs: 20,
        abandoned: true,
      });
    const before = await stage.server.figures();
    await wait(1000);
    const after = await stage.server.figures();
    const spent = (after?.cpuMs ?? 0) - (before?.cpuMs ?? 0);
    stage.must(spent < 300, `${spent.toFixed(0)} ms of processor time in the second after the callers went away`);
  },
};

const EVIL = [
  "(a+)+$",
  "^(a|aa)+$",
  "(.*a){25}",
  `^(${"(a|aa)+".repeat(30)})$`,
  `(${"a?".repeat(200)}${"a".repeat(200)})`,
];
const TEXT = `${"a".repeat(5000)}!`;

const patterns: Attack = {
  name: "callers store patterns that take for ever",
  by: "callers",
  short: true,
  async run(stage) {
    const { admin } = stage.callers;
    for (const [index, pattern] of EVIL.entries()) {
      const fields = [{ id: "word", title: "Word", type: "text", regex: pattern, value: "" }];
      const id = `evil_${index}`;
      await stage.ask(jsonCall("create_event", { ...event(id, [manual]), fields }, admin));
      await stage.ask(jsonCall("run_event", { id, params: { word: TEXT } }, admin));
      await stage.ask(jsonCall("create_group", { id, title: "Evil", hostname_match: pattern }, admin));
      await stage.ask(
        jsonCall(
          "test_monitor",
          { server: "local", source: `"${TEXT}"`, data_type: "float", data_match: pattern },
          admin,
        ),
      );
      await stage.ask(
        jsonCall("test_alert", { server: "local", expression: `"${TEXT}" =~ "${pattern}"`, message: "x" }, admin),
      );
      await stage.ask(jsonCall("delete_group", { id }, admin));
    }
  },
};

const EXPRESSIONS = [
  `${"(".repeat(2000)}1${")".repeat(2000)}`,
  `[${"1,".repeat(20_000)}1]`,
  `1${" + 1".repeat(20_000)}`,
  `"${"x".repeat(100_000)}" + "${"y".repeat(100_000)}"`,
  `${"!".repeat(50_000)}1`,
  `a${".b".repeat(20_000)}`,
  `a${"[0]".repeat(20_000)}`,
  `${"1 ? 2 : ".repeat(5000)}3`,
  `processes.list[.command =~ "(a+)+$"]`,
  `${"'{{'".repeat(2000)}`,
];

const expressions: Attack = {
  name: "callers ask for expressions without end",
  by: "callers",
  short: true,
  async run(stage) {
    for (const who of [stage.callers.weak, stage.callers.admin])
      for (const expression of EXPRESSIONS) {
        // A body over 64 KB from a caller without the privilege is refused unread, which may cut the connection.
        if (who === stage.callers.weak && expression.length > 30_000) continue;
        await stage.ask(jsonCall("test_alert", { server: "local", expression, message: `{{ ${expression} }}` }, who));
        await stage.ask(jsonCall("test_monitor", { server: "local", source: expression, data_type: "float" }, who));
        await stage.ask(jsonCall("backtest_alert", { server: "local", expression, message: "x" }, who));
        await stage.ask(
          jsonCall("run_event", { id: "atk_event", params: { word: `{{ ${expression} }}` }, test: true }, who),
        );
      }
  },
};

const HEADERS = { "Content-Type": "application/json" };
const LINK = "templates-magic-key-0123456789";
/** Takes as many steps as one evaluation may. */
const DEAR = "{{ count(data.l[.a && count(data.l[.a]) > 0]) }}";

const linked: Attack = {
  name: "a stranger with a magic link sends templates in place of values, and variables that programs obey",
  by: "strangers",
  short: true,
  async run(stage) {
    await stage.api("create_event", event("linked", [{ type: "magic", enabled: true, key: LINK }]));
    const input = { data: { l: many(220, () => ({ a: 1 })) } };
    for (const [texts, macros] of [
      [1, 1000],
      [5, 200],
      [800, 1],
    ] as const) {
      const values = many(texts, (index) => [`value${index}`, DEAR.repeat(macros)] as const);
      const body = JSON.stringify({ ...Object.fromEntries(values), input });
      await stage.ask({ method: "POST", path: `/api/app/magic/v1/${LINK}`, headers: HEADERS, body });
    }
    const variables = JSON.stringify({
      BASH_ENV: "$(id)",
      "NODE-OPTIONS": "x",
      https_proxy: "http://x",
      json: '{"PATH":"x"}',
    });
    const { text } = await stage.ask({
      method: "POST",
      path: `/api/app/magic/v1/${LINK}`,
      headers: HEADERS,
      body: variables,
    });
    const { job } = await stage.api("get_job", { id: JSON.parse(text).id });
    const names = Object.keys((job as { params: object }).params);
    stage.must(names.length === 0, `a stranger sets variables of a process: ${names.join(", ")}`);
  },
};

const SEARCHES = [
  many(5000, (index) => `word${index}`).join(" "),
  many(3000, (index) => `word${index}`).join(" | "),
  many(2000, (index) => `-word${index}`).join(" "),
  `${"(".repeat(3000)}a${")".repeat(3000)}`,
  `"${"phrase ".repeat(5000)}"`,
  "a".repeat(50_000),
  `tags:${many(3000, (index) => `t${index}`).join("|")}`,
  many(500, (index) => `created:${index}..${index + 1e9}`).join(" "),
  `modified:>${"9".repeat(5000)}`,
  `${"status:open ".repeat(1000)}`,
];
const SEARCHED = [
  "search_jobs",
  "search_tickets",
  "search_alerts",
  "search_snapshots",
  "search_servers",
  "search_activity",
];

const searches: Attack = {
  name: "callers search with monsters",
  by: "callers",
  short: true,
  async run(stage) {
    for (const who of [stage.callers.weak, stage.callers.admin])
      for (const operation of SEARCHED)
        for (const query of SEARCHES)
          await stage.ask(jsonCall(operation, { query, limit: 1e9, offset: 1e15, sort_by: "modified" }, who));
  },
};

/** Total milliseconds of processor time that a refusal may cost. */
const REFUSAL_MS = 2;

const unknownKeys: Attack = {
  name: "strangers try API keys where there are a thousand",
  by: "strangers",
  short: true,
  async run(stage) {
    const [keys, tries] = stage.short ? [200, 200] : [1000, 1000];
    for (let turn = 0; turn < keys; turn++)
      await stage.api("create_api_key", { title: `Key ${turn}`, active: true, privileges: {} });
    const before = await stage.server.figures({ reset: true });
    const address = (turn: number): string => `203.0.113.${turn % 200}`;
    for (let turn = 0; turn < tries; turn += 10)
      await Promise.all(
        many(10, (index) =>
          stage.ask(
            jsonCall(
              "get_tags",
              {},
              { "X-API-Key": `unknownKey${turn + index}000000000000`, "X-Forwarded-For": address(turn) },
            ),
          ),
        ),
      );
    const after = await stage.server.figures();
    const spent = ((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)) / tries;
    stage.must(spent <= REFUSAL_MS, `${spent.toFixed(2)} ms of processor time for each unknown key among ${keys}`);
  },
};

export const costs: Part = {
  id: "costs",
  title: "Cheap questions with dear answers",
  attacks: [...previews, abandoned, patterns, expressions, linked, searches, unknownKeys],
};
