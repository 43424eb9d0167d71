import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import { More, Panel } from "../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Time } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { actorOf, deedAbout, deedWords } from "../../texts/words/deeds.ts";
import { t } from "./texts.ts";

/** Lines of the panel, and of the panel in a wide window, where it stands beside a longer one. */
const SHOWN = 7;
const SHOWN_WIDE = 14;
type Row = Awaited<ReturnType<typeof api.searchActivity>>["rows"][number];

/** The latest rows of the activity log, for administrators. */
export function Activity() {
  const rows = useLoad("activity", async () => (await api.searchActivity({ query: "*", limit: SHOWN_WIDE })).rows);
  useLive("activity", rows.reload);
  return (
    <Panel
      title={t("activity")}
      class="g-act"
      more={hasPage("/activity") && <More href={href("/activity")}>{t("allActivity")}</More>}
    >
      <WhenLoaded of={rows} rows={SHOWN}>
        {(found) => (found.length === 0 ? <Empty>{t("noActivity")}</Empty> : <Rows rows={found} />)}
      </WhenLoaded>
    </Panel>
  );
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul class="agenda">
    {rows.map((row) => (
      <li key={row.id}>
        <Time at={row.epoch} />
        <span class="two" dir="auto">
          <b>{personName(actorOf(row))}</b> {[deedWords(row), deedAbout(row)].filter(Boolean).join(": ")}
        </span>
      </li>
    ))}
  </ul>
);
