import type { HostFunction } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { type LocalAgentOptions, localAgent } from "../../src/local-agent/index.ts";
import { localConductor } from "../local-conductor.ts";

export async function start(functions: Readonly<Record<string, HostFunction>>, options: LocalAgentOptions = {}) {
  const clock = fakeClock();
  const agent = localAgent({ quickEverySec: 0, killTimeoutSec: 2, ...options });
  onTestFinished(() => agent.stop());
  const conductor = localConductor(agent, { clock, functions });
  await conductor.start();
  await conductor.untilCommand("join");
  const launch = (job: Readonly<Record<string, unknown>> = {}, parts: Readonly<Record<string, unknown>> = {}) =>
    conductor.launch({ event: "e1", command: "[host-function]", plugin: "", ...job }, parts);
  return { ...conductor, launch, clock };
}
