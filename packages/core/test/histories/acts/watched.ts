import type { Crew } from "../crew.ts";
import { named } from "../names.ts";
import type { Node } from "../nodes.ts";
import { type Cell, GONE_SERVER, stateAt, type WatchedPlan } from "../plan.ts";

/** Expression of the alerts on each kind of subject. */
const EXPRESSIONS: Readonly<Record<WatchedPlan["kind"], string>> = {
  heartbeat: "beat.failed || beat.late_sec > 0",
  check: "check.down",
  event: "expect.failures_over > 0",
  presence: "presence.expected && presence.silent_sec > 60",
};

/** Address that a history's check requests. */
export const hostOf = (cell: number): string => `192.0.2.${cell + 1}`;
export const cellOfHost = (host: string): number => Number(host.split(".").at(-1)) - 1;

/** Defines subjects that are not servers, and servers that go away, with one alert each. */
export async function defineWatched(node: Node, cell: number, plans: readonly WatchedPlan[]): Promise<void> {
  const { api } = node.signalbox;
  const category = `c${cell}`;
  if (plans.length > 0) await api.createCategory({ id: category, title: category });
  for (const [at, { kind, alert }] of plans.entries()) {
    const id = named(cell, "w", at);
    const about = { id, title: id, category };
    if (kind === "heartbeat") await api.createHeartbeat({ ...about, every: 60, grace: 0 });
    if (kind === "check")
      await api.createCheck({ ...about, type: "tcp", host: hostOf(cell), port: 25, every: 60, retries: 0 });
    if (kind === "event")
      await api.createEvent({
        ...{ ...about, plugin: "shellplug", enabled: true, targets: [named(cell, "s", 0)], algo: "random" },
        ...{ params: { script: "false" }, triggers: [{ type: "manual", enabled: true }] },
        expect: { max_failures: 0, failures_per: 120, grace: 0 },
      } as never);
    const { isFamily, isChild, isOutage, ...rest } = alert;
    await api.createAlert({
      ...{ ...rest, ...about, subject: kind, expression: EXPRESSIONS[kind], message: "on", flap_window: 600 },
      ...(kind === "presence" ? { groups: [category] } : { categories: [category] }),
    } as never);
  }
}

/** Performs what the subjects of a history do at a minute. */
export async function watchedAct(
  crew: Crew,
  { cell, plan, minute }: { readonly cell: number; readonly plan: Cell; readonly minute: number },
): Promise<void> {
  for (const [at, watched] of plan.watched.entries()) {
    const [before, state] = [stateAt(watched, minute - 1), stateAt(watched, minute)];
    const id = named(cell, "w", at);
    if (watched.kind === "heartbeat" && state !== "silent") await ping(crew.leader(), id, state === "bad");
    if (watched.kind === "event") await fail(crew, { id, server: named(cell, "s", 0), isRun: state !== "well" });
    if (watched.kind !== "presence" || (before === "well") === (state === "well")) continue;
    const server = named(cell, "s", GONE_SERVER);
    if (state === "well") await crew.comeBack(server);
    else crew.leave(server);
  }
}

const ping = (node: Node, id: string, isBad: boolean): Promise<void> => {
  const { clock, heartbeats, transact } = node.cradle();
  const call = { kind: isBad ? "fail" : "success", date: clock.now(), ip: "192.0.2.200" } as const;
  return transact(({ tx }) => heartbeats.pings.note({ tx }, id, call));
};

/** The previous minute's job fails, and another one starts. */
async function fail(
  crew: Crew,
  { id: event, server, isRun }: { readonly id: string; readonly server: string; readonly isRun: boolean },
): Promise<void> {
  crew.end(server, 1);
  if (!isRun) return;
  const { id } = await crew.leader().signalbox.api.runEvent({ id: event });
  crew.runs(server, id, 1);
}
