import { listed } from "../../../data/records/lists.ts";
import { Button } from "../../../parts/basic/button.tsx";
import { Menu } from "../../../parts/basic/menu.tsx";
import { Field, Select, TextInput } from "../../../parts/forms/fields.tsx";
import { layeredPoints } from "../graph/canvas/layout.ts";
import { t } from "../texts.ts";
import * as changes from "./changes.ts";
import { NEW_NODES } from "./kinds.ts";
import type { Draft } from "./use-draft.ts";

/** Name and category of the workflow. */
export const Names = ({ draft }: { readonly draft: Draft }) => (
  <div class="names">
    <Field label={t("name")} {...{ [draft.isChanged ? "error" : "help"]: draft.title ? undefined : t("titleMissing") }}>
      {(id, describedBy) => (
        <TextInput id={id} name="title" describedBy={describedBy} value={draft.title} onInput={draft.setTitle} />
      )}
    </Field>
    <Field label={t("category")}>
      {(id) => (
        <Select
          id={id}
          value={draft.category}
          choices={(listed("categories") ?? []).map((one) => ({ value: one.id, title: one.title }))}
          onInput={draft.setCategory}
        />
      )}
    </Field>
  </div>
);

export function Tools({ draft }: { readonly draft: Draft }) {
  const { graph, set, faults, history, from } = draft;
  const items = NEW_NODES.map((kind) => ({ title: kind.title(), run: () => draft.add(kind) }));
  return (
    <div class="logbar">
      <Menu label={t("add")} kind="btn" items={items}>
        {t("add")}
      </Menu>
      <Button kind="bare" isDisabled={history.past.length === 0} onClick={draft.undo}>
        {t("undo")}
      </Button>
      <Button kind="bare" isDisabled={history.future.length === 0} onClick={draft.redo}>
        {t("redo")}
      </Button>
      <Button kind="bare" onClick={() => set(changes.placeNodes(graph, layeredPoints(graph)))}>
        {t("arrange")}
      </Button>
      <span class="sm dim" role="status">
        {from ? t("wiring") : faults.size > 0 ? t("faults", { n: faults.size }) : t("noFaults")}
      </span>
    </div>
  );
}
