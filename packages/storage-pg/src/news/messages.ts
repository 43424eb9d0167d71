import type { NodeMessage } from "@signalbox/core/storage";

/** PostgreSQL bounds the payload of a notification to less than 8000 bytes. */
const MAX_BYTES = 7900;

interface From {
  readonly node: string;
  /** The log of changes holds the message too: a node that reads the log takes it from there. */
  readonly logged?: true;
}

export type Notification =
  | (From & { readonly message: NodeMessage })
  /** A message was too long to send: receivers read their data again. */
  | (From & { readonly gap: true })
  /** Items were enqueued: for these nodes alone, or for every node. */
  | (From & { readonly work: true; readonly to?: readonly string[] });

export const channelOf = (schema: string): string => `signalbox_${schema}`.slice(0, 63);

export function encode(notification: Notification): string {
  const text = JSON.stringify(notification);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const { message: _long, ...rest } = notification as { readonly message?: unknown } & From;
  return JSON.stringify({ ...rest, gap: true } satisfies Notification);
}

/** A single object, by which connections recognise the prepared statement. */
export const NOTIFY = { sql: "select pg_notify($1, value) from json_array_elements_text($2::json)", kept: true };

export const notifyParameters = (channel: string, notifications: readonly Notification[]): string[] => [
  channel,
  JSON.stringify(notifications.map(encode)),
];

/** Parses a message; undefined for a foreign one: any client may notify on any channel. */
export function decode(text: string | undefined): Notification | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && "node" in value ? (value as Notification) : undefined;
  } catch {
    // Not JSON, hence not ours.
    return undefined;
  }
}
