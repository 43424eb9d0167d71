import { useEffect, useRef } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { when } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** Privileges for writing routes, receivers and rotas. */
export const ROUTERS = { create: "manage_routes", edit: "manage_routes", remove: "manage_routes" } as const;

export type Problem = Awaited<ReturnType<typeof api.getProblems>>["rows"][number];
export type Notice = Awaited<ReturnType<typeof api.searchNotices>>["rows"][number];
export type Receiver = Awaited<ReturnType<typeof api.getReceivers>>["rows"][number];
export type Route = Awaited<ReturnType<typeof api.getRoutes>>["rows"][number];
export type Rota = Awaited<ReturnType<typeof api.getRotas>>["rows"][number];
export type Duty = Awaited<ReturnType<typeof api.getRota>>;

/** Polling interval in seconds: holds can change without a live message. */
const EVERY_SEC = 60;
const SOON_MS = 1500;
/** Debounce interval for notice messages, in ms. */
const TOGETHER_MS = 200;

/** Reloads when a firing or a notice changes, and once a minute. */
export function useNoticeNews(reload: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const soon = (ms: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, ms);
  };
  useLive("update", (lists: Record<string, unknown>) => "activeAlerts" in lists && soon(SOON_MS));
  useLive("notices", () => soon(TOGETHER_MS));
  useLive("back", reload);
  usePolling(EVERY_SEC, reload);
}

/** Reloads when any change is logged, for definitions that the live channel does not report. */
export function useLogged(reload: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive("cachebust", () => {
    // Does not restart the timer on each change: with continuous changes it would never fire.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      reload();
    }, TOGETHER_MS);
  });
  useLive("back", reload);
}

function useDefinitions<Row>(
  name: string,
  ask: (signal: AbortSignal) => Promise<{ readonly rows: readonly Row[] }>,
): Loaded<readonly Row[]> {
  const found = useLoad(name, async (signal) => (await ask(signal)).rows);
  useLogged(found.reload);
  return found;
}

export const useReceivers = (): Loaded<readonly Receiver[]> =>
  useDefinitions("receivers", (signal) => api.getReceivers({}, { signal }));
export const useRoutes = (): Loaded<readonly Route[]> =>
  useDefinitions("routes", (signal) => api.getRoutes({}, { signal }));

/** All rotas with the person on duty. Polls, because no live message reports the end of a shift. */
export function useDuties(): Loaded<readonly Duty[]> {
  const found = useDefinitions("rotas", async (signal) => {
    const { rows } = await api.getRotas({}, { signal });
    return { rows: await Promise.all(rows.map(({ id }) => api.getRota({ id }, { signal }))) };
  });
  usePolling(EVERY_SEC, found.reload);
  return found;
}

/** Who is on duty, and until when: "now Mara Lindqvist, until Mon, 09:00". */
export function dutyWords({ on_duty: who, next }: Duty): string {
  if (!who) return t("nobodyNow");
  const name = personName(who);
  return next ? t("nowOnDuty", { who: name, at: when(next.start) }) : t("nowAlone", { who: name });
}

/** Returns a function from the id of a receiver to who is on duty now. It returns undefined for receivers that are not rotas. */
export function useOnDuty(receivers: readonly Receiver[] | undefined): (receiver: string | null) => string | undefined {
  const rotas = [
    ...new Set(receivers?.flatMap(({ type, rota }) => (type === "rota" && rota ? [rota] : []))),
  ].toSorted();
  const found = useLoad(`on duty ${rotas}`, (signal) =>
    Promise.all(rotas.map((id) => api.getRota({ id }, { signal }))),
  );
  useLogged(found.reload);
  usePolling(EVERY_SEC, found.reload);
  return (receiver) => {
    const { type, rota } = receivers?.find(({ id }) => id === receiver) ?? {};
    const duty = type === "rota" ? found.data.value?.find((one) => one.rota.id === rota) : undefined;
    return duty && dutyWords(duty);
  };
}

/** Reads firings by id. Firings that are gone or that the viewer may not see are left out. */
export async function readFirings(ids: readonly string[], signal: AbortSignal): Promise<readonly Invocation[]> {
  if (ids.length === 0) return [];
  const { alerts } = await api.getAlertInvocations({ ids: [...ids] }, { signal });
  return alerts.flatMap((each) => ("err" in each ? [] : [each as Invocation]));
}

export type Titled = Pick<Receiver, "id" | "title">;

/** Title of a record, or its id if the record is gone. */
export const nameIn = (rows: readonly Titled[] | undefined, id: string): string =>
  rows?.find((row) => row.id === id)?.title || id;

/** Name of a notice's receiver. If an alert's action sent the notice, this is the title of its target, which has no record. */
export const receiverName = (
  receivers: readonly Titled[] | undefined,
  { receiver, title }: Pick<Notice, "receiver" | "title">,
): string => title ?? nameIn(receivers, receiver);

/** The receivers of a problem. If an alert's action opened it, includes the target, which has no record. */
export const receiversOf = (
  receivers: readonly Titled[] | undefined,
  { route, title }: Pick<Problem, "route" | "title">,
): readonly Titled[] => [...(receivers ?? []), ...(title === undefined ? [] : [{ id: route, title }])];
