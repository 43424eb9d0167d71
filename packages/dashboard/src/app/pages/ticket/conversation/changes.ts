import { personName } from "../../../data/people/person-name.ts";
import { dueDay } from "../../../data/records/due.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { list } from "../../../texts/format.ts";
import { statusName, type Ticket, typeName } from "../../tickets/query/values.ts";
import { t } from "../texts.ts";

type Change = Ticket["changes"][number];

const MEMBERS = [
  "subject",
  "type",
  "category",
  "server",
  "status",
  "due",
  "assignees",
  "cc",
  "notify",
  "tags",
] as const;
type Member = (typeof MEMBERS)[number];
const isMember = (key: string): key is Member => (MEMBERS as readonly string[]).includes(key);

/** Formats a member's value for people. */
function shownValue(member: Member, value: unknown): string {
  if (Array.isArray(value))
    return list(value.map((one) => (member === "tags" ? titleOf("tags", String(one)) : personName(String(one)))));
  const text = value === undefined || value === null ? "" : String(value);
  if (member === "status") return statusName(text);
  if (member === "type") return typeName(text);
  if (member === "category") return titleOf("categories", text);
  if (member === "server") return titleOf("servers", text);
  if (member === "due") return Number(text) > 0 ? dueDay(Number(text)) : "";
  return text;
}

/** Describes an entry written by the engine in a sentence. */
export function said({ key = "", value, type, username }: Change): string {
  const who = personName(username);
  if (key === "created" || key === "body" || key === "delete") return t(`did.${key}`, { who });
  if (!isMember(key)) return t("did.other", { who, what: key || type });
  const shown = shownValue(key, value);
  const member = t(key);
  return shown ? t("did.set", { who, member, value: shown }) : t("did.cleared", { who, member });
}
