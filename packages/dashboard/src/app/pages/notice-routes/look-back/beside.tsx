import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { personName } from "../../../data/people/person-name.ts";
import { listed, titleOf } from "../../../data/records/lists.ts";
import { Field, Select } from "../../../parts/forms/fields.tsx";
import { Picks } from "../../../parts/forms/picks.tsx";
import { t as common } from "../../../texts/words/common.ts";
import { type Rota, useDuties } from "../../notices/data.ts";
import { t } from "../texts.ts";

/** Hypothetical changes besides the route: ids of silences to lift, ids of rules to silence, and who is on duty, by rota. */
export interface Beside {
  readonly lifted: readonly string[];
  readonly silent: readonly string[];
  readonly duties: Readonly<Record<string, string>>;
}
export const AS_IT_WAS: Beside = { lifted: [], silent: [], duties: {} };

/** Choice of a rota without its overrides. No user can have this name. */
const NO_SWAPS = "/";
/** Id of the hypothetical silence and override. */
const TRIED = "tried_out";

type Question = NonNullable<Parameters<typeof api.backtestNotices>[0]>;

/** Converts the changes to members of the backtest's input. `from` and `to` are Unix seconds. */
export function asked(
  { lifted, silent, duties }: Beside,
  { from, to }: { readonly from: number; readonly to: number },
): Pick<Question, "silences" | "rotas"> {
  const gone = Object.fromEntries(lifted.map((id) => [id, null]));
  const silence = { title: TRIED, alerts: [...silent], start: from, end: to };
  const swap = (user: string) => ({ id: TRIED, start: from, end: to, user });
  const rotas = Object.entries(duties).filter(([, user]) => user !== "");
  return {
    silences: silent.length === 0 ? gone : { ...gone, [TRIED]: silence },
    rotas: Object.fromEntries(rotas.map(([id, user]) => [id, { overrides: user === NO_SWAPS ? [] : [swap(user)] }])),
  };
}

interface BesideProps {
  readonly value: Beside;
  readonly onInput: (value: Beside) => void;
}

/** Fields for hypothetical silences and duties. */
export function BesideFields({ value, onInput }: BesideProps) {
  const silences = useLoad("silences", (signal) => api.getSilences({}, { signal })).data.value?.rows ?? [];
  const rotas = (useDuties().data.value ?? []).map(({ rota }) => rota);
  const lists = [
    ["lifted", t("withoutSilences"), silences.map(({ id, title }) => ({ value: id, title: title || id }))],
    [
      "silent",
      t("silentRules"),
      (listed("alerts") ?? []).map(({ id }) => ({ value: id, title: titleOf("alerts", id) })),
    ],
  ] as const;
  return (
    <div class="inner form">
      {lists.map(
        ([member, label, choices]) =>
          choices.length > 0 && (
            <Field key={member} label={label}>
              {(id) => (
                <Picks
                  {...{ id, label, choices, values: value[member], placeholder: common("addOne") }}
                  onInput={(ids) => onInput({ ...value, [member]: ids })}
                />
              )}
            </Field>
          ),
      )}
      {rotas.map((rota) => (
        <Field key={rota.id} label={t("onDutyOf", { rota: rota.title || rota.id })}>
          {(id) => (
            <Select
              {...{ id, choices: dutiesOf(rota), value: value.duties[rota.id] ?? "" }}
              onInput={(user) => onInput({ ...value, duties: { ...value.duties, [rota.id]: user } })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** Choices for a rota: as planned, without overrides if there are any, or one of its people all the time. */
function dutiesOf({ layers, overrides: swaps }: Rota) {
  const overrides = swaps ?? [];
  const users = new Set([...layers.flatMap((layer) => layer.users), ...overrides.map(({ user }) => user)]);
  return [
    { value: "", title: t("asPlanned") },
    ...(overrides.length > 0 ? [{ value: NO_SWAPS, title: t("withoutSwaps") }] : []),
    ...[...users].map((user) => ({ value: user, title: t("allTheTime", { user: personName(user) }) })),
  ];
}
