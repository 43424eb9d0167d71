import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import type { Channel, CreateChannel } from "../model.ts";

/** A new channel: everything but the title has a default (docs/contract/channels.md#record). */
export function newChannel(input: CreateChannel, { id, username, now }: NewStamp): Channel {
  return {
    ...input,
    id,
    enabled: input.enabled ?? true,
    users: input.users ?? [],
    email: input.email ?? "",
    web_hook: input.web_hook ?? "",
    run_event: input.run_event ?? "",
    sound: input.sound ?? "",
    max_per_day: input.max_per_day ?? 0,
    icon: input.icon ?? "",
    notes: input.notes ?? "",
    ...newStamps(username, now),
  };
}

/** The channel of a new installation, if it has a user `admin`. */
export const SEVERITY_1: CreateChannel = { title: "Severity 1", users: ["admin"], sound: "attention-3.mp3" };
