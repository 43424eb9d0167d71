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

/** Connected servers, live, and stored ones beside them. */
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

/** Asks again when a server is connected no more: since when is in its record, and one that came later is in no list. */
function useLeaving(online: readonly { readonly id: string }[] | undefined, reload: () => unknown): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!online) return;
    const here = new Set(online.map(({ id }) => id));
    if ([...before.current].some((id) => !here.has(id))) void reload();
    before.current = here;
  }, [online]);
}

/** Newest readings of the second by server and quick monitor. */
export type Quick = ReadonlySignal<Readonly<Record<string, ReadonlyMap<string, number>>>>;
const EVERY_SEC = 3;
type Columns = Readonly<Record<string, readonly (number | null)[]>>;
/** Quick monitors in the list of servers. */
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

/** Monitors that read how much of a disk is used, in percent. */
export const isDisk = ({ source }: { readonly source: string }): boolean => /\bmounts\b.*\buse\b/.test(source);

const monitorsOf = (record: Stored): Readonly<Record<string, number>> =>
  (record.info["monitors"] as Readonly<Record<string, number>> | undefined) ?? {};

/** The fullest disk of a server that is measured, from 0 to 100. */
export function diskOf({ record }: Machine): number | undefined {
  const values = (listed("monitors") ?? []).filter(isDisk).flatMap(({ id }) => monitorsOf(record)[id] ?? []);
  return values.length > 0 ? Math.max(...values) : undefined;
}

/** Servers whose disk is emptier than this are not asked about: nothing is about to happen there. */
const ASKED_FROM = 30;

/** When the first disk of each server is full, as the answers come in. */
export function useFullTimes(machines: readonly Machine[] | undefined): ReadonlySignal<ReadonlyMap<string, number>> {
  const times = useSignal<ReadonlyMap<string, number>>(new Map());
  const monitors = (listed("monitors") ?? []).filter(isDisk).map(({ id }) => id);
  // How full the disks of a server are that is gone is not known.
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
        // A server without readings has no such time; its cell stays empty.
        () => put(id, undefined),
      );
    return () => own.abort();
  }, [ids.join(), monitors.join()]);
  return times;
}
