import * as z from "zod";
import { isObject } from "../../../../lib/json/is-object.ts";
import { maskArguments } from "../../../../lib/secrecy/mask-arguments.ts";
import type { TextPieces } from "../../../../lib/text/text-pieces.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import type { HostRecord, Server } from "../../../servers/model.ts";
import { withCommands } from "../../../servers/rules/minutes/command-lines.ts";
import type { MinuteReadings } from "../readings/evaluate.ts";

const MAX_PROCESSES = 20_000;
const MAX_CONNECTIONS = 50_000;

type Data = Readonly<Record<string, unknown>>;

/** The members of an agent's minute message that are relied on (docs/contract/satellites.md#minute-message). */
export const MinuteMessage = looseObject(() => ({
  version: z.string().default("1.0"),
  /** Unix seconds by the agent's clock. */
  date: z.number(),
  // Any object; `z.record` would copy it member by member.
  data: z.custom<Record<string, unknown>>(isObject),
}));
export type MinuteMessage = z.infer<typeof MinuteMessage>;

/**
 * An agent's data, cut to the bounds (docs/contract/satellites.md#bounds), with secrets in command lines masked so that
 * they reach neither expressions nor the storage. Returns the same object when nothing had to change.
 */
export const acceptedData = (data: Data): Data => withCommands(boundData(data), maskArguments);

/** Drops the parts that exceed a bound, and marks that. */
function boundData(data: Data): Data {
  const processes = data["processes"];
  const list = isObject(processes) ? processes["list"] : undefined;
  const conns = data["conns"];
  const tooManyProcesses = Array.isArray(list) && list.length > MAX_PROCESSES;
  const tooManyConnections = Array.isArray(conns) && conns.length > MAX_CONNECTIONS;
  if (!tooManyProcesses && !tooManyConnections) return data;
  return {
    ...data,
    ...(tooManyProcesses ? { processes: { ...(processes as Data), list: list.slice(0, MAX_PROCESSES) } } : {}),
    ...(tooManyConnections ? { conns: conns.slice(0, MAX_CONNECTIONS) } : {}),
    truncated: true,
  };
}

export interface RecordInput {
  readonly server: Server;
  readonly message: MinuteMessage;
  /** The data after `acceptedData`. */
  readonly data: Data;
  /** Unix seconds, by this node's clock. */
  readonly date: number;
}

/**
 * The record of a server's minute (docs/contract/monitors.md#record-of-the-last-minute). It has no readings when
 * monitoring is disabled on the agent.
 */
export function hostRecord(
  { server, message, data, date }: RecordInput,
  readings?: Pick<MinuteReadings, "monitors" | "deltas" | "missing">,
): HostRecord {
  const { monitors = {}, deltas = {}, missing = [] } = readings ?? {};
  return {
    id: server.id,
    version: message.version,
    date,
    server: server.id,
    hostname: server.hostname,
    ip: server.ip,
    groups: [...server.groups],
    data: { ...data, monitors, deltas, missing: [...missing] },
  };
}

const [BEGIN, END] = ["{".charCodeAt(0), "}".charCodeAt(0)];
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * JSON of a record. `sent` is the JSON text that the data came from; with it only the members that we add are
 * serialised. They come last, so that they override members of the same name that the agent sent.
 */
export function recordText(record: HostRecord, sent: Uint8Array | undefined): TextPieces {
  if (sent === undefined) return [JSON.stringify(record)];
  const { data, ...members } = record;
  const { monitors, deltas, missing } = data;
  const head = JSON.stringify(members).slice(0, -1);
  const added = JSON.stringify({ monitors, deltas, missing }).slice(1);
  const open = sent.subarray(0, sent.lastIndexOf(END));
  // The object may be empty but for any amount of white space; then a comma would make the record unreadable.
  const separator = open.subarray(open.indexOf(BEGIN) + 1).every((byte) => BLANKS.has(byte)) ? "" : ",";
  return [`${head},"data":`, open, `${separator}${added}}`];
}
