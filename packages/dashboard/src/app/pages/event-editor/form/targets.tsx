import { listed, listedOne, titleOf } from "../../../data/records/lists.ts";
import { Check, Field, Select, TextInput } from "../../../parts/forms/fields.tsx";
import { list } from "../../../texts/format.ts";
import { algorithms } from "../algorithms.ts";
import type { Change, Draft } from "../draft.ts";
import { t } from "../texts.ts";

interface TargetsProps {
  readonly draft: Draft;
  readonly change: Change;
  readonly isMissing: boolean;
}

/** Servers on which it may run, and the choice of one of them. */
export function Targets({ draft, change, isMissing }: TargetsProps) {
  const known = algorithms();
  const algo = draft.algo ?? "random";
  const own = known.some(({ value }) => value === algo) ? [] : [{ value: algo, title: algo }];
  return (
    <>
      <Choices draft={draft} change={change} isMissing={isMissing} />
      <p class="means sm" role="status">
        {meaning(draft.targets)}
      </p>
      <Field label={t("algo")}>
        {(id) => (
          <Select id={id} value={algo} choices={[...own, ...known]} onInput={(value) => change({ algo: value })} />
        )}
      </Field>
      <Field label={t("expression")} help={t("expressionHelp")}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            isMono
            value={draft.expression ?? ""}
            onInput={(expression) => change({ expression })}
          />
        )}
      </Field>
    </>
  );
}

function Choices({ draft: { targets }, change, isMissing }: TargetsProps) {
  const groups = (listed("groups") ?? []).map(({ id }) => ({
    id,
    title: t("groupNamed", { name: titleOf("groups", id) }),
  }));
  const servers = (listed("servers") ?? []).map(({ id, hostname }) => ({
    id,
    title: titleOf("servers", id) || hostname,
  }));
  const shown = [...groups, ...servers];
  const gone = targets
    .filter((id) => !shown.some((one) => one.id === id))
    .map((id) => ({ id, title: t("notConnected", { name: id }) }));
  return (
    <fieldset class={isMissing ? "field bad" : "field"}>
      <legend>{t("targets")}</legend>
      <div class="checks">
        {[...shown, ...gone].map(({ id, title }) => (
          <Check
            key={id}
            value={targets.includes(id)}
            onInput={(isOn) => change({ targets: isOn ? [...targets, id] : targets.filter((other) => other !== id) })}
          >
            <span dir="auto">{title}</span>
          </Check>
        ))}
      </div>
      {isMissing && <p class="wrong">{t("noTargets")}</p>}
    </fieldset>
  );
}

/** The servers that the targets mean now. */
function meaning(targets: readonly string[]): string {
  const servers = (listed("servers") ?? []).filter(
    ({ id, groups = [], enabled }) =>
      enabled !== false &&
      targets.some((target) => target === id || (listedOne("groups", target) && groups.includes(target))),
  );
  if (servers.length === 0) return targets.length === 0 ? "" : t("meansNone");
  return t("means", {
    n: servers.length,
    names: list(servers.map(({ id, hostname }) => titleOf("servers", id) || hostname)),
  });
}
