import { type ListName, listed, titleOf } from "../../data/records/lists.ts";
import { list } from "../../texts/format.ts";
import {
  changedColumn,
  enabledField,
  idField,
  nameColumn,
  notesField,
  textColumn,
  titleField,
} from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { ADMIN, callsOf, type Definition, type DefinitionField } from "../definitions/kind.ts";
import { Opened } from "./opened.tsx";
import { Readers, readersOf } from "./readers.tsx";
import { t } from "./texts.ts";
import { SecretValues } from "./values.tsx";

const target = (member: "events" | "categories" | "plugins" | "web_hooks" | "checks"): DefinitionField => ({
  member,
  kind: "picks",
  label: () => t(`to.${member}`),
  choices: () => (listed(member as ListName) ?? []).map(({ id }) => ({ value: id, title: titleOf(member, id) })),
});
const namesOf = ({ names }: Definition): string => (Array.isArray(names) ? list(names.map(String)) : "");

export const Page = pageOf({
  path: "/secrets",
  icon: "key",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: (row) => t("removal", { n: readersOf(row).length }),
  useRows: () => listed("secrets"),
  needs: ADMIN,
  columns: [
    nameColumn("/secrets"),
    textColumn("names", () => t("variables"), namesOf),
    textColumn(
      "readers",
      () => t("readers"),
      (row) => t("readerCount", { n: readersOf(row).length }),
      { width: "9rem", rank: undefined },
    ),
    changedColumn,
  ],
  fields: [
    titleField,
    idField,
    enabledField,
    {
      member: "fields",
      label: () => t("values"),
      help: () => t("valuesHelp"),
      kind: "own",
      isSealed: true,
      Control: SecretValues,
    },
    target("events"),
    target("categories"),
    target("plugins"),
    target("web_hooks"),
    target("checks"),
    notesField,
  ],
  draft: () => ({
    title: "",
    enabled: true,
    fields: [{ name: "", value: "" }],
    events: [],
    categories: [],
    plugins: [],
    web_hooks: [],
  }),
  ...callsOf("Secret", "secret"),
  history: { type: "secrets", member: "secret" },
  Lead: Readers,
  Side: Opened,
});
