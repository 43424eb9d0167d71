import { memoryBlobStore } from "@signalbox/core";
import { createRouter } from "../../src/index.ts";
import { openStorage, STANDING } from "../open-storage.ts";
import { untilOf } from "../until.ts";
import { openEngine } from "./fleet-engine.ts";

export const KEY = "anAdministratorKeyForTests";
type Members = Readonly<Record<string, unknown>>;
export type Sent = Readonly<Record<string, string | File>>;

/** An engine with a server that runs jobs when told to, and callers that send files. */
export async function openFiles(name: string, config: Members = {}) {
  const blobs = memoryBlobStore({ clock: STANDING });
  const storage = await openStorage(name);
  const quiet = { job_universal_actions: { default: [], workflow: [] } };
  const at = await openEngine(name, { blobs, storage, administratorKey: KEY, config: { ...quiet, ...config } });
  const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const upload = (operation: string, fields: Sent, key = KEY) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    return at.send(`/api/app/${operation}`, { method: "POST", body: form, headers: { "x-api-key": key } });
  };
  const { body } = await at.admin.post("create_event", {
    ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
    ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  });
  const job = async (id: string) => (await at.admin.get(`get_job/v1?id=${id}`)).body.job;
  const until = untilOf(at.clock);
  const launched = (id: string): boolean =>
    server.received.some(({ cmd, data }) => cmd === "launch_job" && (data as { job: { id: string } }).job.id === id);
  return {
    ...at,
    ...{ app: createRouter(at.engine), blobs, event: body.event.id as string, job, launched, server, until, upload },
    /** The key of a caller with some privileges. */
    async person(...privileges: readonly string[]): Promise<string> {
      const granted = Object.fromEntries(privileges.map((id) => [id, true]));
      return (await at.admin.post("create_api_key", { title: "Person", privileges: granted })).body.plain_key;
    },
    /** Waits until no queued work is left. */
    settled: () => until(async () => (await storage.work.stats()).open === 0),
    get: (path: string, headers: Record<string, string> = {}) => at.send(path, { headers }),
    stored: () => blobs.list("", { limit: 100 }),
    /** Runs a job to its end; `files` are the files that its server reports. */
    async run(input: Members = {}, files: readonly Members[] = []): Promise<string> {
      const { id } = (await at.admin.post("run_event", { id: body.event.id, ...input })).body;
      await until(() => launched(id));
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, files } });
      await until(async () => (await job(id)).final === true);
      return id;
    },
  };
}

export const text = (name: string, content = "content") => new File([content], name);
