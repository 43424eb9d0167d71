import { listed, titleOf } from "../../data/records/lists.ts";
import { duration } from "../../texts/format.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type Definition, type DefinitionField, type Values } from "../definitions/kind.ts";
import { categoryField, KEEPERS, serverField, severityField, spanField, tagsField } from "../watched/fields.ts";
import { standingColumn } from "../watched/standing.tsx";
import { Headers } from "../web-hooks/headers.tsx";
import { Lead } from "./results.tsx";
import { t } from "./texts.ts";

const valued = (values: readonly string[]) => () => values.map((value) => ({ value, title: value }));
const isOf =
  (...types: readonly string[]) =>
  ({ type }: Values): boolean =>
    types.includes(String(type));

const TYPES = ["http", "tcp", "dns", "tls"] as const;
const http: Pick<DefinitionField, "when"> = { when: isOf("http") };
const dns: Pick<DefinitionField, "when"> = { when: isOf("dns") };
const tls: Pick<DefinitionField, "when"> = { when: isOf("tls") };
const hosts: Pick<DefinitionField, "when"> = { when: isOf("tcp", "tls") };
const certified: Pick<DefinitionField, "when"> = { when: isOf("http", "tls") };

const asked: readonly DefinitionField[] = [
  { ...http, member: "url", label: () => t("url"), kind: "text", isRequired: true },
  { ...http, member: "method", label: () => t("method"), kind: "select", choices: valued(["GET", "HEAD", "POST"]) },
  {
    ...http,
    member: "headers",
    kind: "own",
    Control: Headers,
    label: () => t("headers"),
    help: () => t("headersHelp"),
  },
  { ...http, member: "body", label: () => t("body"), kind: "area" },
  { ...hosts, member: "host", label: () => t("host"), kind: "text", isRequired: true },
  { ...hosts, member: "port", label: () => t("port"), kind: "number", isRequired: true },
  { member: "send", label: () => t("send"), help: () => t("sendHelp"), kind: "text", when: isOf("tcp") },
  { ...dns, member: "name", label: () => t("name"), kind: "text", isRequired: true },
  {
    ...dns,
    member: "record",
    label: () => t("record"),
    kind: "select",
    choices: valued(["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA"]),
  },
  { ...dns, member: "resolver", label: () => t("resolver"), help: () => t("resolverHelp"), kind: "text" },
  {
    ...dns,
    member: "equals",
    kind: "picks",
    isFree: true,
    choices: () => [],
    label: () => t("equals"),
    help: () => t("equalsHelp"),
  },
  {
    ...dns,
    member: "match",
    kind: "select",
    label: () => t("match"),
    choices: () => (["all", "any"] as const).map((value) => ({ value, title: t(`match.${value}`) })),
  },
  { ...tls, member: "servername", label: () => t("servername"), help: () => t("servernameHelp"), kind: "text" },
  { ...tls, member: "starttls", label: () => t("starttls"), kind: "select", choices: valued(["none", "smtp", "imap"]) },
];

const placesOf = (name: "servers" | "groups") =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const judged: readonly DefinitionField[] = [
  {
    member: "from",
    kind: "picks",
    label: () => t("from"),
    help: () => t("fromHelp"),
    choices: () => [{ value: "engine", title: t("engine") }, ...placesOf("servers"), ...placesOf("groups")],
  },
  { member: "agree", label: () => t("agree"), help: () => t("agreeHelp"), kind: "number" },
  spanField("every", () => t("every")),
  spanField("timeout", () => t("timeout")),
  { member: "retries", label: () => t("retries"), help: () => t("retriesHelp"), kind: "number" },
  spanField(
    "retry_every",
    () => t("retryEvery"),
    () => t("retryEveryHelp"),
  ),
  {
    ...http,
    member: "status",
    kind: "picks",
    isFree: true,
    choices: () => [],
    label: () => t("status"),
    help: () => t("statusHelp"),
  },
  { member: "contains", label: () => t("contains"), kind: "text", when: isOf("http", "tcp") },
  { ...http, member: "not_contains", label: () => t("containsNot"), kind: "text" },
  { member: "max_ms", label: () => t("maxMs"), help: () => t("maxMsHelp"), kind: "number" },
  { ...http, member: "follow", label: () => t("follow"), kind: "check", usual: true },
  { ...certified, member: "verify", label: () => t("verify"), kind: "check", usual: true },
  { ...certified, member: "warn_days", label: () => t("warnDays"), kind: "number" },
  { ...certified, member: "crit_days", label: () => t("critDays"), kind: "number" },
];

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  enabledField,
  {
    member: "type",
    kind: "select",
    isFixed: true,
    label: () => t("type"),
    choices: () => TYPES.map((value) => ({ value, title: t(`type.${value}`) })),
  },
  ...asked,
  ...judged,
  severityField,
  serverField,
  categoryField,
  tagsField,
  notesField,
];

/** The checked address in short form. */
function askedWords({ type, url, host, port, name, record }: Definition): string {
  if (type === "dns") return `${record} ${name}`;
  return type === "http" ? String(url) : `${host}:${port}`;
}

export const Page = pageOf({
  path: "/checks",
  icon: "pulse",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  isReached: true,
  removal: () => t("removal"),
  useRows: () => listed("checks"),
  needs: KEEPERS,
  columns: [
    nameColumn("/checks"),
    standingColumn("check"),
    textColumn("url", () => t("url"), askedWords),
    textColumn(
      "every",
      () => t("every"),
      ({ every }) => duration(Number(every)),
      { width: "8rem", isNumber: true },
    ),
  ],
  fields,
  draft: () => ({
    title: "",
    enabled: true,
    type: "http",
    from: ["engine"],
    every: 60,
    timeout: 10,
    retries: 2,
    warn_days: 21,
    crit_days: 7,
    category: "general",
    tags: [],
  }),
  ...callsOf("Check", "check"),
  Lead,
});
