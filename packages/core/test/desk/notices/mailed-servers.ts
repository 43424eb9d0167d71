import { hot, join } from "../../fleet/alert-setup.ts";
import { type Fleet, type FleetOptions, useFleets } from "../../fleet/fleet.ts";
import { keepingMailer } from "../../scripted/keeping-mailer.ts";

export const start = useFleets();

export const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };

export const servers = ["s1", "s2", "s3"];

export async function setUp(options: FleetOptions & { readonly route?: Record<string, unknown> } = {}) {
  const { mailer, sent } = keepingMailer();
  const { route, ...rest } = options;
  const fleet = await start({ config, mailer, ...rest });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ id: "all", title: "All", steps: [{ after: 0, to: ["ops"] }], ...route } as never);
  return { fleet, api, sent, subjects: () => sent.map(({ subject }) => subject) };
}

export type At = Awaited<ReturnType<typeof setUp>>;

export const joinAll = async (fleet: Fleet, ids: readonly string[]) => {
  const agents = [];
  for (const id of ids) agents.push(await join(fleet, id));
  return agents;
};

/** Plays a minute of all servers, whose samples arrive within it. */
export async function minute(
  fleet: Fleet,
  agents: readonly Awaited<ReturnType<typeof join>>[],
  temps: readonly number[],
) {
  await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
  for (const [at, agent] of agents.entries()) {
    const stored = fleet.next("server.minute");
    agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp: temps[at] } });
    await stored;
  }
  await fleet.settle();
}

export const explain = async (api: At["api"], invocation: string): Promise<string[]> =>
  (await api.explainNotice({ invocation, timezone: "UTC" })).rows
    .flatMap(({ history }) => history.flatMap(({ reason = [] }) => reason))
    .map((reason) => reason.replace(/\d\d:\d\d(:\d\d)?/g, "T"));
