import { defineEvent, memoryBlobStore } from "@signalbox/core";
import { type AgentTransport, systemClock } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { type LocalAgentOptions, localAgent } from "../../src/local-agent/index.ts";
import { localConductor } from "../local-conductor.ts";

export const MODULE = new URL("../worker-functions.ts", import.meta.url);

export let agent: AgentTransport | undefined;

/** Starts an agent whose event `e1` is a function of the module. */
export async function start(name: string | undefined, options: LocalAgentOptions = {}, module: URL | string = MODULE) {
  const clock = fakeClock();
  const blobs = memoryBlobStore({ clock });
  const made = localAgent({ quickEverySec: 0, killTimeoutSec: 2, maxWorkers: 1, blobs, ...options });
  agent = made;
  onTestFinished(() => made.stop());
  const worker = name === undefined ? { module } : { module, export: name };
  const { run } = defineEvent({ id: "e1", title: "Work", worker });
  const here = defineEvent({ id: "e2", title: "Here", run: () => ({ here: true }) });
  const conductor = localConductor(made, { clock, functions: { e1: run, e2: here.run } });
  await conductor.start();
  await conductor.untilCommand("join");
  const launch = (job: Readonly<Record<string, unknown>> = {}, parts: Readonly<Record<string, unknown>> = {}) =>
    conductor.launch({ event: "e1", command: "[host-function]", plugin: "", ...job }, parts);
  /** Advances both clocks: the log buffer uses the test's clock, threads use the machine's. */
  const untilLog = async (text: string): Promise<void> => {
    while (!conductor.logOf().includes(text)) {
      await new Promise<void>((resolve) => void systemClock.after(2, resolve));
      await clock.advance(0.1);
    }
  };
  return { ...conductor, launch, clock, blobs, untilLog };
}
