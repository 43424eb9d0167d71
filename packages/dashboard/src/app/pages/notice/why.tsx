import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router/router.ts";
import { timeZone } from "../../texts/format.ts";
import { useNoticeNews } from "../notices/data.ts";
import { t } from "../notices/texts.ts";

type Telling = Awaited<ReturnType<typeof api.explainNotice>>["rows"][number];

/** One decision about notifying a receiver, and since when it applied. */
export interface Decision {
  readonly id: string;
  /** Null if no receiver would be notified. */
  readonly receiver: string | null;
  readonly verdict: Telling["verdict"];
  /** Title of the receiver; "" if there is none. */
  readonly title: string;
  readonly from: number;
  /** Null while it applies. */
  readonly to: number | null;
  readonly reason: string;
  readonly notice?: string | undefined;
}

const STATES: Readonly<Record<Telling["verdict"], StateName>> = {
  told: "ok",
  held: "wait",
  failed: "fail",
  none: "hush",
};

/** Leaves out the history's rows about the alert's state, which are shown elsewhere. */
const decisionsOf = ({ receiver, title, history }: Telling): Decision[] =>
  history.flatMap(({ from, to, verdict, reason = "", notice }) =>
    verdict ? [{ id: `${receiver} ${from} ${verdict}`, receiver, title, from, to, verdict, reason, notice }] : [],
  );

/** Loads the decisions about a firing, for all receivers or for one, and keeps them up to date. */
export function useDecisions(invocation: string, receiver?: string) {
  const found = useLoad(`decisions ${invocation} ${receiver}`, async (signal) => {
    const asked = { invocation, timezone: timeZone.peek(), ...(receiver ? { receiver } : {}) };
    const { rows } = await api.explainNotice(asked, { signal });
    return rows.flatMap(decisionsOf).toSorted((a, b) => a.from - b.from);
  });
  useNoticeNews(found.reload);
  return found;
}

/** One decision: the receiver, since when, and why; if it was held back, also until when, so that it does not seem to wait. */
export const DecisionStep = ({
  decision: { verdict, title, from, to, reason, notice },
  duty,
}: {
  readonly decision: Decision;
  /** Who is on duty now, if the receiver is a rota. */
  readonly duty?: string | undefined;
}) => (
  <li>
    <Mark state={STATES[verdict]} />
    <b dir="auto">{notice ? <a href={href(`/notices/${notice}`)}>{title}</a> : title || t("noRoute")}</b>
    <Time at={from} until={verdict === "held" && to !== null ? to : undefined} />
    <p dir="auto">
      {reason} {duty && `(${title}: ${duty})`}
    </p>
  </li>
);
