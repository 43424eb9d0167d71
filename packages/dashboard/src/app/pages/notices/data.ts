import { useEffect, useRef } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { when } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** What it takes to write routes, receivers and rotas. */
export const ROUTERS = { create: "manage_routes", edit: "manage_routes", remove: "manage_routes" } as const;

export type Problem = Awaited<ReturnType<typeof api.getProblems>>["rows"][number];
export type Notice = Awaited<ReturnType<typeof api.searchNotices>>["rows"][number];
export type Receiver = Awaited<ReturnType<typeof api.getReceivers>>["rows"][number];
export type Route = Awaited<ReturnType<typeof api.getRoutes>>["rows"][number];
export type Rota = Awaited<ReturnType<typeof api.getRotas>>["rows"][number];
export type Duty = Awaited<ReturnType<typeof api.getRota>>;

/** What holds a firing back is decided anew without a message. */
const EVERY_SEC = 60;
const SOON_MS = 1500;
/** Changes that follow each other within this time are asked for once. */
const TOGETHER_MS = 200;

/** Asks again when a firing or a notice changed, and now and then. */
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

/** Asks again once a change of anything was logged: for definitions that the channel does not tell. */
export function useLogged(reload: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive("cachebust", () => {
    // A timer that each change began anew would never end where changes do not.
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

/** Each rota with the person on duty. At the end of a shift no message tells of the next person. */
export function useDuties(): Loaded<readonly Duty[]> {
  const found = useDefinitions("rotas", async (signal) => {
    const { rows } = await api.getRotas({}, { signal });
    return { rows: await Promise.all(rows.map(({ id }) => api.getRota({ id }, { signal }))) };
  });
  usePolling(EVERY_SEC, found.reload);
  return found;
}

/** The person on duty now and the end of the shift, in words: "now Mara Lindqvist, until Mon, 09:00". */
export function dutyWords({ on_duty: who, next }: Duty): string {
  if (!who) return t("nobodyNow");
  const name = personName(who);
  return next ? t("nowOnDuty", { who: name, at: when(next.start) }) : t("nowAlone", { who: name });
}

/** Says of each of these receivers, by its id, who is on duty now where it is a rota; undefined of all others. */
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

/** Firings by their ids; without any that are gone, or that the viewer may not see. */
export async function readFirings(ids: readonly string[], signal: AbortSignal): Promise<readonly Invocation[]> {
  if (ids.length === 0) return [];
  const { alerts } = await api.getAlertInvocations({ ids: [...ids] }, { signal });
  return alerts.flatMap((each) => ("err" in each ? [] : [each as Invocation]));
}

export type Titled = Pick<Receiver, "id" | "title">;

/** Title of a record by its id, or the id of one that is gone. */
export const nameIn = (rows: readonly Titled[] | undefined, id: string): string =>
  rows?.find((row) => row.id === id)?.title || id;

/** Name of what a notice goes to: an action of an alert has a target, and no receiver with a record. */
export const receiverName = (
  receivers: readonly Titled[] | undefined,
  { receiver, title }: Pick<Notice, "receiver" | "title">,
): string => title ?? nameIn(receivers, receiver);

/** The receivers of a problem: the target of an action stands beside those with a record. */
export const receiversOf = (
  receivers: readonly Titled[] | undefined,
  { route, title }: Pick<Problem, "route" | "title">,
): readonly Titled[] => [...(receivers ?? []), ...(title === undefined ? [] : [{ id: route, title }])];
