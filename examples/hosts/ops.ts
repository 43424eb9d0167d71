/** The engine that every host in this folder mounts: a module of yours that is loaded once. */
import { wsAgents } from "@signalbox/adapters/agents";
import { createSignalbox, type HostUser } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { createHandler } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";

const { OPS_DATABASE: filename = "ops.sqlite", OPS_SECRET_KEY: secretKey = "", OPS_ADMIN_KEY } = process.env;
export const satellites = wsAgents();
export const signalbox = createSignalbox({
  storage: sqliteStorage({ filename }),
  agents: satellites,
  secretKey,
  ...(OPS_ADMIN_KEY ? { administratorKey: OPS_ADMIN_KEY } : {}),
});
await signalbox.start();

// Stands for the sessions that your app already has.
const sessions = new Map<string, HostUser>([["s1", { id: "ann", name: "Ann Lee", privileges: ["create_tags"] }]]);
const userOf = ({ headers }: Request): HostUser | undefined =>
  sessions.get(/\bapp_session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1] ?? "");

/** Pages below the mount, `/ops`, and the API at `/ops/api`. */
export const ops = createDashboard(signalbox, { authorize: userOf });
/** Routes for satellites, at the root of the port that they connect to: `/api`, `/files`, `/health`. */
export const forSatellites = createHandler(signalbox);
export const port = Number(process.env["PORT"] ?? 5522);
