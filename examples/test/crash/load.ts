import type { RunningServer } from "../program.ts";
import type { Kind, Ledger } from "./ledger.ts";

/** One client of a server that will be killed. */
export interface Writer {
  readonly server: RunningServer;
  readonly ledger: Ledger;
  readonly name: string;
}

export const LONG_JOB = "long_job";
const SHORT_JOB = "short_job";
/** Longer than the life of any server under load. */
export const LONG_JOB_SEC = 10;

/** Mixes writes until the server is killed; rejects when it refuses a request or ends by itself. */
export async function writeUntilKilled(writer: Writer): Promise<void> {
  try {
    for (let n = 0; ; n++) await writeRound(writer, n);
  } catch (error) {
    if (!(writer.server.wasKilled() && isBrokenConnection(error))) throw error;
  }
}

async function writeRound(writer: Writer, n: number): Promise<void> {
  const id = `${writer.name}_${n}`;
  const kind = n % 4 === 1 ? "event" : "tag";
  await change(writer, kind, id, { operation: `create_${kind}`, revision: 1 });
  await change(writer, kind, id, { operation: `update_${kind}`, revision: 2 });
  await change(writer, kind, id, { operation: `update_${kind}`, revision: 3 });
  if (n % 3 === 0) await remove(writer, kind, id);
  if (n % 4 === 2) await createKey(writer, id);
  if (n % 4 === 0) await launch(writer, writer.ledger.jobs.size % 2 === 0 ? LONG_JOB : SHORT_JOB);
}

const EVENT = {
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "#!/bin/sh\nexit 0\n" },
  targets: ["main"],
  algo: "random",
  triggers: [{ type: "manual", enabled: true }],
};

interface Change {
  readonly operation: string;
  readonly revision: number;
}

async function change({ server, ledger }: Writer, kind: Kind, id: string, { operation, revision }: Change) {
  const entries = ledger.entries[kind];
  const isNew = revision === 1;
  entries.set(id, { acknowledged: revision - 1, inFlight: isNew ? "create" : "update", deleted: false });
  const fresh = isNew ? { title: id, ...(kind === "event" ? EVENT : {}) } : {};
  await acknowledged(server, operation, { id, ...fresh, notes: `revision ${revision}` });
  entries.set(id, { acknowledged: revision, inFlight: undefined, deleted: false });
  ledger.acknowledgedWrites += 1;
}

async function remove({ server, ledger }: Writer, kind: Kind, id: string): Promise<void> {
  ledger.entries[kind].set(id, { acknowledged: 3, inFlight: "delete", deleted: false });
  await acknowledged(server, `delete_${kind}`, { id });
  ledger.entries[kind].set(id, { acknowledged: 3, inFlight: undefined, deleted: true });
  ledger.acknowledgedWrites += 1;
}

async function createKey({ server, ledger }: Writer, title: string): Promise<void> {
  ledger.keys.set(title, undefined);
  const answer = await acknowledged(server, "create_api_key", { title, privileges: { create_tags: true } });
  const { id } = answer["api_key"] as { id: string };
  ledger.keys.set(title, { id, plain: String(answer["plain_key"]) });
  ledger.acknowledgedWrites += 1;
}

async function launch({ server, ledger }: Writer, event: string): Promise<void> {
  const { id } = await acknowledged(server, "run_event", { id: event });
  ledger.jobs.set(String(id), undefined);
  ledger.acknowledgedWrites += 1;
}

/** Creates the two events whose jobs the load launches: one outlives its server, one ends at once. */
export async function defineJobs(server: RunningServer): Promise<void> {
  for (const [id, script] of [
    [LONG_JOB, `#!/bin/sh\necho started\nsleep ${LONG_JOB_SEC}\n`],
    [SHORT_JOB, "#!/bin/sh\necho done\n"],
  ])
    await acknowledged(server, "create_event", { ...EVENT, id, title: id, params: { script } });
}

/** Throws on any answer but success, which is a fault of the server: all requests are valid. */
async function acknowledged(server: RunningServer, operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await server.call(operation, body);
  if (answer["code"] !== 0) throw new Error(`${operation} was refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** True for the errors of `fetch` about a connection that was refused, reset or cut short. */
const isBrokenConnection = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
