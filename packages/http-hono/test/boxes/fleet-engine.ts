import { createSignalbox, type SignalboxOptions } from "@signalbox/core";
import type { Plugin } from "@signalbox/core/plugin";
import { fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { nextEventOf } from "../../../core/src/testing/test-jobs.ts";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { createRouter } from "../../src/index.ts";
import { openStorage } from "../open-storage.ts";
import { type Answer, read } from "../start.ts";

/** An engine over a storage, with a clock that tests move, scripted satellites, and callers over HTTP. */
export async function openEngine(name: string, options: Partial<SignalboxOptions<readonly Plugin[]>> = {}) {
  const clock = fakeClock(1_800_000_000);
  const agent = scriptedAgent();
  const storage = options.storage ?? (await openStorage(name));
  const own = { storage, clock, agents: agent, secretKey: "a secret key for tests" };
  const plugins = [quickPasswords, quickKeys, ...(options.plugins ?? [])];
  const engine = createSignalbox({ ...own, ...options, plugins });
  const { administratorKey = options.administratorKey ?? "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const send = async (path: string, init: RequestInit): Promise<Answer> => read(await app.request(path, init));
  const as = (key: string) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    return {
      get: (path: string) => send(`/api/app/${path}`, { headers }),
      post: (operation: string, body: object) =>
        send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(body) }),
    };
  };
  const admin = as(administratorKey);
  return {
    ...{ admin, agent, clock, engine, send, key: administratorKey },
    next: nextEventOf(engine.events),
    /** A caller with some privileges, limited to some groups. */
    async limited(groups: readonly string[], privileges: Readonly<Record<string, boolean>>) {
      const { body } = await admin.post("create_api_key", { title: "Limited", privileges, groups });
      return as(body.plain_key);
    },
  };
}
