import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can, isAdmin, viewer } from "../../data/calls/session.ts";
import { people, personName } from "../../data/people/person-name.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { type Choice, Field, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { now, timeZone, when } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { fromInput, toInput } from "../../texts/zone.ts";
import type { PartProps } from "../definitions/kind.ts";
import type { Rota } from "../notices/data.ts";
import { t } from "./texts.ts";

type Override = NonNullable<Rota["overrides"]>[number];

/** People may swap their own shifts. Those with `manage_routes` may swap all. */
const maySwap = ({ user, instead_of }: Override): boolean =>
  can("manage_routes") || (can("acknowledge_alerts") && [user, instead_of].includes(viewer.peek()?.id));

/** Temporary substitutes. */
export function Overrides({ row }: PartProps) {
  const [isOpen, setOpen] = useState(false);
  const overrides = ((row["overrides"] ?? []) as readonly Override[]).filter(({ end }) => end > now.peek());
  const remove = (override: string) => () =>
    act(`swap ${row.id}`, { run: () => api.removeRotaOverride({ id: row.id, override }), done: t("takenBack") });
  return (
    <Panel
      title={t("overrides")}
      count={overrides.length}
      more={
        (can("manage_routes") || can("acknowledge_alerts")) && (
          <Button kind="row" icon="plus" onClick={() => setOpen(true)}>
            {t("addOverride")}
          </Button>
        )
      }
    >
      {overrides.length === 0 ? (
        <Empty>{t("noOverrides")}</Empty>
      ) : (
        <ul class="linked">
          {overrides.map((one) => (
            <Taken key={one.id} one={one} deed={`swap ${row.id}`} onRemove={remove(one.id)} />
          ))}
        </ul>
      )}
      {isOpen && <Swap rota={row.id} turns={row["layers"] as Rota["layers"]} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

const HOUR = 3600;

const FIELDS = [
  ["user", "who", "text"],
  ["insteadOf", "insteadOf", "text"],
  ["from", "from", "datetime-local"],
  ["to", "to", "datetime-local"],
  ["note", "note", "text"],
] as const;

/** Accounts, plus people of the rota whose accounts the viewer may not list. */
function offersOf(turns: Rota["layers"]): readonly Choice[] {
  const accounts = people();
  const inTurn = new Set(turns.flatMap(({ users }) => users));
  for (const { value } of accounts) inTurn.delete(value);
  return [...accounts, ...[...inTurn].map((name) => ({ value: name, title: name }))];
}

/** Of a name that no account has nobody would be on duty. People who may not list accounts cannot know. */
function unknownText(name: string, offers: readonly Choice[]): string | undefined {
  const isKnown = !isAdmin() || name === "" || offers.length === 0 || offers.some(({ value }) => value === name);
  return isKnown ? undefined : t("unknownUser");
}

interface SwapProps {
  readonly rota: string;
  readonly turns: Rota["layers"];
  readonly onClose: () => void;
}

function Swap({ rota, turns, onClose }: SwapProps) {
  const zone = timeZone.peek();
  const soon = Math.ceil(now.peek() / HOUR) * HOUR;
  const [draft, setDraft] = useState({
    ...{ user: viewer.peek()?.id ?? "", insteadOf: "", note: "" },
    ...{ from: toInput(soon, zone), to: toInput(soon + 8 * HOUR, zone) },
  });
  const isOwn = !can("manage_routes");
  const save = async (): Promise<void> => {
    const { user, insteadOf, note, from, to } = draft;
    const times = { start: fromInput(from, zone) ?? 0, end: fromInput(to, zone) ?? 0 };
    const override = { user, ...times, ...(insteadOf ? { instead_of: insteadOf } : {}), ...(note ? { note } : {}) };
    const run = () => api.addRotaOverride({ id: rota, override });
    if (await act(`swap ${rota}`, { run, done: t("putDone", { who: personName(user) }) })) onClose();
  };
  const offers = offersOf(turns);
  return (
    <FormDialog
      title={t("addOverride")}
      onClose={onClose}
      onSubmit={save}
      verb={t("put")}
      note={<span class="xs dim">{frame("zone", { zone })}</span>}
    >
      {FIELDS.map(([member, label, type]) => (
        <Field key={member} label={t(label)} error={member === "user" ? unknownText(draft.user, offers) : undefined}>
          {(id) => (
            <TextInput
              {...{ id, type, value: draft[member], isRequired: member !== "insteadOf" && member !== "note" }}
              isDisabled={isOwn && member === "user" && draft.insteadOf === ""}
              placeholder={member === "insteadOf" ? t("anybody") : ""}
              offers={member === "user" || member === "insteadOf" ? offers : undefined}
              onInput={(text) => setDraft({ ...draft, [member]: text })}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}

interface TakenProps {
  readonly one: Override;
  readonly deed: string;
  readonly onRemove: () => unknown;
}

/** One override, with a button that removes it. */
const Taken = ({ one, deed, onRemove }: TakenProps) => (
  <li>
    <span class="cut grow" dir="auto">
      <b>{personName(one.user)}</b> {one.instead_of && t("inPlaceOf", { who: personName(one.instead_of) })}
      <span class="dim xs sub">
        {t("fromTo", { from: when(one.start), to: when(one.end) })} {one.note}
      </span>
    </span>
    {maySwap(one) && (
      <Action
        needs={can("manage_routes") ? "manage_routes" : "acknowledge_alerts"}
        deed={deed}
        kind="row"
        run={onRemove}
      >
        {t("takeBack")}
      </Action>
    )}
  </li>
);
