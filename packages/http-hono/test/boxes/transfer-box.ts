import { gunzipSync } from "node:zlib";
import { memoryBlobStore } from "@signalbox/core";
import type { BlobStore } from "@signalbox/core/adapter";
import type { Storage } from "@signalbox/core/storage";
import { createRouter } from "../../src/index.ts";
import { openStorage } from "../open-storage.ts";
import { untilOf } from "../until.ts";
import { openEngine } from "./fleet-engine.ts";

export const KEY = "anAdministratorKeyForTests";
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any shape
export type Any = any;
type Cradle = {
  readonly registry: Any;
  readonly state: Any;
  readonly snapshot: <R>(work: (tx: Any) => Promise<R>) => Promise<R>;
  readonly internalJobs: {
    list(): readonly { id: string; title: string; stats: Any; details?: string }[];
    start(spec: object, work: () => Promise<void>): { readonly id: string };
  };
};

/** Collections that are not in backups: running work, data of this node or process, and keys. */
const OWN_TO_THE_STORE = new Set([
  ...["sessions", "transfer_tokens", "secret_canary", "active_jobs", "job_log_chunks", "job_timelines", "job_nodes"],
  ...["server_places", "password_recoveries", "ticket_mails", "deleted_servers", "activity_archives", "key_use"],
  "enrolment_tokens",
]);

/** An engine for exports and imports over HTTP, with access to its storage. */
export async function openBox(
  name: string,
  options: { secretKey?: string; presets?: boolean; storage?: Storage; blobs?: BlobStore; config?: object } = {},
) {
  const blobs = options.blobs ?? memoryBlobStore();
  const storage = options.storage ?? (await openStorage(name));
  const held: { cradle?: Cradle } = {};
  const at = await openEngine(name, {
    ...{ blobs, storage, administratorKey: KEY },
    ...(options.secretKey === undefined ? {} : { secretKey: options.secretKey }),
    config: {
      presets: options.presets ?? true,
      tz: "UTC",
      job_universal_actions: { default: [], workflow: [] },
      ...options.config,
    } as Any,
    plugins: [
      {
        id: "test.look",
        start: async (cradle) => {
          held.cradle = cradle as unknown as Cradle;
        },
      },
    ],
  });
  const cradle = held.cradle as Cradle;
  const app = createRouter(at.engine);
  const until = untilOf(at.clock);
  const headers = { "x-api-key": KEY };

  async function fetchExport(query: string, sent: Record<string, string> = headers) {
    const pending = app.request(`/api/app/admin_export_data/v1?${query}`, { headers: sent });
    const response = await pending;
    const bytes = await collect(at.clock, response);
    return { response, bytes };
  }

  async function importBytes(bytes: Uint8Array | string, members: Record<string, string> = {}, field = "file1") {
    const form = new FormData();
    form.set(field, new File([bytes as Any], "backup.txt.gz"));
    for (const [member, value] of Object.entries(members)) form.set(member, value);
    const answer = await at.send("/api/app/admin_import_data/v1", { method: "POST", body: form, headers });
    if (answer.body.id === undefined) return { answer, report: "" };
    await until(() => !cradle.internalJobs.list().some(({ id }) => id === answer.body.id));
    return { answer, report: await reportOf(answer.body.id) };
  }

  async function reportOf(id: string): Promise<string> {
    const { body } = await at.admin.get(`search_activity/v1?query=action:internal_job&limit=100`);
    const row = body.rows.find(({ job }: Any) => job?.id === id);
    return String(row?.job?.details ?? row?.job?.error ?? "");
  }

  return {
    ...at,
    ...{ app, blobs, cradle, fetchExport, importBytes, reportOf, storage, until },
    post: at.admin.post,
    text: async (query: string): Promise<string> => gunzipSync((await fetchExport(query)).bytes).toString(),
    dump: () => dump(cradle, blobs),
    /** Waits for the scheduler's first look, slow on a database: during an import it would find itself paused and record that. */
    untilScheduled: () => until(async () => (await dump(cradle, blobs)).records["event_states"]?.["*"] !== undefined),
  };
}

export type Box = Awaited<ReturnType<typeof openBox>>;

/** Advances the clock while the answer is read, because the writer's pauses use that clock. */
async function collect(clock: Box["clock"], response: Response): Promise<Buffer> {
  let done = false;
  const bytes = response.arrayBuffer().finally(() => {
    done = true;
  });
  bytes.catch(() => undefined);
  while (!done) {
    await clock.advance(0.001);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.from(await bytes);
}

/** Records by collection and id, without values that depend on the import itself. */
async function dump({ registry, snapshot }: Cradle, blobs: BlobStore) {
  const records: Record<string, Record<string, Any>> = {};
  for (const collection of registry.collections) {
    if (OWN_TO_THE_STORE.has(collection.name)) continue;
    const rows = await snapshot((tx) => tx.collection(collection).list());
    records[collection.name] = Object.fromEntries((rows as Any[]).map((row) => [row.id, row]));
  }
  const files: Record<string, string> = {};
  for (const key of await blobs.list("", { limit: 10_000 })) {
    if (key.startsWith("tmp/")) continue;
    const found = await blobs.get(key);
    const pieces: Uint8Array[] = [];
    for await (const piece of found?.content ?? []) pieces.push(piece);
    files[key] = Buffer.concat(pieces).toString("base64");
  }
  return { records, files };
}
