import { firing } from "../../data/records/counts.ts";
import type { listed } from "../../data/records/lists.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { severityState } from "../alerts/state.ts";
import { t } from "./texts.ts";

export type Rule = NonNullable<ReturnType<typeof listed<"alerts">>>[number];

/** Number of servers or other subjects on which a rule fires now. */
export const firesNow = (id: string): number =>
  firing.value.filter(({ alert, active }) => active && alert === id).length;

/** State of a rule: firing, quiet or off. */
export function RuleState({
  rule: { id, enabled, severity },
}: {
  readonly rule: Pick<Rule, "enabled" | "id" | "severity">;
}) {
  if (!enabled) return <Mark state="abort" label={t("off")} />;
  return firesNow(id) > 0 ? (
    <Mark state={severityState(severity)} label={t("fires")} />
  ) : (
    <Mark state="ok" label={t("quiet")} />
  );
}
