import { controllerTitle } from "../graph/names.ts";
import { t } from "../texts.ts";

export interface NewNode {
  readonly title: () => string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const controller = (kind: string, data: Readonly<Record<string, unknown>> = {}): NewNode => ({
  title: () => controllerTitle(kind),
  type: "controller",
  data: { controller: kind, ...data },
});

/** Graph nodes that can be added, with their initial values. */
export const NEW_NODES: readonly NewNode[] = [
  { title: () => t("kind.event"), type: "event", data: { event: "" } },
  { title: () => t("kind.job"), type: "job", data: { plugin: "shellplug", params: {} } },
  { title: () => t("kind.action"), type: "action", data: { enabled: true, type: "email", email: "" } },
  { title: () => t("kind.limit"), type: "limit", data: { enabled: true, type: "time", duration: 3600 } },
  controller("decision", { decision: "" }),
  controller("join"),
  controller("repeat", { repeat: 2 }),
  controller("split", { split: "" }),
  controller("multiplex"),
  controller("wait", { wait: 60 }),
  { title: () => t("kind.note"), type: "note", data: { body: "" } },
];

/** The most important member of a node's data, and how it is edited. */
export interface MainField {
  readonly member: string;
  readonly title: () => string;
  readonly help?: () => string;
  readonly isNumber?: boolean;
}

const BY_CONTROLLER: Readonly<Record<string, MainField>> = {
  decision: { member: "decision", title: () => t("expression"), help: () => t("decisionHelp") },
  split: { member: "split", title: () => t("expression"), help: () => t("splitHelp") },
  repeat: { member: "repeat", title: () => t("times"), isNumber: true },
  wait: { member: "wait", title: () => t("seconds"), isNumber: true },
};

/** The fields of a node other than its type. The rest is edited as JSON. */
export function fieldsOf(type: string, data: Readonly<Record<string, unknown>>): readonly MainField[] {
  if (type === "note") return [{ member: "body", title: () => t("text") }];
  const found = type === "controller" ? BY_CONTROLLER[String(data["controller"])] : undefined;
  return found ? [found] : [];
}
