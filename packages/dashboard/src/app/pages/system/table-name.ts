import { t as frame } from "../../texts/words/frame.ts";
import { systemTexts, t } from "./texts.ts";

/** Tables whose records have a page of their own. */
const PAGES = [
  ...(["events", "tickets", "servers", "groups", "snapshots", "monitors", "checks", "heartbeats", "notices"] as const),
  ...(["tags", "categories", "buckets", "channels", "plugins", "secrets"] as const),
];

const isPage = (name: string): name is (typeof PAGES)[number] => (PAGES as readonly string[]).includes(name);
const isNamed = (key: string): key is keyof typeof systemTexts => Object.hasOwn(systemTexts, key);

/** What people call the records of a table; undefined for tables that only the engine knows. */
export function tableName(name: string): string | undefined {
  if (isPage(name)) return frame(`page.${name}`);
  if (name === "alerts") return frame("page.alert-rules");
  if (name === "web_hooks") return frame("page.web-hooks");
  return isNamed(`rows.${name}`) ? t(`rows.${name}` as keyof typeof systemTexts) : undefined;
}
