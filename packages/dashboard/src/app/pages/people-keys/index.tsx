import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { forgetLoaded } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { TextInput } from "../../parts/forms/fields.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { TIME_WIDTH } from "../../parts/time.tsx";
import { when } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import { nameColumn, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import {
  ADMIN,
  type ControlProps,
  type Definition,
  type DefinitionField,
  type PartProps,
  type Values,
} from "../definitions/kind.ts";
import { activeField, limitFields, rolesField, Sections, useApiKeys } from "../people/holders.tsx";
import { May, mayText } from "../people/may.tsx";
import { t } from "../people/texts.ts";

/** The new key in plain text. It is kept only in memory, until the viewer leaves the page. */
const fresh = signal<{ readonly id: string; readonly key: string } | undefined>(undefined);

const isoOf = (epoch: unknown): string =>
  typeof epoch === "number" && epoch > 0 ? new Date(epoch * 1000).toISOString().slice(0, 10) : "";

/** Edits the day from which the key no longer works, stored as 00:00 UTC of that day. */
const Expiry = ({ id, value, onInput, isDisabled }: ControlProps) => (
  <TextInput
    id={id}
    isDisabled={isDisabled}
    type="date"
    value={isoOf(value)}
    onInput={(day) => onInput(day ? Date.parse(`${day}T00:00:00Z`) / 1000 : null)}
  />
);

const fields: readonly DefinitionField[] = [
  titleField,
  { member: "description", label: () => t("description"), kind: "area" },
  activeField,
  rolesField,
  ...limitFields,
  { member: "expires", label: () => t("expires"), help: () => t("expiresHelp"), kind: "own", Control: Expiry },
  { member: "max_per_sec", label: () => t("maxPerSec"), help: () => t("maxPerSecHelp"), kind: "number" },
];

function Once({ id }: { readonly id: string }) {
  const [isCopied, setCopied] = useState(false);
  const isLost = fresh.value?.id === id && !isCopied;
  useUnsaved(isLost, { title: t("leaveKey"), text: t("leaveKeyWhy") });
  useEffect(
    () => () => {
      fresh.value = undefined;
    },
    [],
  );
  if (fresh.value?.id !== id) return null;
  const { key } = fresh.value;
  const copy = async (): Promise<void> => {
    const run = () => navigator.clipboard.writeText(key).then(() => true);
    if (await act("copy key", { run, done: common("copied") })) setCopied(true);
  };
  return (
    <Panel title={t("onceTitle")}>
      <div class="inner stack" role="status">
        <code class="mono once">{key}</code>
        <p class="sm">{t("once")}</p>
        <div>
          <Button icon="copy" onClick={copy}>
            {common("copy")}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

const Lead = ({ row: { id }, values }: PartProps) => (
  <>
    <Once id={id} />
    <May values={{ ...values, enabled: values["active"] }} />
  </>
);

const lastUsed = ({ last_used: at }: Definition): string => (typeof at === "number" ? when(at) : common("never"));
type CreateInput = Parameters<typeof api.createApiKey>[0];

export const Page = pageOf({
  path: "/people/keys",
  icon: "key",
  texts: () => ({ title: t("keys"), create: t("createKey"), empty: t("noKeys") }),
  removal: () => t("keyRemoval"),
  useRows: useApiKeys,
  needs: ADMIN,
  columns: [
    nameColumn("/people/keys"),
    textColumn(
      "mask",
      () => t("mask"),
      ({ mask }) => String(mask ?? ""),
      { width: "11rem" },
    ),
    textColumn("may", () => t("may"), mayText, { width: "9rem", rank: undefined }),
    textColumn("used", () => t("lastUsed"), lastUsed, { width: TIME_WIDTH, isNumber: true }),
  ],
  fields,
  draft: () => ({ title: "", description: "", active: true, privileges: {}, roles: [] }),
  async create(values: Values) {
    const { api_key: made, plain_key: key } = await api.createApiKey(values as unknown as CreateInput);
    fresh.value = { id: made.id, key };
    forgetLoaded();
    return made.id;
  },
  update: (id, values) => api.updateApiKey({ ...values, id }),
  remove: (id) => api.deleteApiKey({ id }),
  Above: Sections,
  Lead,
});
