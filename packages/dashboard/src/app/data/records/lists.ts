import { computed, type ReadonlySignal } from "@preact/signals";
import type { Api } from "@signalbox/client";
import { api } from "../calls/session.ts";
import { onLive } from "../live.ts";
import { awayName, keepName, nameOf } from "../names/server-name.ts";
import { createRows, type Row, type Single } from "./live-rows.ts";

type Rows<Name extends keyof Api> =
  Awaited<ReturnType<Api[Name]>> extends { readonly rows: readonly (infer Row)[] } ? Row : never;

/**
 * Definitions that many pages name: loaded once, then kept up to date by the live channel. `servers` holds what pages need to
 * name and choose servers; the few pages that show facts of all machines ask for `machines`, two kilobytes each.
 */
interface Kinds {
  events: Rows<"getEvents">;
  categories: Rows<"getCategories">;
  groups: Rows<"getGroups">;
  plugins: Rows<"getPlugins">;
  tags: Rows<"getTags">;
  channels: Rows<"getChannels">;
  monitors: Rows<"getMonitors">;
  alerts: Rows<"getAlerts">;
  roles: Rows<"getRoles">;
  web_hooks: Rows<"getWebHooks">;
  secrets: Rows<"getSecrets">;
  buckets: Rows<"getBuckets">;
  servers: NonNullable<Awaited<ReturnType<Api["getActiveServers"]>>["names"]>[number];
  machines: Rows<"getActiveServers">;
  heartbeats: Rows<"getHeartbeats">;
  checks: Rows<"getChecks">;
}
export type ListName = keyof Kinds;

const ASK: { readonly [Name in ListName]: () => Promise<{ readonly rows: readonly unknown[] }> } = {
  events: () => api.getEvents({}),
  categories: () => api.getCategories({}),
  groups: () => api.getGroups({}),
  plugins: () => api.getPlugins({}),
  tags: () => api.getTags({}),
  channels: () => api.getChannels({}),
  monitors: () => api.getMonitors({}),
  alerts: () => api.getAlerts({}),
  roles: () => api.getRoles({}),
  web_hooks: () => api.getWebHooks({}),
  secrets: () => api.getSecrets({}),
  buckets: () => api.getBuckets({}),
  servers: async () => ({ rows: (await api.getActiveServers({ shape: "names" })).names ?? [] }),
  machines: () => api.getActiveServers({}),
  heartbeats: () => api.getHeartbeats({}),
  checks: () => api.getChecks({}),
};

interface List {
  readonly rows: ReadonlySignal<readonly Row[] | undefined>;
  readonly byId: ReadonlySignal<ReadonlyMap<string, Row>>;
}

const known = new Map<ListName, List>();

function load(name: ListName): List {
  const { rows, ask, take, put } = createRows(async () => (await ASK[name]()).rows as readonly Row[]);
  const told = name === "machines" ? "servers" : name;
  onLive("update", (lists: Record<string, unknown>) => {
    const sent = lists[told];
    if (sent === undefined || sent === null) return;
    // The channel sends servers as an object by id.
    take((Array.isArray(sent) ? sent : Object.values(sent as object)) as readonly Row[]);
  });
  onLive("single", ({ list, ...single }: Single & { readonly list: string }) => {
    if (list !== told) return;
    if (name === "servers") keepName(single.item);
    put(single);
  });
  onLive("back", () => void ask());
  void ask();
  const byId = computed(() => new Map((rows.value ?? []).map((row) => [row.id, row])));
  return { rows, byId };
}

function listOf(name: ListName): List {
  const found = known.get(name) ?? load(name);
  known.set(name, found);
  return found;
}

/** Requests lists that a page is about to show, in parallel with its first answer. */
export const askFor = (...names: readonly ListName[]): void => names.forEach(listOf);

/** All records of a kind, live; undefined until loaded. Read it in a component, which renders again on a change. */
export const listed = <Name extends ListName>(name: Name): readonly Kinds[Name][] | undefined =>
  listOf(name).rows.value as readonly Kinds[Name][] | undefined;

/** One record of a kind; undefined when there is none, or it is not loaded yet. */
export const listedOne = <Name extends ListName>(name: Name, id: string | undefined): Kinds[Name] | undefined =>
  id === undefined ? undefined : (listOf(name).byId.value.get(id) as Kinds[Name] | undefined);

/** The record's title, the hostname of a server without one, or the id where no record is known. */
export function titleOf(name: ListName, id: string | undefined): string {
  const found = listedOne(name, id);
  if (found) return nameOf(found);
  const isAway = name === "servers" && id && listed(name);
  return (isAway && awayName(id)) || (id ?? "");
}
