import { defineCollection } from "../../ports/collection.ts";
import type { HostRecord, Server } from "./model.ts";

const words = (text: string | undefined): string[] => (text ?? "").toLowerCase().match(/\w+/g) ?? [];

export const serverCollection = defineCollection<Server>({
  name: "servers",
  noun: "Server",
  columns: {
    hostname: { type: "text", read: ({ hostname }) => hostname },
    ip: { type: "text", read: ({ ip }) => ip },
    created: { type: "integer", read: ({ created }) => created },
    modified: { type: "integer", read: ({ modified }) => modified },
  },
  terms: {
    groups: ({ groups }) => groups,
    autoGroup: ({ autoGroup }) => [String(autoGroup)],
    keywords: ({ keywords }) => words(keywords),
  },
});

/** The last minute of each server; overwritten every minute. */
export const hostCollection = defineCollection<HostRecord>({ name: "hosts", noun: "Host record" });
