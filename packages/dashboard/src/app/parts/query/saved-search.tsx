import { useState } from "preact/hooks";
import { can } from "../../data/calls/session.ts";
import { forgetSearch, saveSearch, searchesOf } from "../../data/searches/searches.ts";
import { pathTo } from "../../router/match.ts";
import { place } from "../../router/router.ts";
import { t } from "../../texts/words/common.ts";
import { Button } from "../basic/button.tsx";
import { Field, TextInput } from "../forms/fields.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";

const LONGEST = 60;

/** Saves the query of this list under a name, below its entry in the navigation, or forgets it. */
export function SaveSearch() {
  const [isAsked, setAsked] = useState(false);
  const { path, query } = place.value;
  const list = `/${path.split("/")[1] ?? ""}`;
  const { q, show } = query;
  if (!q || !can("")) return null;
  const loc = pathTo(list, { q, show });
  const kept = searchesOf(list).find((search) => search.loc === loc);
  if (kept)
    return (
      <Button kind="bare" icon="x" onClick={() => forgetSearch(kept, t("searchForgotten", { name: kept.name }))}>
        {t("forgetSearch")}
      </Button>
    );
  return (
    <>
      <Button kind="bare" icon="plus" onClick={() => setAsked(true)}>
        {t("saveSearch")}
      </Button>
      {isAsked && <Name query={q} loc={loc} onClose={() => setAsked(false)} />}
    </>
  );
}

interface NameProps {
  readonly query: string;
  readonly loc: string;
  readonly onClose: () => void;
}

function Name({ query, loc, onClose }: NameProps) {
  const [name, setName] = useState("");
  const save = async (): Promise<void> => {
    await saveSearch({ name: name.trim(), loc }, t("searchSaved", { name: name.trim() }));
    onClose();
  };
  return (
    <FormDialog
      title={t("saveSearch")}
      onClose={onClose}
      onSubmit={save}
      verb={t("save")}
      isReady={name.trim() !== ""}
      hasText
    >
      <p class="mono sm" dir="auto">
        {query}
      </p>
      <Field label={t("searchName")} help={t("searchHelp")}>
        {(id, describedBy) => (
          <TextInput id={id} describedBy={describedBy} value={name} onInput={setName} maxLength={LONGEST} />
        )}
      </Field>
    </FormDialog>
  );
}
