import type { Invocation } from "../../src/fleet/alerts/model.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Mail } from "../../src/ports/mailer.ts";
import type { WebHookRequest, WebHookResponse } from "../../src/ports/web-hook-client.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { Crew } from "./crew.ts";
import { looksThatChange } from "./looks.ts";
import { createNodes, type Node } from "./nodes.ts";
import { type AckPlan, CALM, type Cell, type ReceiverPlan, SAMPLED, type SilencePlan, type Trouble } from "./plan.ts";
import type { Span } from "./promises/spans.ts";
import { type Attempt, type Rows, rowsIn } from "./record.ts";

/** 2027-01-15 08:00:00 UTC */
export const BEGIN = 1_800_000_000;
export const END = BEGIN + (SAMPLED + CALM + 1) * 60;
/** Seconds within a minute: samples, then people, then what happens to nodes. */
const [SAMPLE_AT, PEOPLE_AT, TROUBLE_AT] = [1, 35, 40];

export const named = (cell: number, what: string, at: number): string => `c${cell}${what}${at}`;
export const clockText = (minute: number): string => new Date((BEGIN + minute * 60) * 1000).toISOString().slice(11, 16);

/** Whether an attempt reaches its receiver; a text is what the way says. */
type Answer = "well" | "busy" | "silent" | "gone";
function answerOf({ way }: ReceiverPlan, earlier: number, minute: number): Answer {
  if (way === "busy") return earlier < 2 ? "busy" : "well";
  if (way === "silent") return earlier < 1 ? "silent" : "well";
  if (way === "down") return minute >= 8 && minute < 12 ? "busy" : "well";
  return way;
}

/** The world outside: it notes each attempt and answers as planned. */
function createOutside(clock: FakeClock, planOf: (receiver: string) => ReceiverPlan | undefined) {
  const attempts: Attempt[] = [];
  const answer = (receiver: string, key: string): Answer => {
    const earlier = attempts.filter((each) => each.key === key).length;
    attempts.push({ at: clock.now(), receiver, key });
    const plan = planOf(receiver);
    return plan ? answerOf(plan, earlier, (clock.now() - BEGIN) / 60) : "well";
  };
  const MAILED: Record<Answer, string> = {
    ...{ well: "", busy: "451 busy", silent: "Connection timed out", gone: "550 not a mail address" },
  };
  const ASKED: Record<Answer, number> = { well: 200, busy: 503, silent: 0, gone: 404 };
  const links: string[] = [];
  return {
    attempts,
    /** Tokens of links in mails. */
    links,
    mailer: {
      async send({ to, messageId, text }: Mail) {
        links.push(...(/(?<=\/ack\/)[\w-]+/.exec(text) ?? []));
        const said = answer(/^[^@]*/.exec(to[0] ?? "")?.[0] ?? "", messageId);
        if (said !== "well") throw new Error(MAILED[said]);
      },
    },
    webHooks: {
      async send({ url, headers }: WebHookRequest): Promise<WebHookResponse> {
        const said = answer(url.split("/").at(-1) ?? "", headers["X-Idempotency-Key"] ?? "");
        if (said === "silent") throw new Error("The request timed out");
        return { status: ASKED[said], statusText: said, headers: {}, body: "", elapsedMs: 5 };
      },
    },
  };
}

export interface Played {
  readonly rows: Rows;
  readonly attempts: readonly Attempt[];
  readonly away: readonly Span[];
  /** What the engine says that went wrong. */
  readonly faults: readonly string[];
  /** Readings that changed a row. */
  readonly changed: readonly string[];
}

interface Play {
  readonly cells: readonly Cell[];
  readonly troubles?: readonly Trouble[];
  /** Whether to look at all there is at half the time. */
  readonly isLooked?: boolean;
}

/** Plays histories side by side on nodes of their own, minute by minute. */
export async function playHistories({ cells, troubles = [], isLooked = false }: Play): Promise<Played> {
  const clock = fakeClock(BEGIN - 60, { together: true });
  const storage = memoryStorage({ clock });
  const plans = new Map(
    cells.flatMap(({ receivers }, cell) => receivers.map((each, at) => [named(cell, "r", at), each] as const)),
  );
  const outside = createOutside(clock, (receiver) => plans.get(receiver));
  const { mailer, webHooks, attempts } = outside;
  const nodes = createNodes({ clock, storage, mailer, webHooks });
  const crew = new Crew(clock, nodes);
  await crew.open(troubles.length > 0 ? 2 : 1);
  await define(crew.any(), cells);
  // Nodes hear of what others changed a moment later.
  await clock.advance(1);
  await crew.connect(cells.flatMap(({ minutes }, cell) => minutes.map((_all, at) => named(cell, "s", at))));
  await chain(crew.any(), cells);
  await clock.advance(1);
  let changed: readonly string[] = [];
  for (let minute = 1; minute <= SAMPLED + CALM; minute++) {
    const at = (second: number): Promise<void> => crew.advanceTo(BEGIN + minute * 60 + second);
    await at(SAMPLE_AT);
    for (const [cell, plan] of cells.entries()) crew.sample(samplesOf(cell, plan, minute));
    await at(PEOPLE_AT);
    for (const [cell, plan] of cells.entries()) await actions(crew.leader(), { cell, plan, minute });
    await at(TROUBLE_AT);
    for (const trouble of troubles) if (trouble.at === minute) await crew.suffer(trouble);
    if (isLooked && minute === SAMPLED / 2) changed = await looksThatChange(crew.any(), storage, outside.links);
  }
  await crew.advanceTo(END);
  const rows = await storage.read(rowsIn);
  await crew.close();
  return { rows, attempts, away: crew.away(END), faults: nodes.faults, changed };
}

/** By server; one of which nothing comes is left out. */
const samplesOf = (cell: number, { minutes }: Cell, minute: number): [string, readonly number[]][] =>
  minutes.flatMap((all, at): [string, readonly number[]][] => {
    const bits = minute > SAMPLED ? 0 : all[minute - 1];
    return typeof bits === "number" ? [[named(cell, "s", at), [0, 1, 2].map((alert) => (bits >> alert) & 1)]] : [];
  });

/** Definitions of all histories; what a fresh installation has goes. */
async function define({ signalbox: { api } }: Node, cells: readonly Cell[]): Promise<void> {
  for (const { id } of (await api.getRoutes()).rows) await api.deleteRoute({ id });
  for (const { id } of (await api.getAlerts()).rows) await api.deleteAlert({ id });
  for (const [cell, { alerts, receivers, routes }] of cells.entries()) {
    const group = `c${cell}`;
    await api.createGroup({ id: group, title: group, hostname_match: `^c${cell}s` } as never);
    for (const [at, { isFamily, isChild, isOutage, ...rest }] of alerts.entries())
      await api.createAlert({
        ...{ ...rest, id: named(cell, "a", at), title: `Alert ${at}`, expression: `bits[${at}] > 0`, message: "on" },
        ...{ groups: [group], flap_window: 600, outage: isOutage, samples: rest.samples },
        ...(isFamily ? { family: group } : {}),
        ...(isChild ? { depends_on: [named(cell, "a", 0)] } : {}),
      } as never);
    for (const [at, receiver] of receivers.entries()) {
      const id = named(cell, "r", at);
      const { type, isEnabled, max_per_hour, fallback } = receiver;
      const hook = { url: `https://hooks.example/${id}`, method: "POST", headers: [], body: "{{text}}", enabled: true };
      if (type === "web_hook") await api.createWebHook({ ...hook, id, title: id } as never);
      const where = type === "mail" ? { email: `${id}@example.com` } : { web_hook: id };
      await api.createReceiver({ ...{ id, title: id, type, enabled: isEnabled, max_per_hour }, ...where } as never);
      if (fallback !== undefined && fallback < at)
        await api.updateReceiver({ id, fallback: named(cell, "r", fallback) } as never);
    }
    for (const [at, route] of routes.entries()) await api.createRoute(routeRecord(cell, at, route) as never);
  }
}

function routeRecord(cell: number, at: number, { open, digest, steps, severities, ...rest }: Cell["routes"][number]) {
  const window = open && { from: clockText(open.from), to: clockText(open.to) };
  return {
    ...{ ...rest, id: named(cell, "t", at), title: `Route ${at}`, continue: true },
    match: { groups: [`c${cell}`], severities },
    ...(window ? { active: [window], outside: open.outside } : {}),
    ...(digest ? { digest: { at: digest.map(clockText) } } : {}),
    steps: steps.map(({ after, to }) => ({ after, to: to.map((each) => named(cell, "r", each)) })),
  };
}

async function chain({ signalbox: { api } }: Node, cells: readonly Cell[]): Promise<void> {
  for (const [cell, { isChained }] of cells.entries())
    if (isChained) await api.updateServer({ id: named(cell, "s", 1), depends_on: [named(cell, "s", 0)] } as never);
}

/** What people do at a minute. */
async function actions(node: Node, about: { cell: number; plan: Cell; minute: number }): Promise<void> {
  const { cell, plan, minute } = about;
  for (const [at, silence] of plan.silences.entries()) await silenceAt(node, named(cell, "q", at), silence, about);
  for (const ack of plan.acks) {
    if (ack.at === minute) await acknowledge(node, ack, about);
    if (ack.back !== undefined && ack.at + ack.back === minute)
      for (const { id } of (await liveOf(node, ack, cell)).filter((each) => each.acknowledged))
        await node.signalbox.api.unacknowledgeAlertInvocation({ id });
  }
}

async function silenceAt(
  { signalbox: { api } }: Node,
  id: string,
  { from, to, alert, server, isDeleted }: SilencePlan,
  { cell, minute }: { readonly cell: number; readonly minute: number },
): Promise<void> {
  if (isDeleted && minute === to) await api.deleteSilence({ id });
  if (minute !== from) return;
  await api.createSilence({
    ...{ id, title: id, groups: [`c${cell}`], end: BEGIN + (isDeleted ? 100 : to) * 60 + PEOPLE_AT },
    ...(alert === undefined ? {} : { alerts: [named(cell, "a", alert)] }),
    ...(server === undefined ? {} : { servers: [named(cell, "s", server)] }),
  } as never);
}

async function liveOf({ signalbox: { api } }: Node, { alert, server }: AckPlan, cell: number): Promise<Invocation[]> {
  const query = `alert:${named(cell, "a", alert)} server:${named(cell, "s", server)} active:true`;
  return (await api.searchAlerts({ query, limit: 5 })).rows as Invocation[];
}

async function acknowledge(
  node: Node,
  ack: AckPlan,
  { cell, minute }: { cell: number; minute: number },
): Promise<void> {
  for (const { id } of await liveOf(node, ack, cell)) {
    const expires = ack.expires === undefined ? {} : { expires: BEGIN + (minute + ack.expires) * 60 + PEOPLE_AT };
    const given = { id, comment: "on it", notify_cleared: ack.notify, ...expires };
    await node.signalbox.api.acknowledgeAlertInvocation(given as never);
  }
}
