import { type Telling, VERDICTS } from "../../../../fleet/alerts/telling.ts";

/**
 * The row that explains a firing best: one of a notified receiver, else one that is held. It lists the notified receivers of all
 * rows.
 */
export function leadOf(rows: readonly Telling[]): Telling {
  const [first, ...others] = rows.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  if (!first) throw new Error("A firing is explained for at least one receiver, or for none");
  const told = [first, ...others].flatMap((row) => row.told);
  return { ...first, told };
}

interface Unfired extends Pick<Telling, "state" | "history"> {
  /** Title of the alert. */
  readonly title: string;
  readonly place: string;
}

/** Explains that an alert is not firing on its subject. */
export const unfired = ({ title, place, state, history }: Unfired): Telling => ({
  receiver: null,
  title: "",
  state,
  verdict: "none",
  also: [],
  due: null,
  told: [],
  history,
  reason:
    state === "warming"
      ? `Nobody is told yet: ${title} is warming up on ${place}.`
      : `Nobody is told: ${title} is not firing on ${place}.`,
});
