import { titleOf } from "../../data/records/lists.ts";
import { type OnSubject, subjectOf, subjectTitle } from "../../data/records/subjects.ts";
import type { StateName } from "../../parts/basic/basic.tsx";
import { list } from "../../texts/format.ts";
import { type Notice, nameIn, type Problem, type Receiver, type Titled } from "./data.ts";
import { t } from "./texts.ts";

const OUTCOMES: Readonly<Record<Notice["outcome"], StateName>> = {
  pending: "wait",
  sent: "ok",
  uncertain: "wait",
  failed: "fail",
  skipped: "abort",
};
export const outcomeState = ({ outcome }: Notice): StateName => OUTCOMES[outcome];

type Firing = OnSubject & Pick<Problem["members"][number], "alert">;

/** For example "CPU is busy on 3 servers" or "Event Is Overdue on Back up". Lists each alert if there are several. */
export function aboutWords(firings: readonly Firing[]): string {
  const byAlert = Map.groupBy(firings, ({ alert }) => alert);
  const parts = [...byAlert].map(([alert, of]) => {
    const on = new Set(of.map(subjectTitle));
    const isEvents = of.some((one) => subjectOf(one).type === "event");
    const [server = ""] = on;
    return t(isEvents ? "firingsOnEvents" : "firingsOn", { n: on.size, title: titleOf("alerts", alert), server });
  });
  return list(parts);
}

/** Ids of the receivers that were notified of any of these firings. */
export const toldReceivers = (members: Problem["members"]): string[] => [
  ...new Set(members.flatMap(({ told }) => Object.keys(told))),
];

export const toldWords = (members: Problem["members"], receivers: readonly Titled[] | undefined): string =>
  list(toldReceivers(members).map((id) => nameIn(receivers, id))) || t("toNobody");

/** Firings about which a notice has news. */
export const firingsOf = ({ new: fresh, repeated, over, brief = [], acknowledged }: Notice): string[] => [
  ...new Set([...fresh, ...repeated, ...over, ...brief, ...(acknowledged?.invocations ?? [])]),
];

export const wayWords = (receiver: Receiver | undefined): string => (receiver ? t(`way.${receiver.type}`) : "");
