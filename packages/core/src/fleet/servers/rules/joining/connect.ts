import type { Group } from "../../../../directory/groups/model.ts";
import { groupsOf, type PatternTest } from "../../../../directory/groups/rules/membership.ts";
import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import { isSurelyLonger } from "../../../../lib/json/json-size.ts";
import type { Server } from "../../model.ts";
import { type Hello, type Initial, initialMembers } from "./hello.ts";

type Info = Record<string, unknown>;

export interface Arrival {
  readonly id: string;
  /** Normalised hostname. */
  readonly hostname: string;
  readonly ip: string;
  /** Id of the connection. */
  readonly socketId: string;
  readonly hello: Hello;
  /** Unix seconds. */
  readonly now: number;
}

export interface Grouping {
  readonly groups: readonly Group[];
  readonly test: PatternTest;
}

/**
 * The record of a server that connects (docs/contract/servers.md#arrival): stored members are kept, facts about the
 * machine are replaced.
 */
export function connectServer(stored: Server | undefined, arrival: Arrival, grouping: Grouping): Server {
  const { id, hostname, ip, socketId: socket_id, now } = arrival;
  const base = stored ?? newServer(arrival, grouping.groups);
  const info = completeInfo(arrival.hello.info);
  const server = { ...base, id, hostname, ip, socket_id, info, modified: now };
  return withGroups(server, grouping);
}

/** The server with its groups computed again, and with the search words that depend on them. */
export function withGroups(server: Server, { groups, test }: Grouping): Server {
  const grouped = { ...server, ...groupsOf(server, groups, test) };
  return { ...grouped, keywords: keywordsOf(grouped) };
}

function newServer({ id, hostname, ip, hello, now }: Arrival, groups: readonly Group[]): Server {
  const { groups: wanted = [], ...initial }: Initial = initialMembers(hello);
  const known = new Set(groups.map((group) => group.id));
  const manual = wanted.filter((group) => known.has(group));
  return {
    enabled: true,
    ...initial,
    id,
    hostname,
    ip,
    groups: manual,
    autoGroup: manual.length === 0,
    created: now,
    modified: now,
    revision: 1,
    info: {},
  };
}

const PARTS = ["os", "memory", "cpu", "virt", "features", "monitors", "deltas"] as const;

function completeInfo(info: Info): Info {
  const complete: Info = { ...info };
  for (const part of PARTS) if (!isObject(complete[part])) complete[part] = {};
  complete["cpu"] = withCombo(membersOf(complete["cpu"]));
  return complete;
}

/** Adds manufacturer and brand as one text. */
export function withCombo(cpu: Info): Info {
  const { manufacturer, vendor, brand } = cpu;
  const maker = isNamed(manufacturer) ? manufacturer : isNamed(vendor) ? vendor : "Unknown";
  return { ...cpu, combo: `${maker} ${typeof brand === "string" ? brand : ""}`.trim() };
}

const isNamed = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value !== "-" && value.toLowerCase() !== "unknown";

/** Members of the minute data that are copied to `info` (docs/contract/monitors.md#afterwards). */
export const REFRESHED = ["memory", "process", "monitors", "deltas", "cpu"] as const;
/**
 * Most characters of one of them: everyone reads lists of servers, and one machine must not make them megabytes long.
 */
const MAX_PART = 262_144;

/** Copies the refreshed members. One that is not an object, or too large, keeps its previous value. */
export function refreshInfo(info: Info, data: Info): Info {
  const fresh: Info = { ...info };
  for (const part of REFRESHED) {
    const value = data[part];
    if (isObject(value) && !isSurelyLonger(value, MAX_PART)) fresh[part] = part === "cpu" ? withCombo(value) : value;
  }
  return fresh;
}

/** Comma-separated words for searches; a missing fact becomes "unknown". */
export function keywordsOf({ hostname, ip, groups, info, title }: Server): string {
  const [os, cpu, virt] = [membersOf(info["os"]), membersOf(info["cpu"]), membersOf(info["virt"])];
  const facts = [
    os["platform"],
    os["distro"],
    os["release"],
    os["arch"],
    cpu["manufacturer"],
    cpu["brand"],
    virt["vendor"],
    virt["type"],
    virt["location"],
    title,
  ];
  const words = facts.map((fact) => (typeof fact === "string" && fact !== "" ? fact : "unknown"));
  return [hostname, ip, ...groups, ...words].join(",");
}

/** Sentences for the activity log about what changed since a known server last connected. */
export function changesOf(stored: Server | undefined, arrival: Arrival): string[] {
  if (!stored) return [];
  const changes: string[] = [];
  if (stored.hostname !== arrival.hostname)
    changes.push(`Server hostname has changed: ${stored.hostname} to: ${arrival.hostname}`);
  if (stored.ip !== arrival.ip) changes.push(`Server IP address has changed: ${stored.ip} to: ${arrival.ip}`);
  return changes;
}
