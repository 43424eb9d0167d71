import { useState } from "preact/hooks";
import { firing, type Invocation } from "../../data/records/counts.ts";
import { type OnSubject, subjectOf } from "../../data/records/subjects.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { href } from "../../router/router.ts";
import { firingState } from "../alerts/state.ts";
import type { Definition } from "../definitions/kind.ts";
import { QuietDialog } from "../silences/quiet/quiet.tsx";
import { maySilence } from "../silences/quiet/scopes.ts";
import { t as silences } from "../silences/texts.ts";
import { t } from "./texts.ts";

/** Alerts that fire now on a subject other than a server. */
export const firingOn = (type: string, id: string): readonly Invocation[] =>
  firing.value.filter((row) => row.active && subjectOf(row).type === type && subjectOf(row).id === id);

/** A record in the form in which firings name their subject. */
export const asSubject = (type: "heartbeat" | "check", { id, title }: Definition) => ({
  server: "",
  subject: { type, id, title },
});

function Standing({ type, id }: { readonly type: string; readonly id: string }) {
  const [worst] = firingOn(type, id);
  if (!worst)
    return (
      <span class="cell dim">
        <Mark state="ok" />
        {t("calm")}
      </span>
    );
  return (
    <span class="cell">
      <Mark state={firingState(worst)} />
      <a class="cut" href={href(`/alerts/${worst.id}`)} dir="auto">
        {worst.message}
      </a>
    </span>
  );
}

/** Column with the alert that fires on each record. */
export const standingColumn = (type: "heartbeat" | "check"): Column<Definition> => ({
  key: "stands",
  title: () => t("stands"),
  cell: ({ id, enabled }) => (enabled ? <Standing type={type} id={id} /> : <span class="dim">{t("notWatched")}</span>),
});

/** Creates a silence about a record from its page. */
export function Silence({ of }: { readonly of: OnSubject }) {
  const [isOpen, setOpen] = useState(false);
  if (!maySilence({ of })) return null;
  return (
    <>
      <Button kind="row" icon="hush" onClick={() => setOpen(true)}>
        {silences("silence")}
      </Button>
      {isOpen && <QuietDialog about={{ of }} onClose={() => setOpen(false)} />}
    </>
  );
}
