import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
/** Node arguments that type-check one file of a host with these flags, and write nothing. */
export const compilerArguments = (file: string, ...flags: readonly string[]): string[] => [
  compiler,
  ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"],
  ...[...flags, "--checkers", "1", "--ignoreConfig", file],
];

const DOORS = [
  ...[
    "adapters/agents",
    "adapters/blobs",
    "adapters/blobs/fs",
    "adapters/documents",
    "adapters/keys",
    "adapters/kysely",
    "adapters/log",
  ],
  ...["adapters/local-agent", "adapters/mail", "adapters/web-hook", "client", "core", "core/adapter", "core/plugin"],
  ...[
    "core/storage",
    "core/testing",
    "dashboard",
    "http-hono",
    "http-hono/mount",
    "http-hono/node",
    "storage-pg",
    "storage-sqlite",
  ],
];
/** A program that imports every entry point, and calls an operation. */
export const HOST = `${DOORS.map((door, at) => `import * as d${at} from "@signalbox/${door}";`).join("\n")}
import { createSignalbox, defineEvent } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
export const all = [${DOORS.map((_door, at) => `d${at}`).join(", ")}];
const events = [defineEvent({ id: "a", title: "A", run: () => 1 })];
export const signalbox = createSignalbox({ storage: sqliteStorage({ filename: "a" }), secretKey: "k", events });
export const { rows } = await signalbox.api.getTags();
`;
