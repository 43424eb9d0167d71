import { listed, listedOne } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { href } from "../../router/router.ts";
import { type Rule as Listed, RuleState } from "../alert-rules/state.tsx";
import { t } from "../alert-rules/texts.ts";
import type { Rule } from "./draft.ts";

/** Rules that hold this one back, and rules that it holds back, each with its current state. */
export function Dependencies({ rule: { id, depends_on, inhibits } }: { readonly rule: Rule }) {
  const all = listed("alerts") ?? [];
  const named = (ids: readonly string[] | null | undefined): Listed[] =>
    (ids ?? []).flatMap((one) => listedOne("alerts", one) ?? []);
  const parts = [
    ["heldBy", named(depends_on)],
    ["inhibitedBy", all.filter((other) => other.inhibits?.includes(id))],
    ["holding", all.filter((other) => other.depends_on?.includes(id))],
    ["inhibiting", named(inhibits)],
  ] as const;
  const shown = parts.filter(([, rules]) => rules.length > 0);
  return (
    <Panel title={t("dependencies")}>
      {shown.length === 0 ? (
        <Empty>{t("noDependencies")}</Empty>
      ) : (
        shown.map(([name, rules]) => (
          <section class="blk" key={name}>
            <h3>{t(name)}</h3>
            <ul class="linked">
              {rules.map((other) => (
                <li key={other.id}>
                  <RuleState rule={other} />
                  <a class="grow cut" href={href(`/alert-rules/${other.id}`)} dir="auto">
                    {other.title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </Panel>
  );
}
