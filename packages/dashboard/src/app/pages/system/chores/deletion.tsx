import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api, can } from "../../../data/calls/session.ts";
import { Button } from "../../../parts/basic/button.tsx";
import { Field, TextInput } from "../../../parts/forms/fields.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { PickList } from "../../../parts/forms/pick-list.tsx";
import { t as common } from "../../../texts/words/common.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { t } from "../texts.ts";
import { Chore, isWord } from "./chore.tsx";

type Items = NonNullable<NonNullable<Parameters<typeof api.adminDeleteData>[0]>["items"]>;

/** Records of the past, each kind in its own table. */
const TABLES = ["jobs", "alerts", "tickets", "snapshots", "activity", "servers"] as const;
const SERIES = ["monitorData", "statData"] as const;
/** Definitions, by their names in a transfer. Accounts are not included; they are deleted one by one. */
const LISTS = [
  ...["events", "categories", "groups", "plugins", "tags", "channels", "web_hooks"],
  ...["alerts", "monitors", "secrets", "buckets", "roles", "api_keys"],
] as const;

const titleOfTable = (name: string): string => t(`table.${name as (typeof TABLES)[number]}`);
const titleOfSeries = (name: string): string => t(`series.${name as (typeof SERIES)[number]}`);

function titleOfList(name: string): string {
  if (name === "api_keys") return t("list.api_keys");
  if (name === "roles") return t("list.roles");
  if (name === "alerts") return frame("page.alert-rules");
  return frame(`page.${name.replace("_", "-") as "tags"}`);
}

const choices = (names: readonly string[], titleOf: (name: string) => string) =>
  names.map((value) => ({ value, title: titleOf(value) }));

/** Deletes whole tables and lists, before an import or to start over. */
export function Deletion() {
  const [isOpen, setOpen] = useState(false);
  if (!can("admin")) return null;
  return (
    <Chore title={t("deletion")} help={t("deletionHelp")}>
      <Button kind="danger" icon="trash" onClick={() => setOpen(true)}>
        {t("deleteData")}
      </Button>
      {isOpen && <Form onClose={() => setOpen(false)} />}
    </Chore>
  );
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const [tables, setTables] = useState<readonly string[]>([]);
  const [series, setSeries] = useState<readonly string[]>([]);
  const [lists, setLists] = useState<readonly string[]>([]);
  const [word, setWord] = useState("");
  const items = [
    ...lists.map((name) => ({ type: "list", key: `global/${name}` })),
    ...tables.map((index) => ({ type: "index", index })),
    ...series.map((type) => ({ type })),
  ] as Items;
  const remove = async (): Promise<void> => {
    const run = () => api.adminDeleteData({ items });
    if (await act("delete data", { run, done: t("started") })) onClose();
  };
  return (
    <FormDialog
      title={t("deletionTitle")}
      onClose={onClose}
      onSubmit={remove}
      verb={items.length > 0 ? t("deleteChosen", { n: items.length }) : common("delete")}
      isDanger
      isReady={isWord(word, t("deleteWord")) && items.length > 0}
      hasText
    >
      <ul class="stack">
        <li>{t("deletionRows")}</li>
        <li>{t("rotateScheduler")}</li>
      </ul>
      <div class="form">
        <PickList label={t("tables")} choices={choices(TABLES, titleOfTable)} value={tables} onInput={setTables} />
        <PickList label={t("series")} choices={choices(SERIES, titleOfSeries)} value={series} onInput={setSeries} />
        <PickList label={t("lists")} choices={choices(LISTS, titleOfList)} value={lists} onInput={setLists} />
      </div>
      <Field label={frame("typeToConfirm", { name: t("deleteWord") })}>
        {(id) => <TextInput id={id} value={word} onInput={setWord} />}
      </Field>
    </FormDialog>
  );
}
