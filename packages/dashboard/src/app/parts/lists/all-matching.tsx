import { act } from "../../data/calls/act.ts";
import { can, client, isLimited } from "../../data/calls/session.ts";
import { number } from "../../texts/format.ts";
import { t } from "../../texts/words/common.ts";
import { confirm } from "../basic/dialog.tsx";
import { Menu } from "../basic/menu.tsx";

interface AllMatchingProps {
  /** Table to search. */
  readonly index: "jobs" | "tickets" | "alerts" | "activity";
  readonly query: string;
  readonly total: number;
  /** Members of each row in the download. */
  readonly columns: readonly string[];
  /** The privilege and the call that delete all matches in the background; absent where people cannot delete. */
  readonly removal?: { readonly needs: string; readonly remove: (query: string) => Promise<unknown> };
}

const FORMATS = ["csv", "ndjson"] as const;

/** Actions on all matches of a search, loaded or not. Hidden for viewers with a limited reach. */
export function AllMatching({ index, query, total, columns, removal }: AllMatchingProps) {
  if (total === 0 || isLimited()) return null;
  const n = number(total);
  const download = (format: (typeof FORMATS)[number]): void =>
    location.assign(client.href("bulk_search_export", { index, query, format, columns: columns.join() }));
  const removeAll = async ({ remove }: NonNullable<typeof removal>): Promise<void> => {
    const text = t("deleteAllWhy", { query });
    if (!(await confirm({ title: t("deleteAllTitle", { n }), text, verb: t("deleteAll", { n }) }))) return;
    await act(`delete all ${index}`, { run: () => remove(query), done: t("deleteAllStarted", { n }) });
  };
  return (
    <Menu
      label={t("allMatching", { n })}
      items={[
        ...FORMATS.map((format) => ({
          title: t(`download_${format}`, { n }),
          icon: "dl" as const,
          run: () => download(format),
        })),
        removal &&
          can(removal.needs) && {
            title: t("deleteAll", { n }),
            icon: "trash" as const,
            isDanger: true,
            run: () => removeAll(removal),
          },
      ]}
    />
  );
}
