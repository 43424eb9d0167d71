/** The calls to an engine while something fails, and afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { systemActor } from "@signalbox/core/plugin";
import type { FakeClock, ScriptedServer } from "@signalbox/core/testing";
import { attempt, type Kept, shown } from "./judgement.ts";
import type { Life } from "./life.ts";

const EVENT = {
  ...{ id: "nightly", title: "Nightly", enabled: true, category: "general", plugin: "shellplug", targets: ["main"] },
  ...{ algo: "random", params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  actions: [
    { enabled: true, condition: "start", type: "email", email: "ops@example.com" },
    { enabled: true, condition: "complete", type: "email", email: "ops@example.com" },
    { enabled: true, condition: "complete", type: "web_hook", web_hook: "told" },
  ],
};
const HOOK = { id: "told", title: "Told", enabled: true, url: "https://hooks.example.com/told", method: "POST" };
const ALERT = {
  ...{ id: "hot", title: "Hot", enabled: true, expression: "monitors.load_avg > 5", groups: [], monitor_id: "" },
  ...{ samples: 1, message: "Hot" },
  actions: [{ enabled: true, condition: "alert_new", type: "email", email: "ops@example.com" }],
};

const joinOnce = ({ agent }: Life): Promise<ScriptedServer> =>
  agent.connect({ hostname: "web01.example.internal", id: "s1", initial: { groups: ["main"] } });

const finish = (server: ScriptedServer | undefined, ids: readonly string[]): void => {
  if (server?.isOpen && ids.length > 0)
    server.send("jobs", Object.fromEntries(ids.map((id) => [id, { state: "complete", complete: true, code: 0 }])));
};

/** Uses a bit of everything while the fault strikes. */
export async function useAll(life: Life, kept: Kept, clock: FakeClock): Promise<ScriptedServer | undefined> {
  const { api, blobs, execute } = life.engine;
  const tried = <R>(what: string, call: () => Promise<R>): Promise<R | undefined> => attempt(kept, what, call);
  const connecting = joinOnce(life).catch(() => undefined);
  await clock.advance(2);
  const server = await Promise.race([connecting, sleep(50).then(() => undefined)]);
  const user = { username: "ann", full_name: "Ann", email: "ann@example.com", password: "long enough 1" };
  const input = { ...user, privileges: {} };
  await tried("admin_create_user", () => execute({ operation: "user/admin_create_user", actor: systemActor, input }));
  await tried("create_category", () => api.createCategory({ id: "rail", title: "Rail" } as never));
  await tried("create_web_hook", () => api.createWebHook(HOOK as never));
  await tried("create_event", () => api.createEvent(EVENT as never));
  await tried("create_alert", () => api.createAlert(ALERT as never));
  const launched = await tried("run_event", () => api.runEvent({ id: EVENT.id } as never));
  if (launched) kept.jobs.push(launched.id);
  await clock.advance(2);
  for (const subject of ["One", "Two"]) {
    const made = await tried("create_ticket", () =>
      api.createTicket({ subject, body: "some words", tags: [] } as never),
    );
    if (made) kept.tickets.push(made.ticket.id);
  }
  const [ticket = "none"] = kept.tickets;
  await Promise.all([
    tried("update_ticket", () => api.updateTicket({ id: ticket, body: "other words" } as never)),
    tried("add_ticket_change", () =>
      api.addTicketChange({ id: ticket, change: { type: "comment", body: "A comment" } } as never),
    ),
    tried("search_tickets", () => api.searchTickets({ query: "words" })),
    tried("search_jobs", () => api.searchJobs({ query: "*" })),
  ]);
  await tried("upload_files", async () => {
    const { sizeBytes } = await blobs.put("tmp/a/0-b", pieces());
    const upload = { field: "file1", filename: "b.txt", sizeBytes, key: "tmp/a/0-b" };
    await execute({ operation: "upload_files", actor: systemActor, uploads: [upload] });
    await blobs.list("files/", { limit: 10 });
  });
  if (launched && server?.isOpen) server.send("job_log", { id: launched.id, text: "line\n".repeat(200) });
  for (let minute = 0; minute < 2; minute++) {
    if (server?.isOpen) server.send("monitor", { version: "1.0", date: clock.now(), data: { load: [9, 9, 9] } });
    await clock.advance(60);
  }
  const stopped = await tried("run_event", () => api.runEvent({ id: EVENT.id } as never));
  if (stopped) {
    kept.jobs.push(stopped.id);
    await clock.advance(1);
    await tried("abort_job", () => api.abortJob({ id: stopped.id } as never));
  }
  finish(server, kept.jobs);
  await clock.advance(5);
  await tried("delete_category", () => api.deleteCategory({ id: "rail" } as never));
  return server;
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1000);
}

/** Everything must work again, and calls that the fault refused or lost are repeated. */
export async function goOn(
  life: Life,
  kept: Kept,
  { clock, server }: { clock: FakeClock; server?: ScriptedServer | undefined },
) {
  const { api } = life.engine;
  const must = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    await call().catch((error: unknown) => kept.problems.push(`afterwards, ${what}: ${shown(error)}`));
  };
  await clock.advance(30);
  if (life.engine.fault()) kept.problems.push("the outage has no end");
  if (life.told.length > 1) kept.problems.push(`told ${life.told.length} times`);
  let link = server;
  await must("join", async () => {
    if (!link?.isOpen) link = await joined(life, clock);
  });
  const hook = await api.getWebHook({ id: HOOK.id } as never).catch(() => undefined);
  if (!hook) await must("create_web_hook", () => api.createWebHook(HOOK as never));
  const exists = await api.getEvent({ id: EVENT.id }).catch(() => undefined);
  if (!exists) await must("create_event", () => api.createEvent(EVENT as never));
  await must("create_ticket", async () => {
    kept.tickets.push((await api.createTicket({ subject: "Three" } as never)).ticket.id);
  });
  await must("run_event", async () => void kept.jobs.push((await api.runEvent({ id: EVENT.id } as never)).id));
  await clock.advance(10);
  finish(link, kept.jobs);
  await clock.advance(130);
  for (const id of kept.jobs)
    await must(`the end of job ${id}`, async () => {
      const { job } = await api.getJob({ id });
      if (job["state"] !== "complete") throw new Error(`It is ${job["state"]}`);
    });
}

async function joined(life: Life, clock: FakeClock): Promise<ScriptedServer> {
  const connecting = joinOnce(life);
  connecting.catch(() => undefined);
  await clock.advance(2);
  return connecting;
}
