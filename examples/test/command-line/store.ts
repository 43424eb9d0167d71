import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, type Signalbox, silentLogger } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { type Outcome, runProgram } from "../program.ts";

export const SECRET = "theSecretKeyOfThisTest";

type Variables = Readonly<Record<string, string | undefined>>;

/** A data folder, as the variables of the server name it, and the commands run on it. */
export interface Store {
  readonly dataDir: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Runs `signalbox` to its end. */
  signalbox(args: readonly string[], env?: Variables): Promise<Outcome>;
  /** Works in an engine in this process that is opened only for calls. */
  within<T>(work: (engine: Pick<ReturnType<typeof engineOf>, "api">) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

const engineOf = (filename: string) =>
  createSignalbox({ storage: sqliteStorage({ filename }), secretKey: SECRET, log: silentLogger });

export async function makeStore(): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-command-"));
  const variables = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET };
  return {
    ...{ dataDir, variables },
    signalbox: (args, env = {}) => runProgram("signalbox.ts", { args, env: { ...variables, ...env } }),
    async within(work) {
      const engine: Pick<Signalbox, "open" | "stop"> & ReturnType<typeof engineOf> = engineOf(
        join(dataDir, "signalbox.sqlite"),
      );
      await engine.open();
      return work(engine).finally(() => engine.stop());
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
