/** Two sides of one installation: records that limited keys may reach, and foreign ones with a marker. */
import { type SocketSatellite, socketSatellite } from "@signalbox/core/testing";
import { jsonCall } from "../server/http.ts";
import { SECRET_KEY } from "../server/start.ts";
import type { Stage } from "../stage/attack.ts";

export const MARKS = {
  /** Marks a ticket, foreign only to callers limited to categories: tickets have no servers. */
  ticket: "MARKTICKET4711",
  /** Marks records of a foreign category on a foreign server. */
  work: "MARKWORK4711",
  /** Id of a foreign server. */
  server: "marksrv4711",
} as const;

export interface Site {
  readonly foreign: { readonly job: string; readonly ticket: string };
  /** Number of jobs of an event so far. */
  jobsOf(event: string): Promise<number>;
  /** Number of jobs that reached the foreign server so far. */
  launchedThere(): number;
  /** Restores all records that a key with other limits could legitimately change. */
  restore(): Promise<void>;
  close(): void;
}

const event = (id: string, category: string, more: object) => ({
  id,
  title: "Of a side",
  enabled: true,
  category,
  plugin: "atk_plugin",
  params: {},
  algo: "random",
  triggers: [{ type: "manual", enabled: true }],
  limits: [],
  actions: [],
  ...more,
});

export async function buildSite(stage: Stage): Promise<Site> {
  const { api } = stage;
  for (const side of ["own", "foreign"]) {
    await api("create_category", { id: `${side}_category`, title: "Of a side", enabled: true });
    await api("create_group", {
      id: `${side}_group`,
      title: "Of a side",
      hostname_match: side === "own" ? "^own" : "^marksrv",
    });
  }
  const own = await join(stage, "srv_own", "own.invalid");
  const foreign = await join(stage, "srv_foreign", `${MARKS.server}.invalid`);
  const started = answerLaunches(own, []);
  const there: string[] = [];
  answerLaunches(foreign, there);
  const ownEvent = event("own_event", "own_category", { targets: ["srv_own"] });
  await api("create_event", ownEvent);
  await api("create_event", event("foreign_event", "foreign_category", { ...marked, targets: ["srv_foreign"] }));
  const { id: job } = await api("run_event", { id: "foreign_event" });
  await api("run_event", { id: "own_event" });
  const { ticket } = (await api("create_ticket", {
    subject: MARKS.ticket,
    body: MARKS.ticket,
    type: "issue",
    status: "open",
    category: "foreign_category",
  })) as { ticket: { id: string } };
  const restore = async (): Promise<void> => {
    await api("update_server", { id: "srv_foreign", title: MARKS.server, groups: ["foreign_group"] });
    await api("update_server", { id: "srv_own", groups: ["own_group"] });
    await stage.http.ask(jsonCall("create_event", ownEvent, stage.callers.admin));
    await api("update_event", ownEvent);
    await api("update_category", { id: "own_category", actions: [] });
    await api("update_ticket", { id: ticket.id, category: "foreign_category" });
    await stage.http.ask(jsonCall("delete_alert", { id: "try_alert" }, stage.callers.admin));
    for (const id of ["try_1", "try_2", "try_3"])
      await stage.http.ask(jsonCall("delete_event", { id }, stage.callers.admin));
  };
  await restore();
  await settled(stage, String(job));
  return {
    foreign: { job: String(job), ticket: ticket.id },
    async jobsOf(id) {
      const active = (await api("get_active_jobs", { event: id, limit: 1 })) as { list: { length: number } };
      const over = (await api("search_jobs", { query: `event:${id}`, limit: 1 })) as { list: { length: number } };
      return active.list.length + over.list.length;
    },
    launchedThere: () => there.length,
    restore,
    close() {
      for (const satellite of [own, foreign, started]) satellite.close();
    },
  };
}

const marked = { title: MARKS.work, notes: MARKS.work, params: { word: MARKS.work } };

function join({ server }: Stage, id: string, hostname: string): Promise<SocketSatellite> {
  return socketSatellite({ url: `ws://127.0.0.1:${server.port}/`, hostname, id, join: { serverKey: SECRET_KEY } });
}

/** Every job of the foreign event writes its marker into the log and ends at once. */
function answerLaunches(satellite: SocketSatellite, launched: string[]): SocketSatellite {
  const next = (): void => {
    satellite.next("launch_job").then(
      ({ data }) => {
        const { id, event: of } = (data as { job: { id: string; event: string } }).job;
        const word = of === "foreign_event" ? MARKS.work : "nothing";
        launched.push(id);
        satellite.send("job_log", { id, text: `${word}\n` });
        satellite.send("jobs", { [id]: { id, state: "complete", complete: true, code: 0, data: { word } } });
        next();
      },
      // The connection has ended, so there is nothing left to do.
      () => undefined,
    );
  };
  next();
  return satellite;
}

async function settled({ api }: Stage, id: string): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    const { job } = (await api("get_job", { id })) as { job: { final?: boolean; completed?: number } };
    if (job.completed !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The marked job does not end");
}
