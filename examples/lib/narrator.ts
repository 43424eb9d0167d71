import type { createSignalbox } from "@signalbox/core";
import type { StartReport } from "@signalbox/core/plugin";
import { prepareTour, tellTour } from "./alert-tour.ts";
import { tellJobs } from "./job-tour.ts";
import type { LoopReport } from "./loop-watch.ts";
import { prepareNotices, tellNotice } from "./notice-tour.ts";
import type { QuickStartSettings } from "./settings.ts";
import { type TicketStage, tellTicket, ticketAction } from "./ticket-tour.ts";
import { until } from "./until.ts";
import { tellWorkflow } from "./workflow-tour.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;

interface Stage {
  readonly url: string;
  readonly settings: QuickStartSettings;
  readonly report: StartReport;
  /** The body that arrived last at the host's own route, if any. */
  readonly hooks: readonly unknown[];
  /** Mails sent. */
  readonly mails: TicketStage["mails"];
  /** Ends the watch of the event loop, which began before Signalbox was created. */
  readonly loop: () => LoopReport;
  readonly deadlineMs: number;
}

const ALERT = "quick_start_memory";
const HOOK = "quick_start_hook";
const DIAGNOSE = "quick_start_diagnose";

const say = (text: string): void => console.log(text);
const megabytes = (bytes: unknown): string => `${Math.round(Number(bytes) / 1_048_576)} MB`;

/** Plays the scenario and prints its events; false when it did not finish in time. */
export async function narrate(signalbox: Box, stage: Stage): Promise<boolean> {
  const { url, settings, hooks, mails, deadlineMs } = stage;
  const fired = next(signalbox, "alert.fired", deadlineMs, ({ alert }) => alert === ALERT);
  const ended = next(signalbox, "job.completed", deadlineMs, ({ event }) => event === DIAGNOSE);
  const since = Math.floor(Date.now() / 1000);
  tellStart(stage);
  await prepare(signalbox, url);
  say("Waiting for the first reading; a start within the same minute as another one waits for the next.\n");

  const firing = await fired;
  const job = firing && (await ended);
  const arrived = job && (await until(() => hooks.length > 0, deadlineMs));
  if (firing) await tellReadings(signalbox);
  if (firing) await tellAlert(signalbox, firing.id);
  if (job) await tellJob(signalbox, job.id);
  if (arrived) say(`Web hook           arrived at ${url}/hooks/alert:\n    ${JSON.stringify(hooks.at(-1))}\n`);
  if (firing && arrived) {
    await tellNotice(signalbox, since);
    await tellTour(signalbox, { alert: ALERT, invocation: firing.id });
    const { administratorKey } = settings;
    await tellTicket(signalbox, { url, administratorKey, mails }, { invocation: firing.id, job: job.id });
    await tellJobs(signalbox);
    await tellWorkflow(signalbox);
  }
  tellLoop(stage.loop());
  if (!arrived) say("The scenario did not come to its end in time.");
  return Boolean(arrived);
}

function tellStart({ url, settings, report }: Stage): void {
  const { administratorKey, dataDir, keyFile } = settings;
  say(
    `Signalbox is up.\n  dashboard          ${url}/ops/\n  host page          ${url}/\n  API                ${url}/ops/api/app/get_monitors/v1`,
  );
  // Shown only when it is created; later starts say where it is kept.
  const isNew = report.administratorKey === administratorKey;
  say(`  administrator key  ${isNew ? administratorKey : `was shown at the first start; it is kept in ${keyFile}`}`);
  if (report.administratorPassword) say(`  user               admin, password ${report.administratorPassword}`);
  say(`  data               ${dataDir} (remove it to start over)\n`);
}

function tellLoop({ p99, longest, longestWork }: LoopReport): void {
  const [most, long, work] = [p99, longest, longestWork].map((ms) => `${ms.toFixed(1)} ms`);
  say(`Event loop         p99 ${most}, longest ${long}; the longest piece of work took ${work} of processor time`);
}

/** Creates the alert, the job it launches and the hook it sends; again on each start, so that the alert fires again. */
async function prepare(signalbox: Box, url: string): Promise<void> {
  const { api } = signalbox;
  for (const remove of [
    () => api.deleteAlert({ id: ALERT }),
    () => api.deleteWebHook({ id: HOOK }),
    () => api.deleteEvent({ id: DIAGNOSE }),
  ])
    await remove().catch((error: { code?: string }) => {
      if (!["alert", "web_hook", "event"].includes(error.code ?? "")) throw error;
    });
  await api.createWebHook({
    id: HOOK,
    title: "Tell the host app",
    url: `${url}/hooks/alert`,
    method: "POST",
    headers: [{ name: "Content-Type", value: "application/json" }],
    body: '{"text": "{{text}}", "server": "{{nice_server}}"}',
  });
  await api.createEvent({
    id: DIAGNOSE,
    title: "Look at the machine",
    enabled: true,
    category: "general",
    plugin: "shellplug",
    params: { script: '#!/bin/sh\necho "Diagnosis on $(uname -n), process $$"\nuptime || cat /proc/loadavg\n' },
    targets: ["main"],
    algo: "random",
    triggers: [{ type: "manual", enabled: true }],
  });
  await api.createAlert({
    id: ALERT,
    title: "Memory in use",
    expression: "monitors.mem_used > 64 * 1048576",
    message: "{{bytes(monitors.mem_used)}} of {{bytes(memory.total)}} are in use",
    actions: [
      { enabled: true, condition: "alert_new", type: "run_event", event_id: DIAGNOSE, target_server: true },
      { enabled: true, condition: "alert_new", type: "web_hook", web_hook: HOOK },
      ticketAction,
    ],
  });
  await prepareTour(signalbox, HOOK);
  await prepareNotices(signalbox);
}

async function tellReadings(signalbox: Box): Promise<void> {
  const { data } = await signalbox.api.getLatestMonitorData({ server: "local", sys: "hourly", limit: 1 });
  const monitors = (data as { data?: { monitors?: Record<string, unknown> } }).data?.monitors ?? {};
  say("Readings of this machine, stored just now:");
  say(`    load ${monitors["load_avg"]}, processes ${monitors["total_procs"]}, CPU ${await cpuNow(signalbox)} %`);
  say(`    memory used ${megabytes(monitors["mem_used"])}, available ${megabytes(monitors["mem_free"])}`);
  say(`    root file system ${monitors["disk_usage_root"]} % full\n`);
}

/** CPU usage is the difference of two readings, so the first sample of a start has none; this returns the last second's. */
async function cpuNow(signalbox: Box): Promise<string> {
  const read = async (): Promise<readonly Record<string, number>[]> => {
    const answer = await signalbox.api.getQuickmonData({ server: "local", shape: "samples" });
    return (answer as { servers: Record<string, Record<string, number>[]> }).servers["local"] ?? [];
  };
  await until(async () => (await read()).length > 1, 5000);
  return (await read()).at(-1)?.["_qm_cpu_usage"]?.toFixed(1) ?? "?";
}

async function tellAlert(signalbox: Box, id: string): Promise<void> {
  const { alerts } = await signalbox.api.getAlertInvocations({ ids: [id] });
  const [invocation] = alerts as { message?: string; server?: string }[];
  say(`Alert fired        "Memory in use" on ${invocation?.server}: ${invocation?.message}\n`);
}

async function tellJob(signalbox: Box, id: string): Promise<void> {
  const { job } = await signalbox.api.getJob({ id });
  const { code, elapsed, output } = job as { code?: unknown; elapsed?: number; output?: string };
  say(`Job finished       ${id} with code ${code} after ${Number(elapsed).toFixed(2)} s; its log:`);
  say(
    `${String(output ?? "")
      .trimEnd()
      .replace(/^/gm, "    ")}\n`,
  );
}

/** The next matching event, or undefined after the deadline. */
function next<T extends "alert.fired" | "job.completed">(
  signalbox: Box,
  type: T,
  deadlineMs: number,
  fits: (payload: { id: string; alert: string; event: string }) => boolean,
): Promise<{ id: string } | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), deadlineMs);
    const listen = (payload: unknown): void => {
      if (fits(payload as never)) finish(payload as { id: string });
    };
    const finish = (payload: { id: string } | undefined): void => {
      clearTimeout(timer);
      signalbox.events.off(type, listen);
      resolve(payload);
    };
    signalbox.events.on(type, listen);
  });
}
