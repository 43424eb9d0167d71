import { addPeople } from "../../desk/notices/people.ts";
import { BEGIN, clockText, named } from "../names.ts";
import type { Node } from "../nodes.ts";
import type { Cell, ReceiverPlan, RoutePlan } from "../plan.ts";
import { defineWatched } from "./watched.ts";

/** Creates the definitions of all histories, and deletes the presets of a new installation. */
export async function define(node: Node, cells: readonly Cell[]): Promise<void> {
  const { api } = node.signalbox;
  for (const { id } of (await api.getRoutes()).rows) await api.deleteRoute({ id });
  for (const { id } of (await api.getAlerts()).rows) await api.deleteAlert({ id });
  for (const [cell, { alerts, receivers, routes, watched }] of cells.entries()) {
    const group = `c${cell}`;
    await api.createGroup({ id: group, title: group, hostname_match: `^c${cell}s` } as never);
    for (const [at, { isFamily, isChild, isOutage, ...rest }] of alerts.entries())
      await api.createAlert({
        ...{ ...rest, id: named(cell, "a", at), title: `Alert ${at}`, expression: `bits[${at}] > 0`, message: "on" },
        ...{ groups: [group], flap_window: 600, outage: isOutage, samples: rest.samples },
        ...(isFamily ? { family: group } : {}),
        ...(isChild ? { depends_on: [named(cell, "a", 0)] } : {}),
      } as never);
    for (const [at, receiver] of receivers.entries()) await defineReceiver(node, { cell, at, receiver });
    await defineWatched(node, cell, watched);
    const match = watched.length === 0 ? { groups: [group] } : { alerts: [...alertsOf(cell, alerts, watched)] };
    for (const [at, route] of routes.entries())
      await api.createRoute({
        ...routeRecord(cell, at, route),
        match: { ...match, severities: route.severities },
      } as never);
    await api.createEvent({
      ...{
        id: named(cell, "e", 0),
        title: `Quiet work ${cell}`,
        plugin: "shellplug",
        category: "general",
        enabled: true,
      },
      ...{ silence_alerts: true, targets: [named(cell, "s", 0)], algo: "random", params: { script: "true" } },
      triggers: [{ type: "manual", enabled: true }],
    } as never);
  }
}

/** Subjects that are not servers are in no group. */
const alertsOf = (cell: number, alerts: Cell["alerts"], watched: Cell["watched"]): string[] => [
  ...alerts.map((_each, at) => named(cell, "a", at)),
  ...watched.map((_each, at) => named(cell, "w", at)),
];

function routeRecord(
  cell: number,
  at: number,
  { open, digest, steps, severities: _matched, change: _later, ...rest }: Cell["routes"][number],
) {
  const window = open && { from: clockText(open.from), to: clockText(open.to) };
  return {
    ...{ ...rest, id: named(cell, "t", at), title: `Route ${at}`, continue: true },
    ...(window ? { active: [window], outside: open.outside } : {}),
    ...(digest ? { digest: { at: digest.map(clockText) } } : {}),
    steps: stepsOf(cell, steps),
  };
}

export const stepsOf = (cell: number, steps: RoutePlan["steps"]) =>
  steps.map(({ after, to }) => ({ after, to: to.map((each) => named(cell, "r", each)) }));

interface Described {
  readonly cell: number;
  readonly at: number;
  readonly receiver: ReceiverPlan;
}

async function defineReceiver(node: Node, { cell, at, receiver }: Described): Promise<void> {
  const { api } = node.signalbox;
  const id = named(cell, "r", at);
  const { type, isEnabled, max_per_hour, fallback } = receiver;
  const hook = { url: `https://hooks.example/${id}`, method: "POST", headers: [], body: "{{text}}", enabled: true };
  if (type === "web_hook") await api.createWebHook({ ...hook, id, title: id } as never);
  if (type === "rota") await defineRota(node, id, receiver);
  const where = { mail: { email: `${id}@example.com` }, web_hook: { web_hook: id }, rota: { rota: id } }[type];
  await api.createReceiver({ ...{ id, title: id, type, enabled: isEnabled, max_per_hour }, ...where } as never);
  if (fallback !== undefined && fallback < at)
    await api.updateReceiver({ id, fallback: named(cell, "r", fallback) } as never);
}

/** A rota of two people; the second comes on duty at a minute of the history. */
async function defineRota(node: Node, id: string, { handOver }: ReceiverPlan): Promise<void> {
  const users = [`${id}a`, `${id}b`];
  await addPeople(node.cradle(), users);
  const yesterday = new Date((BEGIN - 86_400) * 1000).toISOString().slice(0, 10);
  const layer = { users, turn: "day", every: 1, handover: { at: clockText(handOver) }, start: yesterday };
  await node.signalbox.api.createRota({ id, title: id, timezone: "UTC", layers: [layer] } as never);
}
