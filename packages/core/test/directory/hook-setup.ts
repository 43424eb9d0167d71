import type { CreateWebHook } from "../../src/directory/web-hooks/model.ts";
import type { ConfigInput } from "../../src/engine/config.ts";
import { cradleProbe, recordingLogger, startEngine } from "../engine.ts";
import { type Step, scriptedClient } from "../scripted/scripted-client.ts";

export interface HookSetup {
  readonly hook?: Partial<CreateWebHook>;
  readonly steps?: readonly Step[];
  readonly config?: ConfigInput;
}

/** An engine with the web hook "ops" and a client that answers from a script. */
export async function setUpHook({ hook = {}, steps = [{}], config = {} }: HookSetup = {}) {
  const client = scriptedClient(...steps);
  const probe = cradleProbe();
  const log = recordingLogger();
  const engine = await startEngine({ webHooks: client, plugins: [probe.plugin], config, log });
  await engine.api.createWebHook({
    id: "ops",
    title: "Ops",
    url: "https://example.com/a",
    method: "POST",
    ...hook,
  } as never);
  return {
    engine,
    client,
    log,
    sender: probe.cradle().webHooks,
    storage: probe.cradle().storage,
    clock: engine.clock,
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}
