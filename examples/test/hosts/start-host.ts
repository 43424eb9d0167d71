import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchProgram } from "../program.ts";
import { ADMIN_KEY, type Host, SECRET_KEY } from "./checks.ts";

export interface StartedHost extends Host {
  stop(): Promise<void>;
}

/** Starts an example of `hosts/` on a free port, as its users do. */
export async function startHost(name: string): Promise<StartedHost> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-host-"));
  const program = launchProgram(`hosts/${name}`, {
    env: {
      PORT: "0",
      OPS_DATABASE: join(folder, "ops.sqlite"),
      OPS_SECRET_KEY: SECRET_KEY,
      OPS_ADMIN_KEY: ADMIN_KEY,
    },
  });
  const [, port] = await program.line(/^Listening .*port: (\d+)/);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await program.kill("SIGTERM");
      await rm(folder, { recursive: true });
    },
  };
}
