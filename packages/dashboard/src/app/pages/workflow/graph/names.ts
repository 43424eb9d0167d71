import { listedOne, titleOf } from "../../../data/records/lists.ts";
import type { IconName } from "../../../parts/basic/icon.tsx";
import { deedWords } from "../../../parts/editors/actions-editor.tsx";
import { limitWords } from "../../../parts/editors/limits-editor.tsx";
import type { Entry } from "../../../parts/entries/members.ts";
import { type Trigger, triggerWords } from "../../../parts/schedule/words.ts";
import { t } from "../texts.ts";
import { type GraphNode, textOf } from "./model.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  trigger: "play",
  event: "cal",
  job: "plug",
  action: "bell",
  limit: "gauge",
  controller: "flow",
  note: "file",
};
export const iconOf = ({ type }: GraphNode): IconName => ICONS[type] ?? "info";

const CONTROLLERS = ["multiplex", "repeat", "split", "join", "decision", "wait"] as const;
type Controller = (typeof CONTROLLERS)[number];
export const controllerTitle = (kind: string): string =>
  (CONTROLLERS as readonly string[]).includes(kind) ? t(`controller.${kind as Controller}`) : kind;

const KINDS = ["trigger", "event", "job", "action", "limit", "controller", "note"] as const;
/** Title of a node's type. */
export const kindOf = ({ type }: GraphNode): string =>
  (KINDS as readonly string[]).includes(type) ? t(`kind.${type as (typeof KINDS)[number]}`) : type;

/** Displayed name of a node: a name given by people takes precedence over ours. */
export function nameOf(node: GraphNode): string {
  const own = textOf(node, "title") || textOf(node, "label");
  if (own) return own;
  if (node.type === "event") return titleOf("events", textOf(node, "event")) || t("kind.event");
  if (node.type === "job") return titleOf("plugins", textOf(node, "plugin")) || t("kind.job");
  if (node.type === "controller") return controllerTitle(textOf(node, "controller"));
  if (node.type === "note") return textOf(node, "body").split("\n")[0]?.slice(0, 60) || t("kind.note");
  return entryWords(node) || kindOf(node);
}

/** A limit or an action as described in lists, capitalised. */
function entryWords({ type, data }: GraphNode): string {
  if (typeof data?.["type"] !== "string") return "";
  const entry: Entry = { ...data, type: data["type"] };
  const words = type === "limit" ? limitWords(entry) : type === "action" ? deedWords(entry) : "";
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** Conditions of wires from jobs. */
export const CONDITIONS = [
  "success",
  "complete",
  "error",
  "warning",
  "critical",
  "abort",
  "continue",
  "start",
] as const;
/** When a wire is followed. */
export function conditionTitle(condition: string): string {
  if ((CONDITIONS as readonly string[]).includes(condition)) return t(`on.${condition as (typeof CONDITIONS)[number]}`);
  return condition || t("always");
}

/** Second line of a node: details such as its schedule or numbers. */
export function detailOf(node: GraphNode, triggers: readonly Trigger[]): string {
  const trigger = node.type === "trigger" && triggers.find(({ id }) => id === node.id);
  if (trigger) return triggerWords(trigger, (id) => titleOf("plugins", id));
  if (node.type === "event") return listedOne("events", textOf(node, "event")) ? kindOf(node) : t("eventGone");
  if (node.type === "controller")
    return (
      ["decision", "split", "repeat", "wait", "stagger"].map((name) => textOf(node, name)).find(Boolean) ?? kindOf(node)
    );
  return kindOf(node);
}
