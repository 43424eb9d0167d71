/** All commands. Their code is loaded on demand: `serve` replaces its process before the engine is loaded. */
import type { ParseArgsOptionDescriptor } from "node:util";
import type { Terminal } from "./output.ts";

export interface Given {
  readonly terminal: Terminal;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Option extends ParseArgsOptionDescriptor {
  /** The description shown in the help. */
  readonly says: string;
  /** Name of the value in the help, for options that take one. */
  readonly value?: string;
}

export interface Command {
  /** Words that name it. */
  readonly name: string;
  /** Words that follow it, in capitals; a word in brackets is optional. */
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
    name: "admin create",
    words: ["USER"],
    says: "Make an administrator who can sign in at once, in the store itself, for when nobody else can.",
    options: {
      reset: {
        type: "boolean",
        says: "give an account that is there a new password, and make it an active administrator again",
      },
      "password-stdin": {
        type: "boolean",
        says: "the password is the first line of standard input; a random one is shown without this",
      },
    },
    examples: ["signalbox admin create ann", "signalbox admin create admin --reset --password-stdin < password"],
    run: async (given) => (await import("./commands/accounts.ts")).createAdministrator(given),
  },
  {
    name: "user grant",
    words: ["USER", "PRIVILEGE"],
    says: "Give an account a privilege, and print those that it has then.",
    options: {},
    examples: ["signalbox user grant ann run_jobs"],
    run: async (given) => (await import("./commands/accounts.ts")).grant(given),
  },
  {
    name: "user revoke",
    words: ["USER", "PRIVILEGE"],
    says: "Take a privilege of its own from an account; those of its roles stay.",
    options: {},
    examples: ["signalbox user revoke ann admin"],
    run: async (given) => (await import("./commands/accounts.ts")).revoke(given),
  },
  {
    name: "db get",
    words: ["TABLE", "ID"],
    says: "Print one record of jobs, alerts, servers, snapshots or tickets as JSON.",
    options: {},
    examples: ["signalbox db get jobs jmabc123def", "signalbox db get tickets tm5x9k2 | jq .subject"],
    run: async (given) => (await import("./commands/records.ts")).getRecord(given),
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
    run: async (given) => (await import("./commands/records.ts")).searchRecords(given),
  },
  {
    name: "export",
    words: ["[FILE]"],
    says: "Write a backup (XYBK, gzip) to a file, or to standard output.",
    options: {
      lists: {
        type: "string",
        value: "NAMES",
        says: "kinds of definitions with commas between them, or all; without any of these three everything is written",
      },
      indexes: { type: "string", value: "NAMES", says: "tables, likewise" },
      extras: { type: "string", value: "NAMES", says: "files, logs and history, likewise" },
      force: { type: "boolean", says: "replace a file that is there" },
    },
    examples: ["signalbox export backup.txt.gz", "signalbox export --lists events,categories | gunzip"],
    run: async (given) => (await import("./commands/backups.ts")).exportData(given),
  },
  {
    name: "import",
    words: ["FILE"],
    says: "Take in a backup or a file of definitions in place of what is there, and print the report.",
    options: {
      yes: { type: "boolean", says: "do not ask; needed where no terminal is" },
      format: { type: "string", value: "NAME", says: "xyops, or cronicle; xyops without this" },
      danger: { type: "boolean", says: "leave jobs that run alone" },
    },
    examples: ["signalbox import backup.txt.gz --yes | jq -r .report"],
    run: async (given) => (await import("./commands/backups.ts")).importData(given),
  },
  {
    name: "migrate",
    words: [],
    says: "Make the tables of the database, or bring them to this release, and say which steps that took.",
    options: {},
    examples: ["signalbox migrate"],
    run: async (given) => (await import("./commands/installation.ts")).migrate(given),
  },
  {
    name: "version",
    words: [],
    says: "Print the version of Signalbox.",
    options: {},
    examples: ["signalbox version"],
    run: async (given) => (await import("./commands/installation.ts")).printVersion(given),
  },
];
