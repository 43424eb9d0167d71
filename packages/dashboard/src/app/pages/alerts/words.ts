import type { Invocation } from "../../data/records/counts.ts";
import { when } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** "mara is on it, until 15:00" */
export function tookWords({ username: name, comment, expires }: NonNullable<Invocation["acknowledged"]>): string {
  const words = comment ? t("tookWhy", { name, comment }) : t("took", { name });
  return expires === undefined ? words : t("onItUntil", { words, at: when(expires) });
}
