import { expect, test } from "vitest";
import minute from "../../../testing/fixtures/agent-monitor.json" with { type: "json" };
import type { Alert, Invocation } from "../model.ts";
import { newAlert } from "./definition/inputs.ts";
import { alertHookData, type HookSources, largestUnit, withHookText } from "./hook-data.ts";
import { alertActions } from "./telling/actions.ts";

const alert: Alert = newAlert(
  { title: "Low Memory", expression: "x", message: "m" },
  { id: "low", username: "test", now: 1 },
);
const invocation: Invocation = {
  id: "a1",
  alert: "low",
  server: "s1",
  date: 100,
  active: true,
  modified: 160,
  tickets: [],
  exp: "x",
  message: "m",
  count: 1,
  notified: true,
  groups: ["main", "gone"],
  jobs: ["j1"],
};
const main = {
  id: "main",
  title: "Main Group",
  hostname_match: "",
  alert_actions: [],
  sort_order: 0,
  username: "t",
  created: 1,
  modified: 1,
};
const sources: HookSources = {
  alert,
  invocation,
  notification: { invocation: "a1", condition: "alert_new" },
  server: undefined,
  record: undefined,
  groups: [main],
  baseUrl: "https://ops.example.com",
  clientConfig: { name: "Signalbox" },
  emailFrom: undefined,
  strip: { hostname: (text) => text.replace(/\.[\w-]+\.\w+$/, ""), ip: (text) => text.replace(/^::ffff:/, "") },
  formatDate: (seconds) => `t${seconds}`,
  eventTitle: (id) => (id === "e1" ? "Backup" : undefined),
};

test("the definition and the invocation alone are enough", () => {
  expect(alertHookData(sources)).toMatchObject({
    template: "alert_new",
    date_time: "t100",
    nice_groups: "Main Group, (gone)",
    nice_server: "s1",
    nice_ip: "n/a",
    nice_load_avg: "n/a",
    nice_mem_total: "n/a",
    nice_uptime: "n/a",
    nice_cpu: "n/a",
    nice_os: "n/a",
    nice_virt: "(None)",
    nice_cores: "n/a",
    nice_root_disk: "n/a",
    nice_notes: "(None)",
    nice_active_jobs: "- [j1](https://ops.example.com/#Job?id=j1)",
    links: { server_url: "https://ops.example.com/#Server?id=s1", alert_url: "https://ops.example.com/#Alerts?id=a1" },
  });
});

test("readings of a real minute are available as text", () => {
  const { data } = minute;
  const server = {
    id: "s1",
    hostname: "web01.example.internal",
    ip: "::ffff:10.20.0.11",
    title: "Web",
    enabled: true,
    groups: ["main"],
    autoGroup: true,
    created: 1,
    modified: 1,
    info: { os: data.os, cpu: { combo: "Intel Xeon" }, virt: { vendor: "Docker", type: "container" } },
  };
  const record = {
    id: "s1",
    version: "1.0",
    date: 160,
    server: "s1",
    hostname: "web01",
    ip: "x",
    groups: ["main"],
    data,
  };
  const notification = { invocation: "a1", condition: "alert_new" as const, active_jobs: [{ id: "j9", event: "e1" }] };
  expect(alertHookData({ ...sources, server, record, notification })).toMatchObject({
    nice_server: "Web (web01)",
    nice_ip: "10.20.0.11",
    nice_load_avg: "3.95",
    nice_mem_total: "23.5 GB",
    nice_uptime: "54 minutes",
    nice_cpu: "Intel Xeon (x64)",
    nice_os: "Debian GNU/Linux 12",
    nice_virt: "Docker (container)",
    nice_cores: "2",
    nice_root_disk: "32.2% in use",
    nice_active_jobs: "- [Backup](https://ops.example.com/#Job?id=j9)",
    params: { data: { mounts: { root: { use: 32.21 } } } },
  });
});

test("a clearing says how long the alert lasted", () => {
  const notification = { invocation: "a1", condition: "alert_cleared" as const, elapsed: 7300 };
  expect(alertHookData({ ...sources, notification })).toMatchObject({
    elapsed: 7300,
    nice_elapsed: "2 hours",
    date_time: "t160",
  });
});

test.each([
  ["event", "#Events?sub=view&id=x1"],
  ["heartbeat", "#Heartbeats?id=x1"],
  ["check", "#Checks?id=x1"],
] as const)("for a firing on a %s the link to the subject is %s", (type, hash) => {
  const about = { ...invocation, server: "", subject: { type, id: "x1", title: "X" }, category: "general" };
  expect(alertHookData({ ...sources, invocation: about, server: undefined, record: undefined })).toMatchObject({
    links: { server_url: `https://ops.example.com/${hash}` },
  });
});

test("the text has the three names that chat hooks expect", () => {
  expect(withHookText({ a: 1 }, "hello")).toEqual({ a: 1, text: "hello", content: "hello", message: "hello" });
});

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [59, "59 seconds"],
  [3600, "1 hour"],
  [200_000, "2 days"],
])("%d seconds are written as %s", (seconds, expected) => {
  expect(largestUnit(seconds)).toBe(expected);
});

const action = (type: string, target: string, members: Record<string, unknown> = {}) => ({
  enabled: true,
  condition: "alert_new",
  type,
  target,
  ...members,
});
const targetOf = ({ type, target }: { type: string; target?: unknown }) =>
  type === "label" ? undefined : String(target);

test("actions come from the alert, its groups and the configuration, the first per type and target", () => {
  const own = [action("web_hook", "h1"), action("label", "x"), action("web_hook", "h9", { enabled: false })];
  const groups = [{ alert_actions: [action("web_hook", "h1", { text: "again" }), action("web_hook", "h2")] }];
  const universal = [action("snapshot", ""), action("web_hook", "h3", { condition: "alert_cleared" })];
  const list = alertActions({ alert: { actions: own }, groups, universal, condition: "alert_new", targetOf });
  expect(list).toEqual([
    action("web_hook", "h1"),
    action("web_hook", "h2", { source: "group" }),
    action("snapshot", "", { source: "universal" }),
  ]);
});

test("an exclusive alert runs its own actions only", () => {
  const groups = [{ alert_actions: [action("web_hook", "h2")] }];
  const own = { actions: [action("web_hook", "h1")], exclusive_actions: true };
  const list = alertActions({
    alert: own,
    groups,
    universal: [action("snapshot", "")],
    condition: "alert_new",
    targetOf,
  });
  expect(list).toEqual([action("web_hook", "h1")]);
});
