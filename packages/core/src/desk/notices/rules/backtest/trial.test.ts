import { expect, test } from "vitest";
import type { Alert } from "../../../../fleet/alerts/model.ts";
import { newAlert } from "../../../../fleet/alerts/rules/definition/inputs.ts";
import { newSilence } from "../../../../fleet/silences/rules/record.ts";
import { newReceiver, newRoute } from "../records/records.ts";
import { type Replacements, readTrial } from "./trial.ts";

const stamp = { username: "ann", now: 0 };
const steps = [{ after: 0, to: ["ops"] }];
const alert = (id: string, members: Partial<Alert> = {}): Alert =>
  newAlert({ title: "Too hot", expression: "monitors.temp > 50", message: "", ...members } as never, { ...stamp, id });
const layers = [{ users: ["ann"], turn: "day", every: 1, handover: { at: "08:00" }, start: "2027-01-01" }];
const stored = {
  routes: [newRoute({ title: "All", steps } as never, { ...stamp, id: "all" }, 0)],
  receivers: [newReceiver({ title: "Ops", type: "mail", email: "a@b.example" } as never, { ...stamp, id: "ops" })],
  alerts: [alert("hot", { severity: "warning" }), alert("up")],
  silences: [newSilence({ title: "Q", servers: ["s1"], end: 9 } as never, { ...stamp, id: "q" })],
  rotas: [],
};
const none: Replacements = { routes: {}, receivers: {}, alerts: {}, silences: {}, rotas: {} };
const bad = (text: string): string | undefined => (text.includes("+)") ? "unexpected )" : undefined);
const sources = { expressionFault: bad, messageFault: bad };
const onCall = { type: "rota", rota: "week" };

test.each<[Partial<Replacements>, string]>([
  [{ routes: { all: { group_by: ["host"] } } }, "Invalid value for group_by"],
  [{ routes: { more: {} } }, "A route needs at least one step with a receiver."],
  [{ routes: { more: { steps: [{ after: 0, to: ["lead"] }] } } }, "Receiver not found: lead"],
  [{ receivers: { ops: null } }, "Receiver not found: ops"],
  [{ receivers: { lead: { type: "pager" } } }, "Invalid value for type"],
  [{ receivers: { ops: onCall } }, "Rota not found: week"],
  [{ alerts: { cold: { title: "Cold" } } }, "Invalid value for expression"],
  [{ alerts: { hot: { severity: "bad" } } }, "Invalid value for severity"],
  [{ alerts: { hot: { flap_count: 1 } } }, "Invalid value for flap_count"],
  [{ alerts: { hot: { for: "long" } } }, "Invalid value for for"],
  [{ alerts: { hot: { expression: "(1 +)" } } }, "Failed to compile alert expression: hot: unexpected )"],
  [{ alerts: { hot: { recovery: "(1 +)" } } }, "Failed to compile recovery expression: hot: unexpected )"],
  [{ alerts: { hot: { message: "{{ (1 +) }}" } } }, "Failed to compile macros in alert message: hot: unexpected )"],
  [{ alerts: { hot: { depends_on: ["down"] } } }, "Unknown alert in depends_on: down"],
  [{ alerts: { up: null, hot: { depends_on: ["up"] } } }, "Unknown alert in depends_on: up"],
  [{ alerts: { hot: { depends_on: ["up"] }, up: { depends_on: ["hot"] } } }, "Dependency cycle: hot -> up -> hot"],
  [{ silences: { night: { servers: ["s1"] } } }, "A silence needs an end, or times that recur."],
  [{ silences: { q: { recurring: { from: "25:00", to: "06:00" } } } }, "Invalid value for recurring.from"],
  [{ rotas: { week: { timezone: "Mars", layers } } }, "Unknown time zone: Mars"],
  [{ rotas: { week: { timezone: "UTC", layers: [] } } }, "Invalid value for layers"],
  [{ rotas: { week: { timezone: "UTC", layers, overrides: 1 } } }, "Invalid value for overrides"],
])("%j is refused", (changes, sentence) => {
  expect(readTrial(stored, { ...none, ...changes }, sources)).toBe(sentence);
});

test("changes replace stored records, null removes them, and new ones come last", () => {
  const more = { title: "More", steps: [{ after: 0, to: ["lead"] }] };
  const changes = {
    routes: { all: { group_wait: 5 }, more },
    receivers: { lead: onCall },
    alerts: { hot: { severity: "critical", for: "300", subject: "event" }, cold: { title: "Cold", expression: "1" } },
    silences: { q: null, night: { servers: ["s1"], recurring: { from: "22:00", to: "06:00" } } },
    rotas: { week: { timezone: "UTC", layers } },
  };
  const trial = readTrial(stored, changes, sources);
  if (typeof trial === "string") throw new Error(trial);
  expect(trial.routes.get("all")).toEqual({ ...stored.routes[0], group_wait: 5 });
  expect(trial.routes.get("more")).toMatchObject({ id: "more", sort_order: 1, enabled: true });
  expect([...trial.receivers.keys()]).toEqual(["ops", "lead"]);
  expect(trial.alerts.get("hot")).toMatchObject({ severity: "critical", for: 300 });
  expect(trial.alerts.get("hot")).not.toHaveProperty("subject");
  expect(trial.alerts.get("cold")).toMatchObject({ enabled: true, samples: 1, actions: [] });
  expect([...trial.silences.keys()]).toEqual(["night"]);
  expect(trial.rotas.get("week")).toMatchObject({ id: "week", overrides: [], layers });
  const without = readTrial(stored, { ...none, routes: { all: null }, alerts: { hot: null, up: null } }, sources);
  expect(without).toMatchObject({ routes: new Map(), alerts: new Map() });
  expect(readTrial(stored, none, sources)).toMatchObject({ routes: new Map([["all", stored.routes[0]]]) });
});
