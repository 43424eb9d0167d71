import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { SignalboxError } from "@signalbox/client";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { listed } from "../../data/records/lists.ts";
import { diskFirstFull } from "../../data/series/disk-full.ts";

type Stored = Awaited<ReturnType<typeof api.searchServers>>["rows"][number];

/** A server, connected or not. */
export interface Machine {
  readonly record: Stored;
  readonly isOnline: boolean;
}

export const nameOf = ({ record: { title, hostname, id } }: Machine): string => title || hostname || id;

const MOST = 1000;

interface Machines {
  readonly machines: readonly Machine[] | undefined;
  readonly error: SignalboxError | undefined;
  reload(): Promise<void>;
}

/** Connected servers, kept live, followed by the stored ones that are not connected. */
export function useMachines(): Machines {
  const stored = useLoad("servers", (signal) => api.searchServers({ query: "*", limit: MOST }, { signal }));
  const online = listed("machines");
  useLeaving(online, stored.reload);
  const known = stored.data.value?.rows;
  const machines = useMemo(() => {
    if (!online || !known) return undefined;
    const here = new Set(online.map(({ id }) => id));
    const gone = known.filter(({ id }) => !here.has(id)).map((record) => ({ record, isOnline: false }));
    const all: Machine[] = [...online.map((record) => ({ record: record as Stored, isOnline: true })), ...gone];
    return all.toSorted((left, right) => nameOf(left).localeCompare(nameOf(right), undefined, { numeric: true }));
  }, [online, known]);
  return { machines, error: stored.error.value, reload: stored.reload };
}

/**
 * Reloads when a server disconnects: its record says since when, and one that connected after the last load is not
 * among the stored servers yet.
 */
function useLeaving(online: readonly { readonly id: string }[] | undefined, reload: () => unknown): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!online) return;
    const here = new Set(online.map(({ id }) => id));
    if ([...before.current].some((id) => !here.has(id))) void reload();
    before.current = here;
  }, [online]);
}

/** The latest value of each quick monitor, by server. */
export type Quick = ReadonlySignal<Readonly<Record<string, ReadonlyMap<string, number>>>>;
const EVERY_SEC = 3;
type Columns = Readonly<Record<string, readonly (number | null)[]>>;
/** Quick monitors shown in the list of servers. */
const SHOWN = ["_qm_cpu_usage", "_qm_mem_used", "_qm_mem_avail", "_qm_cpu_load"];

const secondOf = (monitors: Columns, at: number): ReadonlyMap<string, number> =>
  new Map(
    SHOWN.flatMap((id) => {
      const value = monitors[id]?.[at];
      return typeof value === "number" ? [[id, value] as const] : [];
    }),
  );

export function useQuick(): Quick {
  const answer = useSignal<Readonly<Record<string, ReadonlyMap<string, number>>>>({});
  const loaded = useLoad("quick values", async (signal) => {
    const { columns } = await api.getQuickmonData({ shape: "columns", monitors: SHOWN }, { signal });
    const { servers = [], monitors = {} } = columns ?? {};
    answer.value = Object.fromEntries(servers.map((server, at) => [server, secondOf(monitors, at)]));
    return true;
  });
  usePolling(EVERY_SEC, loaded.reload);
  return answer;
}

/** True for monitors that read the used share of a disk, in percent. */
export const isDisk = ({ source }: { readonly source: string }): boolean => /\bmounts\b.*\buse\b/.test(source);

const monitorsOf = (record: Stored): Readonly<Record<string, number>> =>
  (record.info["monitors"] as Readonly<Record<string, number>> | undefined) ?? {};

/** Usage of a server's fullest measured disk, 0 to 100. */
export function diskOf({ record }: Machine): number | undefined {
  const values = (listed("monitors") ?? []).filter(isDisk).flatMap(({ id }) => monitorsOf(record)[id] ?? []);
  return values.length > 0 ? Math.max(...values) : undefined;
}

/** Disk usage in percent below which no forecast is loaded, because the disk will not fill up soon. */
const ASKED_FROM = 30;

/** When the first disk of each server will be full; filled in as the answers arrive. */
export function useFullTimes(machines: readonly Machine[] | undefined): ReadonlySignal<ReadonlyMap<string, number>> {
  const times = useSignal<ReadonlyMap<string, number>>(new Map());
  const monitors = (listed("monitors") ?? []).filter(isDisk).map(({ id }) => id);
  // The disk usage of an offline server is unknown.
  const asked = (machines ?? []).filter((machine) => machine.isOnline && (diskOf(machine) ?? 0) >= ASKED_FROM);
  const ids = asked.map(({ record }) => record.id);
  useEffect(() => {
    const own = new AbortController();
    times.value = new Map([...times.peek()].filter(([id]) => ids.includes(id)));
    const put = (id: string, at: number | undefined): void => {
      if (own.signal.aborted) return;
      const next = new Map(times.peek());
      if (at === undefined) next.delete(id);
      else next.set(id, at);
      times.value = next;
    };
    for (const id of ids)
      diskFirstFull(id, monitors, own.signal).then(
        (at) => put(id, at),
        // A server without readings has no forecast; its cell stays empty.
        () => put(id, undefined),
      );
    return () => own.abort();
  }, [ids.join(), monitors.join()]);
  return times;
}
