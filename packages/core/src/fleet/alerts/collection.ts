import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { tenantTerm } from "../../wire/tenant.ts";
import type { Alert, AlertState, Invocation } from "./model.ts";
import { placeOf } from "./rules/definition/subjects.ts";

/** Evaluation goes in the order of this list, which is the order of creation. */
export const alertCollection = defineCollection<Alert>({
  name: "alerts",
  noun: "Alert",
  resident: true,
  terms: { tenant: tenantTerm },
});

export const invocationCollection = defineCollection<Invocation>({
  name: "alert_invocations",
  noun: "Alert invocation",
  columns: {
    start: { type: "integer", read: ({ date }) => date },
    end: { type: "integer", read: ({ modified }) => modified },
  },
  terms: {
    active: ({ active }) => [String(active)],
    alert: ({ alert }) => [alert],
    server: (invocation) => [placeOf(invocation)],
    event: ({ subject }) => (subject?.type === "event" ? [subject.id] : []),
    heartbeat: ({ subject }) => (subject?.type === "heartbeat" ? [subject.id] : []),
    check: ({ subject }) => (subject?.type === "check" ? [subject.id] : []),
    category: ({ category }) => (category === undefined ? [] : [category]),
    /** Set when the subject is not a server, so that groups do not apply. */
    other: ({ subject }) => (subject ? ["yes"] : []),
    groups: ({ groups }) => groups,
    jobs: ({ jobs }) => jobs,
    tickets: ({ tickets }) => tickets,
    tenant: tenantTerm,
    /** A notification is pending and goes out as soon as nothing holds it back. */
    debt: ({ active, untold, owed }) => (owed || (active && untold && !untold.queued) ? ["yes"] : []),
    /** The acknowledgement expires. */
    lent: ({ active, acknowledged }) => (active && acknowledged?.expires !== undefined ? ["yes"] : []),
  },
});

/** See docs/contract/search.md#text. There is no default field: words without a prefix match no invocation. */
export const invocationSearch: SearchTable = {
  fields: {
    active: { kind: "keyword" },
    alert: { kind: "keyword" },
    server: { kind: "keyword" },
    event: { kind: "keyword" },
    heartbeat: { kind: "keyword" },
    check: { kind: "keyword" },
    category: { kind: "keyword" },
    groups: { kind: "keywords" },
    jobs: { kind: "keywords" },
    tickets: { kind: "keywords" },
    tenant: { kind: "keyword" },
    start: { kind: "hour" },
    end: { kind: "hour" },
  },
  sorters: {},
};

/** Stored with each minute, so that no firing is lost or repeated after a restart or on another node. */
export const stateCollection = defineCollection<AlertState>({
  name: "alert_states",
  noun: "Alert state",
  columns: { modified: { type: "integer", read: ({ modified }) => modified } },
  terms: { server: ({ server }) => [server], alert: ({ alert }) => [alert] },
});
