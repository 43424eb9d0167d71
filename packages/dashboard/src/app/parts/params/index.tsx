import { useState } from "preact/hooks";
import { isAdmin } from "../../data/calls/session.ts";
import { type ListName, listed, titleOf } from "../../data/records/lists.ts";
import { Check, Field, Select, TextArea, TextInput } from "../forms/fields.tsx";
import { choicesOf, chosenOf, type Definition, isAsked, type Values } from "./definitions.ts";
import { t } from "./texts.ts";

interface ParamFieldsProps {
  readonly definitions: readonly Definition[];
  /** Values chosen so far; a missing one has its default. */
  readonly values: Values;
  /** Called with the one changed value, to be merged into the others. */
  readonly onInput: (change: Values) => void;
  /** Ids of the required fields that are still empty. */
  readonly missing?: readonly string[];
}

/** Fields for the parameters of a plugin or an event, by type. */
export const ParamFields = ({ definitions, values, onInput, missing = [] }: ParamFieldsProps) => (
  <>
    {definitions.map((definition) =>
      definition.type === "group" ? (
        <h3 key={definition.id}>{definition.title}</h3>
      ) : (
        isAsked(definition) && (
          <ParamField
            key={definition.id}
            definition={definition}
            value={chosenOf(definition, values)}
            isMissing={missing.includes(definition.id)}
            onInput={(value) => onInput({ [definition.id]: value })}
          />
        )
      ),
    )}
  </>
);

interface ParamFieldProps {
  readonly definition: Definition;
  readonly value: unknown;
  readonly isMissing: boolean;
  readonly onInput: (value: unknown) => void;
}

function ParamField(props: ParamFieldProps) {
  const { definition, isMissing } = props;
  const { id, type, title = "", caption, required, locked } = definition;
  const isLocked = Boolean(locked) && !isAdmin();
  const name = title || id;
  if (type === "checkbox") return <Box {...props} name={name} isLocked={isLocked} />;
  return (
    <Field
      label={required ? t("required", { name }) : name}
      help={isLocked ? t("locked") : caption}
      error={isMissing ? t("missing") : undefined}
    >
      {(fieldId, describedBy) => <Control {...props} id={fieldId} describedBy={describedBy} isLocked={isLocked} />}
    </Field>
  );
}

const Box = ({
  definition: { caption },
  value,
  onInput,
  name,
  isLocked,
}: ParamFieldProps & { readonly name: string; readonly isLocked: boolean }) => (
  <div class="field">
    <Check value={Boolean(value)} onInput={onInput} isDisabled={isLocked}>
      {name}
    </Check>
    {caption && <p class="help">{caption}</p>}
  </div>
);

interface ControlProps extends ParamFieldProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isLocked: boolean;
}

const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

function Control({ definition, value, onInput, id, describedBy, isLocked }: ControlProps) {
  const common = { id, describedBy, isDisabled: isLocked };
  const { type, variant, multiple } = definition;
  if (type === "json" || type === "toolset") return <JsonInput {...common} value={value} onInput={onInput} />;
  if (type === "textarea" || type === "code")
    return (
      <TextArea
        {...common}
        value={textOf(value)}
        onInput={onInput}
        isMono={type === "code"}
        rows={type === "code" ? 8 : 4}
      />
    );
  const choices = offered(definition);
  if (choices && multiple)
    return <Several {...common} choices={choices} value={value} onInput={onInput} definition={definition} />;
  if (choices)
    return <Select {...common} choices={withCurrent(choices, textOf(value))} value={textOf(value)} onInput={onInput} />;
  if (variant === "number")
    return (
      <TextInput
        {...common}
        type="number"
        value={textOf(value)}
        onInput={(text) => onInput(text === "" ? null : Number(text))}
      />
    );
  return (
    <TextInput
      {...common}
      type={(TYPES.get(variant ?? "") ?? "text") as "text"}
      value={textOf(value)}
      onInput={onInput}
    />
  );
}

const TYPES: ReadonlyMap<string, string> = new Map(
  ["date", "datetime-local", "email", "password", "time", "tel", "url", "color"].map((variant) => [variant, variant]),
);

/** Choices of a field: of the menu, or records of a kind. */
function offered(definition: Definition) {
  if (definition.type === "select") return choicesOf(definition);
  const name = definition["list_id"] as ListName | undefined;
  if (definition.type !== "system" || name === undefined) return undefined;
  const rows = listed(name) ?? [];
  return [{ value: "", title: t("none") }, ...rows.map(({ id }) => ({ value: id, title: titleOf(name, id) }))];
}

/** Keeps a value visible that is no longer offered. */
const withCurrent = (choices: ReturnType<typeof choicesOf>, value: string) =>
  choices.some((choice) => choice.value === value) ? choices : [...choices, { value, title: value || t("none") }];

interface ValueProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isDisabled: boolean;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
}

function Several({
  choices,
  definition: { id, title },
  value,
  onInput,
  isDisabled,
}: ValueProps & { readonly definition: Definition } & { readonly choices: ReturnType<typeof choicesOf> }) {
  const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
  const set = (one: string, isOn: boolean): void =>
    onInput(choices.map((choice) => choice.value).filter((other) => (other === one ? isOn : chosen.has(other))));
  return (
    <div class="checks" role="group" aria-label={title || id}>
      {choices.map((choice) => (
        <Check
          key={choice.value}
          value={chosen.has(choice.value)}
          isDisabled={isDisabled}
          onInput={(isOn) => set(choice.value, isOn)}
        >
          {choice.title}
        </Check>
      ))}
    </div>
  );
}

/** A structured value as JSON. A text that cannot be parsed is not passed on, and the field says so. */
function JsonInput({ id, describedBy, isDisabled, value, onInput }: ValueProps) {
  const [text, setText] = useState(() => (value === undefined || value === "" ? "" : JSON.stringify(value, null, 2)));
  const [fault, setFault] = useState("");
  const read = (entered: string): void => {
    setText(entered);
    try {
      onInput(entered.trim() === "" ? undefined : JSON.parse(entered));
      setFault("");
    } catch (reason) {
      setFault((reason as Error).message);
    }
  };
  return (
    <>
      <TextArea id={id} describedBy={describedBy} isDisabled={isDisabled} value={text} onInput={read} isMono rows={6} />
      {fault && <p class="wrong">{t("json", { fault })}</p>}
    </>
  );
}
