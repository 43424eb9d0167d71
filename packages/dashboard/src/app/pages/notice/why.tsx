import { useLoad } from "../../data/load.ts";
import { api } from "../../data/session.ts";
import { Mark, type StateName } from "../../parts/basic.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { timeZone } from "../../texts/format.ts";
import { useNoticeNews } from "../notices/data.ts";
import { t } from "../notices/texts.ts";

export type Decision = Awaited<ReturnType<typeof api.explainNotice>>["rows"][number];

const STATES: Readonly<Record<Decision["verdict"], StateName>> = {
  ...{ told: "ok", held: "wait", failed: "fail", none: "hush" },
};

/** What was decided about a firing, for all receivers or for one, kept. */
export function useDecisions(invocation: string, receiver?: string) {
  const found = useLoad(`decisions ${invocation} ${receiver}`, async (signal) => {
    const asked = { invocation, timezone: timeZone.peek(), ...(receiver ? { receiver } : {}) };
    return (await api.explainNotice(asked, { signal })).rows;
  });
  useNoticeNews(found.reload);
  return found;
}

/** One decision: for whom, since when, and why. */
export const DecisionStep = ({
  decision: { verdict, title, from, reason, notice },
}: {
  readonly decision: Decision;
}) => (
  <li>
    <Mark state={STATES[verdict]} />
    <b dir="auto">{notice ? <a href={href(`/notices/${notice}`)}>{title}</a> : title || t("noRoute")}</b>
    <Time at={from} />
    <p dir="auto">{reason}</p>
  </li>
);
