import { people } from "../../data/people/person-name.ts";
import { Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { Picks } from "../../parts/forms/picks.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { Add, Remove } from "../definitions/list-buttons.tsx";
import { HoursList, weekdays } from "../notice-routes/controls.tsx";
import type { Rota } from "../notices/data.ts";
import { t } from "./texts.ts";

type Layer = Rota["layers"][number];

/** Defaults of a new layer. It starts on a Monday, because the first handover must be on the weekday of all handovers. */
const FIRST: Layer = { users: [], turn: "week", every: 1, handover: { weekday: 1, at: "09:00" }, start: "2026-01-05" };

/** The people who take turns, and when they hand over. */
export function Layers({ id, value, onInput, isDisabled, values }: ControlProps) {
  const layers = (Array.isArray(value) ? value : []) as readonly Layer[];
  const put = (at: number, change: Partial<Layer>): void =>
    onInput(layers.map((layer, place) => (place === at ? { ...layer, ...change } : layer)));
  return (
    <div class="own-control">
      {layers.map((layer, at) => (
        <fieldset key={at} class="turns" disabled={isDisabled}>
          <legend>{t("layer", { n: at + 1 })}</legend>
          <LayerFields layer={layer} isDisabled={isDisabled} onChange={(change) => put(at, change)} />
          <Field label={t("only")}>
            {(control) => (
              <HoursList
                {...{ id: control, isDisabled, values, value: layer.only ?? [] }}
                onInput={(only) => put(at, { only } as Partial<Layer>)}
              />
            )}
          </Field>
          <Remove
            name={t("layer", { n: at + 1 })}
            isDisabled={isDisabled}
            onRemove={() => onInput(layers.toSpliced(at, 1))}
          />
        </fieldset>
      ))}
      <Add {...{ id, isDisabled }} onAdd={() => onInput([...layers, FIRST])}>
        {t("addLayer")}
      </Add>
    </div>
  );
}

interface LayerFieldsProps {
  readonly layer: Layer;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Layer>) => void;
}

function LayerFields({ layer, isDisabled, onChange }: LayerFieldsProps) {
  const { users, turn, every } = layer;
  return (
    <>
      <Field label={t("users")}>
        {(id) => (
          <Picks
            {...{ id, isDisabled, label: t("users"), values: users, choices: people(), isFree: true }}
            placeholder={common("addOne")}
            onInput={(names) => onChange({ users: [...names] })}
          />
        )}
      </Field>
      <Field label={t("turn")}>
        {(id) => (
          <Select
            {...{ id, value: turn }}
            choices={(["day", "week"] as const).map((name) => ({ value: name, title: t(`turn.${name}`) }))}
            onInput={(next) => onChange({ turn: next as Layer["turn"] })}
          />
        )}
      </Field>
      <Field label={t("every")}>
        {(id) => (
          <TextInput
            {...{ id, type: "number", value: String(every) }}
            onInput={(text) => onChange({ every: Number(text) })}
          />
        )}
      </Field>
      <HandOver layer={layer} onChange={onChange} />
    </>
  );
}

/** Weekday and time of the handover, and the day of the first one. */
function HandOver({ layer: { handover, start }, onChange }: Omit<LayerFieldsProps, "isDisabled">) {
  const onDay = (text: string): void => {
    const { weekday: _every, ...rest } = handover;
    onChange({ handover: text === "" ? rest : { ...rest, weekday: Number(text) } });
  };
  return (
    <>
      <Field label={t("weekday")}>
        {(id) => (
          <Select
            {...{ id, value: String(handover.weekday ?? ""), onInput: onDay }}
            choices={[{ value: "", title: t("everyDay") }, ...weekdays()]}
          />
        )}
      </Field>
      <Field label={t("handover")}>
        {(id) => (
          <TextInput
            {...{ id, type: "time", value: handover.at }}
            onInput={(at) => onChange({ handover: { ...handover, at } })}
          />
        )}
      </Field>
      <Field label={t("start")}>
        {(id) => <TextInput {...{ id, type: "date", value: start }} onInput={(day) => onChange({ start: day })} />}
      </Field>
    </>
  );
}
