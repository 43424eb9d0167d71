import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { t } from "./texts.ts";

const isOn = (state: Readonly<Record<string, unknown>>): boolean =>
  Boolean((state["scheduler"] as { readonly enabled?: unknown } | undefined)?.enabled ?? true);

/** Switches all scheduled starts on or off. */
export function Scheduler() {
  const found = useLoad("scheduler", async () => isOn((await api.getGlobalState({})).state));
  useLive("status", ({ state }: { readonly state?: Readonly<Record<string, unknown>> }) => {
    if (state) found.set(isOn(state));
  });
  useLive("activity", ({ action }: { readonly action: string }) => {
    if (action === "state_update") void found.reload();
  });
  const set = async (enabled: boolean): Promise<void> => {
    await api.updateGlobalState({ "scheduler.enabled": enabled });
    found.set(enabled);
  };
  const turn = (enabled: boolean) =>
    act("scheduler", { run: () => set(enabled), done: t(enabled ? "nowOn" : "nowOff"), undo: () => set(!enabled) });
  return (
    <Panel title={t("scheduler")}>
      <WhenLoaded of={found} rows={1}>
        {(enabled) => (
          <div class="inner chore">
            <p class="cell">
              <Mark state={enabled ? "ok" : "warn"} label={t(enabled ? "isOn" : "isOff")} />
              <span>{t(enabled ? "isOn" : "isOff")}</span>
            </p>
            <div class="acts">
              <Action needs="admin" deed="scheduler" icon={enabled ? "pause" : "play"} run={() => turn(!enabled)}>
                {t(enabled ? "pause" : "resume")}
              </Action>
            </div>
          </div>
        )}
      </WhenLoaded>
    </Panel>
  );
}
