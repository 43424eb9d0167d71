import type { Server } from "../../../servers/model.ts";
import { MISSED_SEC } from "../../../servers/rules/departure.ts";

/** Member `presence` in expressions of alerts on the presence of a server (docs/contract/alerts.md#presence). */
export interface Presence {
  readonly online: boolean;
  /** Seconds since the last contact; 0 while it is connected. */
  readonly silent_sec: number;
  /** Unix seconds of the last contact. */
  readonly since: number;
  /** True for a server that should report: enabled, seen within a week, not being uninstalled, not ephemeral. */
  readonly expected: boolean;
}

export interface Contact {
  readonly server: Pick<Server, "enabled">;
  /** The server is ephemeral: it comes and goes. */
  readonly isEphemeral: boolean;
  readonly isOnline: boolean;
  /** The server was told to uninstall itself. */
  readonly isLeaving: boolean;
  /** Unix seconds. */
  readonly lastContact: number;
  readonly now: number;
}

export function presenceOf(contact: Contact): Presence {
  const { server, isEphemeral, isOnline, isLeaving, lastContact, now } = contact;
  const silent_sec = isOnline ? 0 : Math.max(0, Math.floor(now - lastContact));
  return {
    online: isOnline,
    silent_sec,
    since: isOnline ? now : lastContact,
    expected: Boolean(server.enabled) && !isEphemeral && !isLeaving && silent_sec <= MISSED_SEC,
  };
}
