import { useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { usePolling } from "../../data/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { Mark, Panel } from "../../parts/basic.tsx";
import { Action } from "../../parts/button.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { number } from "../../texts/format.ts";
import type { PartProps } from "../definitions/kind.ts";
import { OneSign, type Sign, Signs } from "../watched/signs.tsx";
import { asSubject, Silence } from "../watched/standing.tsx";
import { Watchers } from "../watched/watchers.tsx";
import { t } from "./texts.ts";

type Read = Awaited<ReturnType<typeof api.getCheck>>;
type Result = Read["results"][number];

const EVERY_SEC = 30;

function answerWords({ ok, ms, status, address }: Result): string {
  if (status !== undefined) return t("answered", { status: String(status), ms: number(ms) });
  if (address !== undefined) return t("askedIn", { address, ms: number(ms) });
  return ok ? t("took", { ms: number(ms) }) : t("noAnswer");
}

function signOf(result: Result): Sign {
  const { date, ok, ms, days_left, text } = result;
  const parts = [answerWords(result), days_left === undefined ? "" : t("daysLeft", { n: days_left })];
  return { at: date, state: ok ? "ok" : "fail", words: parts.filter(Boolean).join(", "), more: text, took: ms };
}

/** How the address answers, and what sees to it. */
export function Side({ row }: PartProps) {
  const { id, revision } = row;
  const about = asSubject("check", row);
  return (
    <>
      <Results id={id} revision={revision} silence={<Silence of={about} />} />
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

function Past({ down, failures, results }: Read) {
  if (results.length === 0) return <Empty>{t("noResults")}</Empty>;
  const good = results.filter(({ ok }) => ok).length;
  return (
    <>
      <p class="say">
        <Mark state={down ? "crit" : failures > 0 ? "warn" : "ok"} />{" "}
        {t(down ? "isDown" : failures > 0 ? "hasFailed" : "isUp", { n: failures })}
      </p>
      <Signs signs={results.map(signOf)} label={t("wentWell", { ok: good, n: results.length })} />
    </>
  );
}
