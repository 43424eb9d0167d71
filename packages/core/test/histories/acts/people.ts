import type { Invocation } from "../../../src/fleet/alerts/model.ts";
import type { Crew } from "../crew.ts";
import { BEGIN, named } from "../names.ts";
import type { Node } from "../nodes.ts";
import type { AckPlan, Cell, JobPlan, SilencePlan } from "../plan.ts";
import type { Span } from "../promises/spans.ts";
import { stepsOf } from "./definitions.ts";
import { watchedAct } from "./watched.ts";

/** Second of the minute. */
export const PEOPLE_AT = 35;

/** Performs what people do in a minute. */
export async function peopleAct(
  crew: Crew,
  {
    cells,
    minute,
    snooze,
  }: { readonly cells: readonly Cell[]; readonly minute: number; readonly snooze?: Span | undefined },
): Promise<void> {
  const node = crew.leader();
  if (snooze?.from === minute) await node.signalbox.api.updateGlobalState({ alert_snooze: timeAt(snooze.to) } as never);
  crew.report();
  for (const [cell, plan] of cells.entries()) {
    await actions(node, { cell, plan, minute });
    for (const job of plan.jobs) await jobAt(crew, job, { cell, minute });
    await watchedAct(crew, { cell, plan, minute });
  }
}

const timeAt = (minute: number): number => BEGIN + minute * 60 + PEOPLE_AT;

async function jobAt(crew: Crew, { from, to, server }: JobPlan, { cell, minute }: Moment): Promise<void> {
  const target = named(cell, "s", server);
  if (minute === to) crew.end(target);
  if (minute !== from) return;
  const { api } = crew.leader().signalbox;
  const { id } = await api.runEvent({ id: named(cell, "e", 0), targets: [target] } as never);
  crew.runs(target, id);
}

interface Moment {
  readonly cell: number;
  readonly minute: number;
}

async function actions(node: Node, about: Moment & { readonly plan: Cell }): Promise<void> {
  const { cell, plan, minute } = about;
  for (const [at, { change, steps }] of plan.routes.entries())
    if (change?.at === minute)
      await node.signalbox.api.updateRoute({
        id: named(cell, "t", at),
        steps: stepsOf(cell, steps.with(0, { after: 0, to: change.to })),
      } as never);
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
    ...{ id, title: id, groups: [`c${cell}`], end: timeAt(isDeleted ? 100 : to) },
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
    const expires = ack.expires === undefined ? {} : { expires: timeAt(minute + ack.expires) };
    const given = { id, comment: "on it", notify_cleared: ack.notify, ...expires };
    await node.signalbox.api.acknowledgeAlertInvocation(given as never);
  }
}
