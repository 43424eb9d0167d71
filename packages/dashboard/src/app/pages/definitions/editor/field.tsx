import { Check, Field, Select, TextArea, TextInput } from "../../../parts/forms/fields.tsx";
import { Picks } from "../../../parts/forms/picks.tsx";
import { SpanInput } from "../../../parts/forms/span-field.tsx";
import { t as common } from "../../../texts/words/common.ts";
import type { ControlProps, DefinitionField, Values } from "../kind.ts";

interface FormFieldProps {
  readonly field: DefinitionField;
  readonly values: Values;
  readonly isDisabled: boolean;
  /** Why the server refused the value. */
  readonly error?: string | undefined;
  readonly onInput: (member: string, value: unknown) => void;
}

/** One member of a definition in its editor. */
export function FormField({ field, values, isDisabled, error, onInput }: FormFieldProps) {
  const value = values[field.member] ?? field.usual;
  const set = (next: unknown): void => onInput(field.member, next);
  if (field.kind === "check")
    return (
      <div class="field">
        <Check value={Boolean(value)} onInput={set} isDisabled={isDisabled}>
          {field.label()}
        </Check>
        {field.help && <p class="help">{field.help()}</p>}
      </div>
    );
  return (
    <Field label={field.label()} help={field.help?.()} error={error}>
      {(id, describedBy) => (
        <Control
          field={field}
          values={values}
          isDisabled={isDisabled}
          describedBy={describedBy}
          id={id}
          value={value}
          onInput={set}
        />
      )}
    </Field>
  );
}

interface FieldControlProps extends ControlProps {
  readonly field: DefinitionField;
  readonly describedBy: string | undefined;
}

function Control({ field, describedBy, ...control }: FieldControlProps) {
  const { id, value, onInput, isDisabled, values } = control;
  const plain = { id, describedBy, isDisabled, onInput, value: String(value ?? "") };
  switch (field.kind) {
    case "area":
      return <TextArea {...plain} rows={3} />;
    case "code":
      return <TextArea {...plain} rows={Math.min(20, Math.max(4, plain.value.split("\n").length + 1))} isMono />;
    case "number":
      return <TextInput {...plain} type="number" onInput={(text) => onInput(text === "" ? undefined : Number(text))} />;
    case "span":
      return <SpanInput {...plain} label={field.label()} value={typeof value === "number" ? value : undefined} />;
    case "select":
      return <Select {...plain} choices={field.choices?.(values) ?? []} />;
    case "picks":
      return (
        <Picks
          id={id}
          isDisabled={isDisabled}
          onInput={onInput}
          label={field.label()}
          isFree={field.isFree === true}
          values={Array.isArray(value) ? value.map(String) : []}
          choices={field.choices?.(values) ?? []}
          placeholder={common("addOne")}
        />
      );
    case "own":
      return field.Control ? <field.Control {...control} /> : null;
    default:
      return <TextInput {...plain} isRequired={field.isRequired === true} isMono={field.member === "id"} />;
  }
}
