import { describe, expect, test } from "vitest";
import { threadMs } from "../../../../../test/thread-time.ts";
import { createExpressions } from "../../../../expressions/index.ts";
import { expandMail } from "../../../texts/template.ts";
import { outputExcerpt } from "./excerpt.ts";
import { alertSubject, jobSubject, TICKET_TEMPLATES, ticketTemplateOf, ticketText } from "./texts.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`).join("\n");

describe("the excerpt of an output", () => {
  test.each<[string, string, string | undefined, string]>([
    ["nothing", "", undefined, "n/a"],
    ["blanks", " \n\t\n", undefined, "n/a"],
    ["twenty lines", lines(1, 20), undefined, lines(1, 20)],
    ["twenty-one lines", lines(1, 21), undefined, `${lines(1, 10)}\n\n[…]\n\n${lines(12, 21)}`],
    ["two ends", lines(1, 50), lines(900, 1000), `${lines(1, 10)}\n\n[…]\n\n${lines(991, 1000)}`],
    ["two short ends", "one", "last", "one\n\n[…]\n\nlast"],
    ["colours and fences", "\u001b[1;31mred\u001b[0m\n```js\n  ``` end\na ``` b", undefined, "red\njs\n end\na '' b"],
    ["a line without an end", "x".repeat(5000), undefined, `${"x".repeat(1000)}…`],
  ])("of %s", (_what, first, last, expected) => {
    expect(outputExcerpt(first, last)).toBe(expected);
  });

  test.each(["\n", "\r", " ", "\t\n"])("takes time by the length alone: %j", (unit) => {
    const output = `a${unit.repeat(100_000)}b`;
    expect(threadMs(() => outputExcerpt(output))).toBeLessThan(1000);
  });
});

describe("the subject of a ticket", () => {
  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ job: { id: "j1", complete: true, code: 0 }, event: { title: "Backup" } }, "Job #j1 succeeded (Backup)"],
    [
      { job: { id: "j1", complete: true, code: "abort" }, event: { title: "A" } },
      "Job #j1 failed with code: abort (A)",
    ],
    [{ job: { id: "j1" }, event: { title: "Backup" } }, "Job #j1 is running (Backup)"],
    [{ job: { id: "j1", complete: true, code: 0, event_title: "Was" }, event: null }, "Job #j1 succeeded (Was)"],
    [{ job: { id: "j1", complete: true }, event: null }, "Job #j1 succeeded (n/a)"],
  ])("%j", (data, subject) => {
    expect(jobSubject(data)).toBe(subject);
  });

  test("the subject for an alert names it and its server, and is bounded", () => {
    expect(alertSubject({ def: { title: "Hot" }, nice_server: "Web (web01)" })).toBe("Alert: Hot on Web (web01)");
    expect(alertSubject({})).toBe("Alert: n/a on n/a");
    expect(alertSubject({ def: { title: "x".repeat(5000) } })).toHaveLength(1000);
  });
});

describe("the texts of a ticket", () => {
  test("are selected by how far the job is", () => {
    expect(ticketTemplateOf({ complete: true, code: 0 })).toBe("job_success");
    expect(ticketTemplateOf({ complete: true, code: 1 })).toBe("job_fail");
    expect(ticketTemplateOf({ code: "critical" })).toBe("job_fail");
    expect(ticketTemplateOf({})).toBe("job_progress");
  });

  test.each(Object.entries(TICKET_TEMPLATES))("%s has no gap and no broken macro without any data", (_name, text) => {
    const expressions = createExpressions({});
    expect(expressions.compileTemplate(text).errors).toEqual([]);
    const body = expandMail(text, { expressions, data: {} }).body("html");
    expect(body).not.toMatch(/\{\{|undefined|:\*\* *$/m);
    expect(body).toContain("n/a");
  });

  test.each(["event", "heartbeat", "check"])("of an alert on a %s name it, without facts of a server", (type) => {
    const alert = { message: "down", subject: { type, id: "x1", title: "Shop" } };
    const data = { alert, def: { title: "Late" }, nice_server: "Shop", links: { server_url: "https://ops/#x1" } };
    const body = expandMail(ticketText("alert", data), { expressions: createExpressions({}), data }).body("html");
    expect(body).toContain(`- **${type[0]?.toUpperCase()}${type.slice(1)}:** Shop`);
    expect(body).toContain(`- [The ${type}](https://ops/#x1)`);
    expect(body).not.toMatch(/server|hostname|memory|running jobs/i);
  });

  test("of an alert on a server are the ones that have its facts", () => {
    expect(ticketText("alert", { alert: { server: "s1" } })).toBe(TICKET_TEMPLATES["alert"]);
    expect(ticketText("alert_over", { alert: { subject: { type: "check" } } })).toBe(TICKET_TEMPLATES["alert_over"]);
    expect(ticketText("none", {})).toBe("");
  });
});
