import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { titleOf } from "../../data/records/lists.ts";
import { Mark, Panel, type StateName } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Time } from "../../parts/time.tsx";
import { number } from "../../texts/format.ts";
import type { PartProps } from "../definitions/kind.ts";
import { OneSign, type Sign, Signs } from "../watched/signs.tsx";
import { asSubject, Silence } from "../watched/standing.tsx";
import { Watchers } from "../watched/watchers.tsx";
import { History } from "./history.tsx";
import { t } from "./texts.ts";

type Read = Awaited<ReturnType<typeof api.getCheck>>;
type Result = Read["results"][number];

const EVERY_SEC = 30;

const nameOf = (place: string): string => (place === "engine" ? t("engine") : titleOf("servers", place));

function answerWords({ ok, ms, status, address }: Result): string {
  if (status !== undefined) return t("answered", { status: String(status), ms: number(ms) });
  if (address !== undefined) return t("askedIn", { address, ms: number(ms) });
  return ok ? t("took", { ms: number(ms) }) : t("noAnswer");
}

function signOf(result: Result): Sign {
  const { date, ok, ms, days_left, from, text } = result;
  const parts = [
    from ? nameOf(from) : "",
    answerWords(result),
    days_left === undefined ? "" : t("daysLeft", { n: days_left }),
  ];
  return { at: date, state: ok ? "ok" : "fail", words: parts.filter(Boolean).join(", "), more: text, took: ms };
}

/** State of the checked address, and the alert rules that watch it. */
export function Lead({ row }: PartProps) {
  const { id, revision } = row;
  const about = asSubject("check", row);
  return (
    <>
      <Results id={id} revision={revision} silence={<Silence of={about} />} />
      <History check={row} />
      <Watchers about={about} revision={revision} />
    </>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly revision: number | undefined;
  readonly silence: preact.ComponentChildren;
}

function Results({ id, revision, silence }: ResultsProps) {
  const [tried, setTried] = useState<Result>();
  const found = useLoad(`check ${id} ${revision}`, (signal) => api.getCheck({ id }, { signal }));
  usePolling(EVERY_SEC, found.reload);
  useLive("update", (lists: Record<string, unknown>) => "activeAlerts" in lists && found.reload());
  const run = async (): Promise<void> => {
    const answer = await act(`test ${id}`, { run: () => api.testCheck({ id }) });
    if (answer) setTried(answer.result);
  };
  const acts = (
    <>
      {silence}
      <Action needs="manage_checks" deed={`test ${id}`} kind="row" icon="play" run={run}>
        {t("askNow")}
      </Action>
    </>
  );
  return (
    <Panel title={t("results")} more={acts}>
      <div role="status">
        {tried && (
          <ul class="linked" aria-label={t("tried")}>
            <OneSign {...signOf(tried)} more={tried.text ?? t("tried")} />
          </ul>
        )}
      </div>
      <WhenLoaded of={found} rows={4}>
        {(read) => <Past {...read} />}
      </WhenLoaded>
    </Panel>
  );
}

type Place = Read["places"][number];

const stateOf = ({ fresh, down, failures }: Place): StateName =>
  fresh ? (down ? "crit" : failures > 0 ? "warn" : "ok") : "gone";

function placeWords({ note, fresh, failures }: Place): string {
  if (note) return t("silentPlace");
  return fresh ? (failures > 0 ? t("failedThere", { n: failures }) : t("fineThere")) : t("nothingNew");
}

/** Results by place, if places other than the engine check too. */
const Places = ({ places }: Pick<Read, "places">) => (
  <ul class="linked" aria-label={t("places")}>
    {places.map((each) => (
      <li key={each.place}>
        <Mark state={stateOf(each)} />
        <span class="grow" dir="auto">
          {nameOf(each.place)}
          <span class="dim xs sub">{placeWords(each)}</span>
        </span>
        {each.latest && (
          <span class="dim xs">
            <Time at={each.latest.date} />
          </span>
        )}
      </li>
    ))}
  </ul>
);

function Past({ down, failures, places, results }: Read) {
  const elsewhere = places.some(({ place }) => place !== "engine");
  if (results.length === 0) return elsewhere ? <Places places={places} /> : <Empty>{t("noResults")}</Empty>;
  const good = results.filter(({ ok }) => ok).length;
  return (
    <>
      <p class="say">
        <Mark state={down ? "crit" : failures > 0 ? "warn" : "ok"} />{" "}
        {t(down ? "isDown" : failures > 0 ? "hasFailed" : "isUp", { n: failures })}
      </p>
      {elsewhere && <Places places={places} />}
      <Signs signs={results.map(signOf)} label={t("wentWell", { ok: good, n: results.length })} />
    </>
  );
}
