import { listed, listedOne, titleOf } from "../../../data/records/lists.ts";
import { Field, Select, TextInput } from "../../../parts/forms/fields.tsx";
import { PickList } from "../../../parts/forms/pick-list.tsx";
import { list } from "../../../texts/format.ts";
import { algorithms } from "../algorithms.ts";
import type { Change, Draft } from "../draft.ts";
import { t } from "../texts.ts";

interface TargetsProps {
  readonly draft: Draft;
  readonly change: Change;
  readonly isMissing: boolean;
}

/** Servers on which the event may run, and how one of them is chosen. */
export function Targets({ draft, change, isMissing }: TargetsProps) {
  const known = algorithms();
  const algo = draft.algo ?? "random";
  const own = known.some(({ value }) => value === algo) ? [] : [{ value: algo, title: algo }];
  return (
    <>
      <div>
        <Choices draft={draft} change={change} isMissing={isMissing} />
        <p class="means sm dim" role="status">
          {meaning(draft.targets)}
        </p>
      </div>
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
    value: id,
    title: t("groupNamed", { name: titleOf("groups", id) }),
  }));
  const servers = (listed("servers") ?? []).map(({ id }) => ({ value: id, title: titleOf("servers", id) }));
  const shown = [...groups, ...servers];
  const gone = targets
    .filter((id) => !shown.some(({ value }) => value === id))
    .map((id) => ({ value: id, title: t("notConnected", { name: titleOf("servers", id) }) }));
  return (
    <PickList
      label={t("targets")}
      choices={[...shown, ...gone]}
      value={targets}
      onInput={(next) => change({ targets: [...next] })}
      error={isMissing ? t("noTargets") : undefined}
    />
  );
}

/** Maximum number of servers listed by name; the others are only counted. */
const NAMED = 12;

/** Names the servers that the targets currently match. */
function meaning(targets: readonly string[]): string {
  const servers = (listed("servers") ?? []).filter(
    ({ id, groups = [], enabled }) =>
      enabled !== false &&
      targets.some((target) => target === id || (listedOne("groups", target) && groups.includes(target))),
  );
  if (servers.length === 0) return targets.length === 0 ? "" : t("meansNone");
  const names = servers.slice(0, NAMED).map(({ id }) => titleOf("servers", id));
  const further = servers.length > NAMED ? [t("further", { n: servers.length - NAMED })] : [];
  return t("means", { n: servers.length, names: list([...names, ...further]) });
}
