import { Button } from "../../parts/basic/button.tsx";
import { TextInput } from "../../parts/forms/fields.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { Add } from "../definitions/list-buttons.tsx";
import { t } from "./texts.ts";

interface Header {
  readonly name: string;
  readonly value: string;
}

/** Edits request headers, one per line. */
export function Headers({ value, onInput, isDisabled, id }: ControlProps) {
  const headers = (Array.isArray(value) ? value : []) as readonly Header[];
  const put = (at: number, change: Partial<Header>): void =>
    onInput(headers.map((header, place) => (place === at ? { ...header, ...change } : header)));
  return (
    <div class="own-control">
      {headers.map((header, at) => (
        <div key={at}>
          <TextInput
            label={t("headerName")}
            placeholder={t("headerName")}
            value={header.name}
            isDisabled={isDisabled}
            onInput={(name) => put(at, { name })}
          />
          <TextInput
            label={t("headerValue")}
            placeholder={t("headerValue")}
            value={header.value}
            isDisabled={isDisabled}
            onInput={(text) => put(at, { value: text })}
          />
          {!isDisabled && (
            <Button
              kind="bare"
              icon="x"
              label={common("removeNamed", { name: header.name })}
              onClick={() => onInput(headers.filter((other) => other !== header))}
            />
          )}
        </div>
      ))}
      <Add id={id} isDisabled={isDisabled} onAdd={() => onInput([...headers, { name: "", value: "" }])}>
        {t("addHeader")}
      </Add>
    </div>
  );
}
