import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentTransport } from "@signalbox/core/adapter";
import { afterEach, beforeEach } from "vitest";
import { type LocalAgentOptions, localAgent } from "../../src/local-agent/index.ts";
import { type ConductorOptions, localConductor } from "../local-conductor.ts";

export let tempDir = "";

export let agent: AgentTransport | undefined;

/** Each test file must call this: hooks belong to the file that runs, while this module is loaded once for several. */
export function useShellAgent(): void {
  beforeEach(async () => {
    tempDir = await mkdtemp(join(tmpdir(), "signalbox-agent-"));
  });
  afterEach(async () => {
    await agent?.stop();
    await rm(tempDir, { recursive: true, force: true });
  });
}

export async function start(options: LocalAgentOptions = {}, conductorOptions: ConductorOptions = {}) {
  agent = localAgent({ tempDir, killTimeoutSec: 2, quickEverySec: 0, ...options });
  const conductor = localConductor(agent, conductorOptions);
  await conductor.start();
  await conductor.untilCommand("join");
  return conductor;
}

export const onLinux = process.platform === "linux";
