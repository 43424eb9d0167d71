import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act } from "./calls/act.ts";
import { api } from "./calls/session.ts";
import { usePolling } from "./jobs/fresh-jobs.ts";
import { useLive } from "./live.ts";

interface State {
  readonly scheduler?: { readonly enabled?: boolean };
  /** Unix seconds at which each watch ends; only administrators receive them. */
  readonly watches?: { readonly [Kind in Watched]?: Readonly<Record<string, number>> };
}
export type Watched = "groups" | "servers";

const state = signal<State>({});
/** False while the scheduler is off. */
export const schedulerIsOn = computed(() => state.value.scheduler?.enabled !== false);
/**
 * When the watch of a group or server ends, in Unix seconds; undefined while it has none. The engine removes watches that are
 * over.
 */
export const watchEnd = (kind: Watched, id: string): number | undefined => state.value.watches?.[kind]?.[id];

export async function readState(): Promise<void> {
  const answer = await api.getGlobalState({}).catch(() => undefined);
  // While the server cannot be reached, the banner says so and the last answer stays.
  if (answer) state.value = answer.state as State;
}

/** Keeps the state up to date while a part that shows it is mounted; with `isAsked`, reads it once that is true. */
export function useGlobalState(isAsked = true): void {
  const take = ({ state: told }: { readonly state?: State }): void => {
    if (told) state.value = told;
  };
  useLive("status", take);
  useLive("update", take);
  useEffect(() => {
    if (isAsked) void readState();
  }, [isAsked]);
  usePolling(60, readState);
}

/** Switches the scheduler for all events. Only administrators may. */
export async function switchScheduler(isOn: boolean, said: string): Promise<void> {
  const set = async (enabled: boolean): Promise<void> => {
    await api.updateGlobalState({ "scheduler.enabled": enabled } as Parameters<typeof api.updateGlobalState>[0]);
    await readState();
  };
  await act("scheduler", { run: () => set(isOn), done: said, undo: () => set(!isOn) });
}
