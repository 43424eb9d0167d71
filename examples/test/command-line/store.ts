import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { createSignalbox, type Signalbox, silentLogger } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { runCommandLine } from "../../lib/command-line/command-line.ts";
import { type Outcome, runProgram } from "../program.ts";

export const SECRET = "theSecretKeyOfThisTest";

type Variables = Readonly<Record<string, string | undefined>>;

/** A data folder, as the variables of the server name it, and the commands run on it. */
export interface Store {
  readonly dataDir: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Runs `signalbox` to its end in a process of its own, which takes ten times as long. */
  program(args: readonly string[], env?: Variables): Promise<Outcome>;
  /** Runs a command to its end in this process, without a standard input. */
  signalbox(args: readonly string[], env?: Variables): Promise<Outcome>;
  /** Works in an engine in this process that is opened only for calls, or started. */
  within<T>(work: (engine: Pick<ReturnType<typeof engineOf>, "api">) => Promise<T>, how?: "open" | "start"): Promise<T>;
  remove(): Promise<void>;
}

const engineOf = (filename: string) =>
  createSignalbox({ storage: sqliteStorage({ filename }), secretKey: SECRET, log: silentLogger });

async function runHere(args: readonly string[], env: Variables): Promise<Outcome> {
  const said = { stdout: "", stderr: "" };
  const streamOf = (name: keyof typeof said): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += String(chunk);
        done();
      },
    });
  const terminal = { env, stdin: Readable.from([]), stdout: streamOf("stdout"), stderr: streamOf("stderr") };
  return { code: await runCommandLine(args, terminal), ...said };
}

export async function makeStore(): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-command-"));
  const variables = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET };
  return {
    dataDir,
    variables,
    program: (args, env = {}) => runProgram("signalbox.ts", { args, env: { ...variables, ...env } }),
    signalbox: (args, env = {}) => runHere(args, { ...variables, ...env }),
    async within(work, how = "open") {
      const engine: Pick<Signalbox, "open" | "start" | "stop"> & ReturnType<typeof engineOf> = engineOf(
        join(dataDir, "signalbox.sqlite"),
      );
      await engine[how]();
      return work(engine).finally(() => engine.stop());
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
