import { expect, test } from "vitest";
import { weightOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { contentOf, type Entry, listed, type Said } from "./content.ts";

const entry = (server: string, members: Partial<Entry> = {}): Entry => ({
  ...{
    invocation: `i-${server}`,
    title: "Too hot",
    server,
    nice_server: server.toUpperCase(),
    state: "new",
    noun: "server",
  },
  ...{ message: "60 degrees", severity: "warning", since: 100, link: "https://x/#1", ...members },
});
const many = Array.from({ length: 130 }, (_each, at) => entry(`s${at}`));

test.each([
  ["firing", [entry("web")], "P Firing: Too hot on WEB: 60 degrees: https://x/#1"],
  ["firing", [entry("a"), entry("b")], "P Firing: Too hot on 2 servers: A, B: https://x/#1"],
  [
    "firing",
    [entry("a", { noun: "event" }), entry("b", { noun: "event" })],
    "P Firing: Too hot on 2 events: A, B: https://x/#1",
  ],
  ["firing", [entry("a"), entry("b", { noun: "event" })], "P Firing: Too hot on 2 subjects: A, B: https://x/#1"],
  ["firing", many.slice(0, 7), "P Firing: Too hot on 7 servers: S0, S1, S2, S3, S4 and 2 more: https://x/#1"],
  [
    "update",
    [entry("a"), entry("b", { state: "over" })],
    "P Also firing: Too hot on A: 60 degrees (1 over): https://x/#1",
  ],
  ["repeat", [entry("a"), entry("a", { title: "Full" })], "P Still firing: 2 alerts on A: https://x/#1"],
  ["cleared", [entry("a", { state: "over" })], "P Over: Too hot on A: https://x/#1"],
  ["digest", [entry("a", { state: "over" })], "P Digest: Too hot on A (over): https://x/#1"],
  [
    "digest",
    [entry("a", { state: "over" }), entry("b", { state: "over" })],
    "P Digest: Too hot on 2 servers: A, B (over): https://x/#1",
  ],
] as const)("%s of %j", (kind, entries, text) => {
  expect(contentOf({ kind, severity: "warning" }, entries, "P").text).toBe(text);
});

test("the subject gives the severity, or says that it is over", () => {
  expect(contentOf({ kind: "firing", severity: "critical" }, [entry("a"), entry("b")], "P").subject).toBe(
    "[critical] Too hot on 2 servers",
  );
  expect(contentOf({ kind: "cleared", severity: "critical" }, [entry("a", { state: "over" })], "P").subject).toBe(
    "[cleared] Too hot on A",
  );
});

test("a mail lists a hundred firings and counts the rest, without any text of machines", () => {
  const { body, more } = contentOf({ kind: "firing", severity: "warning" }, many, "P");
  expect(more).toBe(30);
  expect(body.match(/^- /gm)).toHaveLength(100);
  expect(body).toContain("and 30 more: {{ notice.link }}");
  expect(body).not.toContain("degrees");
});

test("a mail may list fewer firings after a longer one was too large", () => {
  const { body, more } = contentOf({ kind: "firing", severity: "warning", most: 20 }, many, "P");
  expect(more).toBe(110);
  expect(body.match(/^- /gm)).toHaveLength(20);
});

test("new entries come first, then the most severe, then the oldest", () => {
  const entries = [
    entry("over", { state: "over" }),
    entry("young", { since: 200 }),
    entry("old"),
    entry("bad", { severity: "critical", since: 300 }),
    entry("again", { state: "repeated" }),
  ];
  expect(listed(entries, weightOf).map(({ server }) => server)).toEqual(["bad", "old", "young", "again", "over"]);
});

test.each<[Said, string, string]>([
  [
    { kind: "acknowledged", severity: "critical", head: "tom is on it: restarting" },
    "P tom is on it: restarting: Too hot on A: 60 degrees: https://x/#1",
    "[acknowledged] Too hot on A",
  ],
  [
    { kind: "escalation", severity: "critical", head: "You are on duty now" },
    "P You are on duty now: Too hot on A: 60 degrees: https://x/#1",
    "[critical] Too hot on A",
  ],
])("the text and subject say %j", (said, text, subject) => {
  expect(contentOf(said, [entry("a", { state: "still" })], "P")).toMatchObject({ text, subject });
});
