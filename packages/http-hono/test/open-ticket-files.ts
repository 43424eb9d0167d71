import { memoryBlobStore } from "@signalbox/core";
import { openEngine } from "./boxes/fleet-engine.ts";
import type { Answer } from "./start.ts";
import { untilOf } from "./until.ts";

export const KEY = "administrator0123456789abc";

export const TOKEN = "[\\w-]{43}";

export type Fields = Readonly<Record<string, string | File>>;

export async function open(name: string, config: Readonly<Record<string, unknown>> = {}) {
  const blobs = memoryBlobStore();
  const at = await openEngine(name, { administratorKey: KEY, blobs, config: { tz: "UTC", ...config } });
  await at.admin.post("create_category", { id: "rail", title: "Rail" });
  const form = (operation: string, fields: Fields, key = KEY): Promise<Answer> => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    return at.send(`/api/app/${operation}/v1`, { method: "POST", headers: { "x-api-key": key }, body });
  };
  return {
    ...at.admin,
    ...{ blobs, form, clock: at.clock, engine: at.engine, next: at.next },
    until: untilOf(at.clock),
    stored: () => blobs.list("files/", { limit: 100 }),
    file: (path: string) => at.send(`/${path}`, {}),
    async caller(privileges: Readonly<Record<string, boolean>>, categories: readonly string[] = []) {
      const { body } = await at.admin.post("create_api_key", { title: "Caller", privileges, categories });
      const { plain_key: key, api_key } = body;
      const headers = { "x-api-key": key as string, "content-type": "application/json" };
      return {
        id: api_key.id as string,
        form: (operation: string, fields: Fields) => form(operation, fields, key),
        post: (operation: string, sent: object) =>
          at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(sent) }),
      };
    },
    /** Creates a ticket with a form that contains these files. */
    async ticket(...files: File[]) {
      const fields = Object.fromEntries(files.map((file, index) => [`f${index}`, file]));
      return (await form("create_ticket", { subject: "Lamp", ...fields })).body.ticket;
    },
  };
}

export const text = (name: string, content = "hello", type = "text/plain"): File => new File([content], name, { type });
