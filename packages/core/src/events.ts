import type { ActivityEvents } from "./domains/activity/events.ts";
import type { AlertEvents } from "./domains/alerts/events.ts";
import type { ApiKeyEvents } from "./domains/api-keys/events.ts";
import type { AuthEvents } from "./domains/auth/events.ts";
import type { CategoryEvents } from "./domains/categories/events.ts";
import type { ChannelEvents } from "./domains/channels/events.ts";
import type { EventEvents } from "./domains/events/events.ts";
import type { GroupEvents } from "./domains/groups/events.ts";
import type { JobEvents } from "./domains/jobs/events.ts";
import type { MailEvents } from "./domains/mail/events.ts";
import type { MonitorEvents } from "./domains/monitors/events.ts";
import type { PluginEvents } from "./domains/plugins/events.ts";
import type { RoleEvents } from "./domains/roles/events.ts";
import type { SecretEvents } from "./domains/secrets/events.ts";
import type { ServerEvents } from "./domains/servers/events.ts";
import type { SilenceEvents } from "./domains/silences/events.ts";
import type { SnapshotEvents } from "./domains/snapshots/events.ts";
import type { TagEvents } from "./domains/tags/events.ts";
import type { TicketEvents } from "./domains/tickets/events.ts";
import type { UserEvents } from "./domains/users/events.ts";
import type { WebHookEvents } from "./domains/web-hooks/events.ts";

/**
 * In-process events: ids and a few scalars, never records, so that nobody acts on a stale copy. Plugins widen the map
 * by declaration merging. Delivery is best effort; work that must happen is enqueued.
 */
export interface SignalboxEvents
  extends TagEvents,
    ActivityEvents,
    ApiKeyEvents,
    AuthEvents,
    CategoryEvents,
    WebHookEvents,
    ChannelEvents,
    UserEvents,
    RoleEvents,
    ServerEvents,
    GroupEvents,
    MailEvents,
    MonitorEvents,
    SnapshotEvents,
    AlertEvents,
    SilenceEvents,
    EventEvents,
    SecretEvents,
    JobEvents,
    PluginEvents,
    TicketEvents {
  /** Resident definitions changed, on this node or on another one. */
  "definitions.changed": { collection: string; ids: readonly string[] };
  /** A deletion of many records in the background came to its end; `id`: what its order was answered with. */
  "bulk.deleted": { list: "jobs" | "tickets" | "alerts" | "snapshots"; id?: string };
  "signalbox.started": Record<never, never>;
  /** Sent before anything is shut down. */
  "signalbox.stopping": Record<never, never>;
}
