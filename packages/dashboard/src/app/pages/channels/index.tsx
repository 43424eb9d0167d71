import { people, personName } from "../../data/people/person-name.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { list } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type Definition, needsOf } from "../definitions/kind.ts";
import { usesOf } from "../definitions/uses.ts";
import { usesWithReceivers } from "../notices/uses.tsx";
import { t } from "./texts.ts";

const choicesOf = (name: "web_hooks" | "events") => () => [
  { value: "", title: common("none") },
  ...(listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) })),
];

/** Lists in words everybody and everything that the channel notifies. */
function tells({ users, email, web_hook, run_event }: Definition): string {
  const names = Array.isArray(users) ? users.map((name) => personName(String(name))) : [];
  const hook = web_hook ? [titleOf("web_hooks", String(web_hook))] : [];
  const event = run_event ? [titleOf("events", String(run_event))] : [];
  const addresses = String(email ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);
  return list([...names, ...addresses, ...hook, ...event]) || t("nobody");
}

export const Page = pageOf({
  path: "/channels",
  icon: "mail",
  texts: () => ({ title: t("title"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows: () => listed("channels"),
  needs: needsOf("channels"),
  columns: [
    nameColumn("/channels"),
    textColumn("tells", () => t("tells"), tells, { rank: undefined }),
    textColumn(
      "most",
      () => t("maxPerDay"),
      ({ max_per_day: most }) => (most ? String(most) : t("unbounded")),
      { width: "12.5rem", isNumber: true },
    ),
  ],
  fields: [
    titleField,
    idField,
    enabledField,
    {
      member: "users",
      label: () => t("users"),
      help: () => t("usersHelp"),
      kind: "picks",
      isFree: true,
      choices: people,
    },
    { member: "email", label: () => t("email"), help: () => t("emailHelp"), kind: "text" },
    { member: "web_hook", label: () => t("webHook"), kind: "select", choices: choicesOf("web_hooks") },
    { member: "run_event", label: () => t("runEvent"), kind: "select", choices: choicesOf("events") },
    { member: "sound", label: () => t("sound"), help: () => t("soundHelp"), kind: "text" },
    { member: "max_per_day", label: () => t("maxPerDay"), help: () => t("maxPerDayHelp"), kind: "number" },
    notesField,
  ],
  draft: () => ({ title: "", enabled: true, users: [], max_per_day: 0 }),
  ...callsOf("Channel", "channel"),
  history: { type: "channels", member: "channel" },
  Uses: usesWithReceivers(
    ({ id }) => usesOf(id, ["channel_id", "channel"], ["events", "alerts", "categories"]),
    "channel",
  ),
});
