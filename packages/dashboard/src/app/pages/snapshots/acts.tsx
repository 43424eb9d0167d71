import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { readState, useGlobalState, type Watched, watchEnd } from "../../data/global-state.ts";
import { Action } from "../../parts/basic/button.tsx";
import { hasPage } from "../../router/find-page.ts";
import { go } from "../../router/router.ts";
import { when } from "../../texts/format.ts";
import { t } from "./texts.ts";

interface Taken {
  readonly kind: Watched;
  readonly id: string;
  readonly name: string;
}

const CALLS = {
  servers: { take: (id: string) => api.createSnapshot({ server: id }), watch: api.watchServer },
  groups: { take: (id: string) => api.createGroupSnapshot({ group: id }), watch: api.watchGroup },
};
const HOUR = 3600;

/** Takes one snapshot of a server or a group, or starts a watch, which takes one every minute for a while. */
export function SnapshotActs({ kind, id, name }: Taken) {
  const { take, watch } = CALLS[kind];
  const end = watchEnd(kind, id);
  const snapshot = async (): Promise<void> => {
    const taken = await act(`snapshot ${id}`, { run: () => take(id), done: t("snapshotTaken", { name }) });
    if (taken && hasPage(`/snapshots/${taken.id}`)) await go(`/snapshots/${taken.id}`);
  };
  const watchFor = async (seconds: number): Promise<void> => {
    await watch({ id, duration: seconds });
    await readState();
  };
  const change = () =>
    end === undefined
      ? act(`watch ${id}`, { run: () => watchFor(HOUR), done: t("watched", { name }), undo: () => watchFor(0) })
      : act(`watch ${id}`, { run: () => watchFor(0), done: t("watchEnded", { name }) });
  return (
    <>
      <Action needs="create_snapshots" deed={`snapshot ${id}`} icon="camera" run={snapshot}>
        {t("snapshot")}
      </Action>
      <Action needs="create_snapshots" deed={`watch ${id}`} run={change}>
        {t(end === undefined ? "watch" : "endWatch")}
      </Action>
    </>
  );
}

/** Until when a watch of this server or group runs, for the head of its page. It is read once `isAsked` is true. */
export function useWatched(kind: Watched, id: string, isAsked = true): string | undefined {
  useGlobalState(isAsked);
  const end = watchEnd(kind, id);
  return end === undefined ? undefined : t("watchedUntil", { time: when(end) });
}
