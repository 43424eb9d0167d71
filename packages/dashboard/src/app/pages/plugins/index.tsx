import { listed, titleOf } from "../../data/records/lists.ts";
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
import { callsOf, type DefinitionField, needsOf, type Values } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { Parameters } from "./parameters.tsx";
import { t } from "./texts.ts";
import { Trial } from "./trial.tsx";

type Type = "event" | "monitor" | "action" | "scheduler";
const TYPES: readonly Type[] = ["event", "monitor", "action", "scheduler"];
const typeName = (type: unknown): string => (TYPES.includes(type as Type) ? t(`type.${type as Type}`) : String(type));
const isOf =
  (...types: readonly Type[]) =>
  ({ type }: Values): boolean =>
    types.includes(type as Type);
const KILLS = ["none", "parent", "all"] as const;
const FORMATS = [
  { value: "text", title: "Text" },
  { value: "json", title: "JSON" },
  { value: "xml", title: "XML" },
];

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  {
    member: "type",
    label: () => t("type"),
    kind: "select",
    choices: () => TYPES.map((value) => ({ value, title: typeName(value) })),
  },
  enabledField,
  { member: "command", label: () => t("command"), help: () => t("commandHelp"), kind: "text", isRequired: true },
  { member: "script", label: () => t("script"), help: () => t("scriptHelp"), kind: "code" },
  {
    member: "params",
    kind: "own",
    Control: Parameters,
    when: isOf("event", "action", "scheduler"),
    label: () => t("params"),
    help: () => t("paramsHelp"),
  },
  {
    member: "groups",
    kind: "picks",
    when: isOf("monitor"),
    label: () => t("groups"),
    help: () => t("groupsHelp"),
    choices: () => (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) })),
  },
  {
    member: "format",
    label: () => t("format"),
    kind: "select",
    when: isOf("monitor"),
    choices: () => FORMATS,
  },
  { member: "quick", label: () => t("quick"), kind: "check", when: isOf("monitor") },
  { member: "timeout", label: () => t("timeout"), kind: "number", when: isOf("monitor", "action", "scheduler") },
  {
    member: "cwd",
    label: () => t("cwd"),
    help: () => t("cwdHelp"),
    kind: "text",
    when: isOf("monitor", "action", "scheduler"),
  },
  {
    member: "kill",
    label: () => t("kill"),
    kind: "select",
    when: isOf("event"),
    choices: () => KILLS.map((value) => ({ value, title: t(`kill.${value}`) })),
    usual: "parent",
  },
  { member: "uid", label: () => t("uid"), help: () => t("adminsOnly"), kind: "text" },
  { member: "gid", label: () => t("gid"), help: () => t("adminsOnly"), kind: "text" },
  { member: "runner", label: () => t("runner"), help: () => t("adminsOnly"), kind: "check", when: isOf("event") },
  notesField,
];

const eventsOf = (id: string) => (listed("events") ?? []).filter(({ plugin }) => plugin === id);

export const Page = pageOf({
  path: "/plugins",
  icon: "plug",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: ({ id }) => t("removal", { n: eventsOf(id).length }),
  useRows: () => listed("plugins"),
  needs: needsOf("plugins"),
  columns: [
    nameColumn("/plugins"),
    textColumn(
      "type",
      () => t("type"),
      ({ type }) => typeName(type),
      { width: "8rem", rank: undefined },
    ),
    textColumn(
      "command",
      () => t("command"),
      ({ command }) => String(command ?? ""),
    ),
    textColumn(
      "origin",
      () => t("origin"),
      ({ stock, marketplace }) => (marketplace ? t("market") : stock ? t("stock") : t("own")),
      { width: "8rem", rank: 2 },
    ),
    changedColumn,
  ],
  fields,
  draft: () => ({ title: "", type: "event", enabled: true, command: "", script: "", kill: "parent" }),
  ...callsOf("Plugin", "plugin"),
  history: { type: "plugins", member: "plugin" },
  Side: Trial,
  uses: ({ id }) => usesOf(id, ["plugin", "plugin_id", "plugins"], ["events", "alerts", "categories", "secrets"]),
});
