import { anonymous, localClient } from "../../src/kernel/calls/context.ts";
import type { StreamResult } from "../../src/kernel/calls/operation.ts";
import { sha256Hex } from "../../src/lib/secrecy/hash.ts";
import { startJobs } from "../../src/testing/test-jobs.ts";
import { keyWith, recordingLogger } from "../engine.ts";
import { type Step, scriptedClient } from "../scripted/scripted-client.ts";

export type Members = Record<string, unknown>;

export const KEY = "EXAMPLE_CLUSTER_KEY";

export const BAD_URL = { code: "satellite", description: "Invalid satellite API URL." };

export async function setUp(config: Members = {}, ...steps: readonly Step[]) {
  const log = recordingLogger();
  const client = scriptedClient(...steps);
  const jobs = await startJobs({ log, config, webHooks: client });
  const { api, as, execute } = jobs.signalbox;
  const adder = as(keyWith(["add_servers"]));
  const { plain_key: key } = await api.createApiKey({ title: "Adder", privileges: { add_servers: true } });
  const open = (pathSuffix: string, input: Members, baseUrl = "https://ops.example.com") =>
    execute({
      operation: "satellite",
      input,
      actor: anonymous,
      client: { ...localClient, pathSuffix, baseUrl, method: "GET" },
    }) as Promise<StreamResult>;
  return {
    ...jobs,
    adder,
    api,
    client,
    key,
    log,
    open,
    text: async (path: string, input: Members, baseUrl?: string) => {
      const { body = [] } = await open(path, input, baseUrl);
      return Buffer.concat(await Array.fromAsync(body)).toString();
    },
    put: async (key: string, text = "package") =>
      jobs.blobs.put(
        key,
        (async function* () {
          yield Buffer.from(text);
        })(),
      ),
  };
}

export const serverToken = (id: string): string => sha256Hex(id + KEY);
