import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act } from "../calls/act.ts";
import { api } from "../calls/session.ts";
import { useLive } from "../live.ts";
import { usePolling } from "./fresh-jobs.ts";

interface State {
  readonly scheduler?: { readonly enabled?: boolean };
}

const state = signal<State>({});
/** False while nothing starts by the clock. */
export const schedulerIsOn = computed(() => state.value.scheduler?.enabled !== false);

async function load(): Promise<void> {
  const answer = await api.getGlobalState({}).catch(() => undefined);
  // While the server cannot be asked, the banner says so, and the last answer stays.
  if (answer) state.value = answer.state as State;
}

/** Keeps `schedulerIsOn` true to the server while a part that shows it is there. */
export function useScheduler(): void {
  useLive("status", ({ state: told }: { state?: State }) => {
    if (told) state.value = told;
  });
  useEffect(() => void load(), []);
  usePolling(60, load);
}

/** Switches the scheduler for all events; only administrators may. */
export async function switchScheduler(isOn: boolean, said: string): Promise<void> {
  const set = async (enabled: boolean): Promise<void> => {
    await api.updateGlobalState({ "scheduler.enabled": enabled } as Parameters<typeof api.updateGlobalState>[0]);
    await load();
  };
  await act("scheduler", { run: () => set(isOn), done: said, undo: () => set(!isOn) });
}
