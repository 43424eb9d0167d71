/** All commands. Their work is loaded when it is asked for: `serve` replaces its process before the engine is loaded. */
import type { ParseArgsOptionDescriptor } from "node:util";

export interface Given {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Option extends ParseArgsOptionDescriptor {
  /** The line of the help. */
  readonly says: string;
  /** Name of the value in the help, of options that take one. */
  readonly value?: string;
}

export interface Command {
  /** Words that name it. */
  readonly name: string;
  /** Words behind it, in capitals; one in brackets may be left out. */
  readonly words: readonly string[];
  readonly says: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  run(given: Given): Promise<void>;
}

export const COMMANDS: readonly Command[] = [
  {
    name: "serve",
    words: [],
    says: "Start the server; variables of the environment configure it.",
    options: {},
    examples: ["SIGNALBOX_SECRET_KEY_FILE=key SIGNALBOX_DATA_DIR=/var/lib/signalbox signalbox serve"],
    run: async () => void (await import("../../standalone.ts")),
  },
  {
    name: "db get",
    words: ["TABLE", "ID"],
    says: "Print one record of jobs, alerts, servers, snapshots or tickets as JSON.",
    options: {},
    examples: ["signalbox db get jobs jmabc123def", "signalbox db get tickets tm5x9k2 | jq .subject"],
    run: async (given) => (await import("./records.ts")).getRecord(given),
  },
  {
    name: "db search",
    words: ["TABLE", "[QUERY]"],
    says: "Print what a query finds in jobs, alerts, servers, snapshots, activity or tickets, newest first, one line of JSON each.",
    options: {
      limit: { type: "string", value: "NUMBER", says: "most records to print, all for the word all; 50 without this" },
      select: { type: "string", value: "NAMES", says: "members to print, with commas between them; paths have dots" },
    },
    examples: [
      "signalbox db search jobs 'event:backup code:error' --select id,completed,description",
      "signalbox db search activity --limit all > activity.ndjson",
    ],
    run: async (given) => (await import("./records.ts")).searchRecords(given),
  },
  {
    name: "migrate",
    words: [],
    says: "Make the tables of the database, or bring them to this release, and say which steps that took.",
    options: {},
    examples: ["signalbox migrate"],
    run: async () => (await import("./installation.ts")).migrate(),
  },
  {
    name: "version",
    words: [],
    says: "Print the version of Signalbox.",
    options: {},
    examples: ["signalbox version"],
    run: async () => (await import("./installation.ts")).printVersion(),
  },
];
