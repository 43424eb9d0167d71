import { Button } from "../../parts/basic/button.tsx";
import { TextInput } from "../../parts/forms/fields.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { Add } from "../definitions/list-buttons.tsx";
import { t } from "./texts.ts";
import { pasteLines, ValueInput } from "./value-input.tsx";

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Edits the values of a secret, which are write-only: only the names of stored values are known. */
export function SecretValues({ id, value, values, onInput, isDisabled }: ControlProps) {
  const names = Array.isArray(values["names"]) ? values["names"].map(String) : [];
  const variables = Array.isArray(value) ? (value as readonly Variable[]) : undefined;
  if (!variables)
    return (
      <Sealed
        names={names}
        {...{ id, isDisabled }}
        onReplace={() => onInput(names.map((name) => ({ name, value: "" })))}
      />
    );
  const put = (at: number, change: Partial<Variable>): void =>
    onInput(variables.map((variable, place) => (place === at ? { ...variable, ...change } : variable)));
  return (
    <div class="own-control">
      {variables.map((variable, at) => (
        <div key={at} onPaste={(event) => pasteLines(event, (lines) => put(at, { value: lines }))}>
          <TextInput
            {...{ label: t("variableName"), placeholder: "API_TOKEN", value: variable.name, isMono: true, isDisabled }}
            onInput={(name) => put(at, { name })}
          />
          <ValueInput
            {...{ label: t("valueOf", { name: variable.name }), value: variable.value, isDisabled }}
            onInput={(text) => put(at, { value: text })}
          />
          <Button
            kind="bare"
            icon="x"
            label={common("removeNamed", { name: variable.name })}
            onClick={() => onInput(variables.filter((other) => other !== variable))}
          />
        </div>
      ))}
      <Add id={id} isDisabled={false} onAdd={() => onInput([...variables, { name: "", value: "" }])}>
        {t("addVariable")}
      </Add>
    </div>
  );
}

interface SealedProps {
  readonly id: string;
  readonly names: readonly string[];
  readonly isDisabled: boolean;
  readonly onReplace: () => void;
}

/** The names of the stored values, and a button that replaces the values. */
const Sealed = ({ id, names, isDisabled, onReplace }: SealedProps) => (
  <div class="own-control">
    <p class="sm">
      <span class="mono pre">{names.join(", ")}</span> <span class="dim">{t("sealed")}</span>
    </p>
    <Add {...{ id, isDisabled }} onAdd={onReplace}>
      {t("replace")}
    </Add>
  </div>
);
