import type { AgentTransport } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { type LocalAgentOptions, localAgent } from "../../src/local-agent/index.ts";
import { type ConductorOptions, localConductor } from "../local-conductor.ts";

export let agent: AgentTransport | undefined;

/** Starts an agent 30.5 s before a full minute. */
export async function start(options: LocalAgentOptions = {}, conductorOptions: ConductorOptions = {}) {
  const clock = fakeClock(1_799_999_969.5);
  const made = localAgent({ hostname: "web01.example.internal", ...options });
  agent = made;
  onTestFinished(() => made.stop());
  const conductor = localConductor(made, { clock, ...conductorOptions });
  await conductor.start();
  return { ...conductor, clock };
}
