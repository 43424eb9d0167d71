import type { SqlSession } from "@signalbox/adapters/kysely";
import type { NodeMessage } from "@signalbox/core/storage";

/** PostgreSQL takes less than 8000 bytes. */
const MAX_BYTES = 7900;

export type Notification =
  | { readonly node: string; readonly message: NodeMessage }
  /** A message was too long to be sent: receivers read their data anew. */
  | { readonly node: string; readonly gap: true }
  /** Items were enqueued. */
  | { readonly node: string; readonly work: true };

export const channelOf = (schema: string): string => `signalbox_${schema}`.slice(0, 63);

function encode(notification: Notification): string {
  const text = JSON.stringify(notification);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  return JSON.stringify({ node: notification.node, gap: true } satisfies Notification);
}

const NOTIFY = { sql: "select pg_notify($1, value) from json_array_elements_text($2::json)", kept: true };

const parametersOf = (channel: string, notifications: readonly Notification[]): string[] => [
  channel,
  JSON.stringify(notifications.map(encode)),
];

/** Statement and parameters that send. */
export const notification = (channel: string, notifications: readonly Notification[]): [string, string[]] => [
  NOTIFY.sql,
  parametersOf(channel, notifications),
];

/** Sends with the commit of the running transaction. */
export async function notify(
  session: SqlSession,
  channel: string,
  notifications: readonly Notification[],
): Promise<void> {
  await session.run(NOTIFY, parametersOf(channel, notifications));
}

/** Undefined for a message that is none of ours: anybody may notify on any channel. */
export function decode(text: string | undefined): Notification | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && "node" in value ? (value as Notification) : undefined;
  } catch {
    // Not JSON, hence not ours.
    return undefined;
  }
}
