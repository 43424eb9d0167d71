import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import type { HostRecord } from "../../servers/model.ts";
import { quickSamplesOf } from "./facts.ts";
import type { ServerSubject } from "./server-snapshots.ts";

const failure = (reason: string): ActionOutcome => ({
  code: "snapshot",
  description: `Failed to take snapshot: ${reason}`,
});

/**
 * Takes a snapshot of the server of a job or alert (docs/contract/actions.md#types, docs/contract/alerts.md#running).
 */
export const snapshotAction: ActionType = {
  applies: ["job", "alert"],
  target: () => "",
  async run(run, cradle) {
    const subject = run.side === "job" ? await subjectOfJob(run, cradle) : await subjectOfAlert(run, cradle);
    if (typeof subject === "string") return failure(subject);
    if ("none" in subject) return { code: 0, description: subject.none };
    const { record } = subject;
    // The key makes this idempotent: a retry after a crash finds the snapshot of the first attempt.
    const origin = { source: run.side, key: run.idempotencyKey };
    const taken = await cradle.transact((unit) => cradle.snapshots.takeServer(unit, subject, origin));
    if ("fault" in taken) return failure(taken.fault);
    const { id } = taken;
    return {
      code: 0,
      description: `Took snapshot ${id} of server ${record.hostname}.`,
      details: detailsOf(id, record),
      loc: `#Snapshots?id=${id}`,
      resultId: id,
    };
  },
};

const detailsOf = (id: string, { id: server, hostname, date }: HostRecord): string =>
  [
    `- **Snapshot:** [${id}](#Snapshots?id=${id})`,
    `- **Server:** ${hostname} (${server})`,
    `- **Data of:** ${new Date(date * 1000).toISOString()}`,
  ].join("\n");

type Deps = Pick<Cradle, "monitors" | "servers" | "snapshot">;

/** Why there is nothing to take, in cases that are no error. */
interface Nothing {
  readonly none: string;
}

/** The server of a job must be connected. */
async function subjectOfJob({ action, data }: ActionRun, deps: Deps): Promise<ServerSubject | Nothing | string> {
  const { id: job, server: id } = membersOf(data["job"]);
  if (typeof id !== "string" || id === "") {
    const reason = "No server selected for job.";
    // Nobody asked for a universal action in this event: a job that is aborted in its line is no failure of it.
    return action["source"] === "universal" ? { none: `Took no snapshot: ${reason}` } : reason;
  }
  const server = deps.servers.anywhere(id);
  if (!server) return `Unknown or inactive server: ${id}`;
  const record = (await deps.snapshot((tx) => deps.servers.newestRecords(tx, [id]))).get(id);
  // A job may fail within the first minute of its server; that must not add another error to the job.
  if (!record) return { none: `Took no snapshot: server ${server.hostname} has not reported its first minute yet.` };
  const quick = (await quickSamplesOf(deps, [id])).get(id);
  return { groups: server.groups, record, quick, ...(typeof job === "string" ? { job } : {}) };
}

/** Uses the same minute as the alert's other actions, even if the server has gone since. */
async function subjectOfAlert({ data }: ActionRun, deps: Deps): Promise<ServerSubject | string> {
  const id = String(membersOf(data["alert"])["server"] ?? "");
  const record = data["params"];
  if (!isHostRecord(record)) return `No monitoring data for server: ${id}`;
  const server = await deps.snapshot((tx) => deps.servers.find(tx, id));
  const quick = (await quickSamplesOf(deps, [id])).get(id);
  return { groups: server?.groups ?? record.groups, record, quick };
}

const isHostRecord = (value: unknown): value is HostRecord =>
  isObject(value) && typeof value["id"] === "string" && typeof value["date"] === "number" && isObject(value["data"]);
