import { listed } from "../../data/records/lists.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type DefinitionField, needsOf } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { usesWithReceivers } from "../notices/uses.tsx";
import { Headers } from "./headers.tsx";
import { t } from "./texts.ts";
import { Deliveries, Trial } from "./trial.tsx";

const METHODS = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"].map((value) => ({ value, title: value }));

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  enabledField,
  { member: "method", label: () => t("method"), kind: "select", choices: () => METHODS },
  { member: "url", label: () => t("url"), help: () => t("urlHelp"), kind: "text", isRequired: true },
  { member: "headers", label: () => t("headers"), kind: "own", Control: Headers },
  {
    member: "body",
    kind: "code",
    label: () => t("body"),
    help: () => t("bodyHelp"),
    when: ({ method }) => method !== "GET" && method !== "HEAD",
  },
  { member: "timeout", label: () => t("timeout"), help: () => t("timeoutHelp"), kind: "number" },
  { member: "retries", label: () => t("retries"), help: () => t("retriesHelp"), kind: "number" },
  { member: "max_per_day", label: () => t("maxPerDay"), help: () => t("maxPerDayHelp"), kind: "number" },
  { member: "follow", label: () => t("follow"), kind: "check" },
  { member: "ssl_cert_bypass", label: () => t("bypass"), help: () => t("bypassHelp"), kind: "check" },
  { member: "sign_with", label: () => t("sign"), help: () => t("signHelp"), kind: "text" },
  notesField,
];

export const Page = pageOf({
  path: "/web-hooks",
  icon: "link",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => listed("web_hooks"),
  needs: needsOf("web_hooks"),
  columns: [
    nameColumn("/web-hooks"),
    textColumn(
      "method",
      () => t("method"),
      ({ method }) => String(method),
      { width: "6rem" },
    ),
    textColumn(
      "url",
      () => t("url"),
      ({ url }) => String(url),
    ),
  ],
  fields,
  draft: () => ({
    title: "",
    enabled: true,
    method: "POST",
    url: "https://",
    headers: [],
    timeout: 30,
    retries: 0,
    max_per_day: 0,
  }),
  ...callsOf("WebHook", "web_hook"),
  history: { type: "web_hooks", member: "web_hook" },
  Uses: usesWithReceivers(
    ({ id }) => usesOf(id, ["web_hook", "web_hooks"], ["events", "alerts", "categories", "channels", "secrets"]),
    "web_hook",
  ),
  Main: Trial,
  Side: Deliveries,
});
