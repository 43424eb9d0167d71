import type { createSignalbox } from "@signalbox/core";
import { until } from "./until.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;

const QUIET_ALERT = "quick_start_processes";
const SILENCE = "quick_start_silence";

const say = (text: string): void => console.log(text);
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);

/** Sets up an alert that is sure to fire, and a silence over its tag that keeps it quiet for an hour. */
export async function prepareTour({ api }: Box, hook: string): Promise<void> {
  for (const remove of [() => api.deleteAlert({ id: QUIET_ALERT }), () => api.deleteSilence({ id: SILENCE })])
    await remove().catch((error: { code?: string }) => {
      if (!["alert", "silence"].includes(error.code ?? "")) throw error;
    });
  await api.createSilence({
    id: SILENCE,
    title: "Nobody wants to hear of processes",
    tags: ["processes"],
    end: Math.floor(Date.now() / 1000) + 3600,
  });
  await api.createAlert({
    id: QUIET_ALERT,
    title: "Processes are running",
    expression: "monitors.total_procs > 0",
    message: "{{monitors.total_procs}} processes are running",
    tags: ["processes"],
    actions: [{ enabled: true, condition: "alert_new", type: "web_hook", web_hook: hook }],
  });
}

/** Shows groups, a silenced alert, an acknowledged alert, and a back-test of the latter. */
export async function tellTour(signalbox: Box, { alert, invocation }: { alert: string; invocation: string }) {
  await tellGroups(signalbox);
  await tellSilence(signalbox);
  await tellAcknowledgement(signalbox, invocation);
  await tellBacktest(signalbox, alert);
}

async function tellGroups({ api }: Box): Promise<void> {
  const { rows: groups } = await api.getGroups();
  const { rows: servers } = await api.getActiveServers();
  for (const { id, title } of groups) {
    const members = servers.filter(({ groups: own }) => own.includes(id)).map(({ hostname }) => hostname);
    say(`Group              "${title}" has ${members.length} connected server(s): ${members.join(", ") || "none"}`);
  }
}

async function tellSilence({ api }: Box): Promise<void> {
  const newest = async () => (await api.searchAlerts({ query: `alert:${QUIET_ALERT}` })).rows[0];
  await until(async () => (await newest())?.suppressed !== undefined, 5000);
  const [suppressed] = (await newest())?.suppressed ?? [];
  say(
    `Alert silenced     "Processes are running" fired, nothing was sent: ${suppressed?.by.kind} "${suppressed?.by.title}"`,
  );
  const { rows } = await api.explainAlert({ alert: QUIET_ALERT, server: "local" });
  say(`    why?           ${rows[0]?.reason}`);
}

async function tellAcknowledgement({ api }: Box, id: string): Promise<void> {
  const { alert } = await api.acknowledgeAlertInvocation({ id, comment: "That is this very program" });
  const { username, comment } = alert.acknowledged ?? { username: "nobody", comment: "" };
  say(`Alert acknowledged ${username} says "${comment}": nothing more is sent for it`);
}

async function tellBacktest({ api }: Box, alert: string): Promise<void> {
  const { invocations, points } = await api.backtestAlert({
    alert,
    server: "local",
    message: "{{bytes(monitors.mem_used)}} in use",
  });
  say(`Back-test          over ${points} stored minute(s) the alert would have fired ${invocations.length} time(s):`);
  for (const { fired, cleared, message } of invocations)
    say(`    ${time(fired)} UTC   ${message}, ${cleared === undefined ? "still active" : `over at ${time(cleared)}`}`);
  say("");
}
