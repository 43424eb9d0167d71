import { personName } from "../../data/people/person-name.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { when } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** For example "mara is on it, until 15:00". */
export function tookWords({ username, comment, expires }: NonNullable<Invocation["acknowledged"]>): string {
  const name = personName(username);
  const words = comment ? t("tookWhy", { name, comment }) : t("took", { name });
  return expires === undefined ? words : t("onItUntil", { words, at: when(expires) });
}
