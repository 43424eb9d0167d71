import { memoryBlobStore } from "@signalbox/core";
import type { Answer } from "../start.ts";
import { untilOf } from "../until.ts";
import { openEngine } from "./fleet-engine.ts";

export const KEY = "administrator0123456789abc";
export type Fields = Readonly<Record<string, string | File>>;
type Options = NonNullable<Parameters<typeof openEngine>[1]>;

export const text = (name: string, content = "hello", type = "text/plain"): File => new File([content], name, { type });

/** An engine over a storage, with calls for buckets by an administrator and by others. */
export async function openBuckets(
  name: string,
  config: Readonly<Record<string, unknown>> = {},
  options: Partial<Options> = {},
) {
  const blobs = options.blobs ?? memoryBlobStore();
  const at = await openEngine(name, { administratorKey: KEY, blobs, config: { tz: "UTC", ...config }, ...options });
  const form = (fields: Fields, key = KEY): Promise<Answer> => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    return at.send("/api/app/upload_bucket_files/v1", { method: "POST", headers: { "x-api-key": key }, body });
  };
  const read = async (id: string) => (await at.admin.get(`get_bucket/v1?id=${id}`)).body;
  return {
    ...at.admin,
    ...{ blobs, form, read, agent: at.agent, clock: at.clock, engine: at.engine, next: at.next, send: at.send },
    until: untilOf(at.clock),
    /** Keys below the folder of all buckets. */
    stored: () => blobs.list("files/bucket/", { limit: 1000 }),
    file: (path: string, headers: Record<string, string> = {}, method = "GET") =>
      at.send(`/${path}`, { method, headers }),
    upload: (id: string, ...files: File[]) =>
      form({ id, ...Object.fromEntries(files.map((file, index) => [`f${index}`, file])) }),
    async caller(...privileges: string[]) {
      const given = Object.fromEntries(privileges.map((id) => [id, true]));
      const { body } = await at.admin.post("create_api_key", { title: "Caller", privileges: given });
      const headers = { "x-api-key": body.plain_key as string, "content-type": "application/json" };
      return {
        id: body.api_key.id as string,
        form: (fields: Fields) => form(fields, body.plain_key),
        get: (path: string) => at.send(`/api/app/${path}`, { headers }),
        post: (operation: string, sent: object) =>
          at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(sent) }),
      };
    },
  };
}

export const refusal = (description: unknown, code = "bucket") => ({ code, description });
