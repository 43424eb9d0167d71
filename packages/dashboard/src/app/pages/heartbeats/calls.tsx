import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import type { OnSubject } from "../../data/records/subjects.ts";
import { Panel, type StateName } from "../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { type Sign, Signs } from "../watched/signs.tsx";
import { Silence } from "../watched/standing.tsx";
import { t } from "./texts.ts";

type Ping = Awaited<ReturnType<typeof api.getHeartbeat>>["pings"][number];

const EVERY_SEC = 30;
const STATES: Readonly<Record<Ping["kind"], StateName>> = {
  success: "ok",
  fail: "fail",
  start: "run",
  alive: "run",
  log: "wait",
};

function signOf({ kind, date, exit, ip, body }: Ping): Sign {
  const words = [t(`kind.${kind}`), exit === undefined ? "" : t("exit", { n: String(exit) }), ip];
  return { at: date, state: STATES[kind], words: words.filter(Boolean).join(", "), more: body, took: 1 };
}

interface CallsProps {
  readonly id: string;
  readonly revision: number | undefined;
  readonly about: OnSubject;
}

/** Calls to the heartbeat's address, newest first. */
export function Calls({ id, revision, about }: CallsProps) {
  const found = useLoad(`heartbeat ${id} ${revision}`, (signal) => api.getHeartbeat({ id }, { signal }));
  usePolling(EVERY_SEC, found.reload);
  useLive("update", (lists: Record<string, unknown>) => "activeAlerts" in lists && found.reload());
  return (
    <Panel title={t("calls")} more={<Silence of={about} />}>
      <WhenLoaded of={found} rows={4}>
        {({ pings }) =>
          pings.length === 0 ? (
            <Empty>{t("noCalls")}</Empty>
          ) : (
            <Signs signs={pings.map(signOf)} label={t("lastCalls", { n: pings.length })} />
          )
        }
      </WhenLoaded>
    </Panel>
  );
}
