import { useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { listed, titleOf } from "../../data/lists.ts";
import { api } from "../../data/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, TextInput } from "../../parts/fields.tsx";
import { PickList } from "../../parts/pick-list.tsx";
import { t as frame } from "../../texts/frame.ts";
import type { ShownServer } from "./index.tsx";
import { t } from "./texts.ts";

interface EditProps {
  readonly server: ShownServer["server"];
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

/** What the form holds of a server. */
const draftOf = ({ title, enabled, autoGroup, groups, maxJobs, depends_on }: ShownServer["server"]) => ({
  title: title ?? "",
  enabled,
  autoGroup,
  groups: groups as readonly string[],
  dependsOn: (depends_on ?? []) as readonly string[],
  most: maxJobs ? String(maxJobs) : "",
});
type Draft = ReturnType<typeof draftOf>;

/** What is sent: groups that follow the hostname are not. */
const changeOf = ({ title, enabled, autoGroup, groups, most, dependsOn }: Draft) => ({
  ...{ title, enabled, autoGroup, maxJobs: Number(most) || 0, depends_on: [...dependsOn] },
  ...(autoGroup ? {} : { groups: [...groups] }),
});

/** What people say of a server; facts of the machine come from the machine. */
export function EditServer({ server, reload, onClose }: EditProps) {
  const { id } = server;
  const [draft, setDraft] = useState(() => draftOf(server));
  const save = async (): Promise<void> => {
    const done = await act(`edit ${id}`, {
      run: () => api.updateServer({ id, revision: server.revision, ...changeOf(draft) }),
      done: t("saved", { name: draft.title || server.hostname }),
      undo: async () => {
        await api.updateServer({ id, ...changeOf(draftOf(server)) });
        await reload();
      },
    });
    if (!done) return;
    onClose();
    await reload();
  };
  return (
    <Dialog title={`${t("edit")}: ${server.title || server.hostname}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fields draft={draft} set={(change) => setDraft({ ...draft, ...change })} server={server} />
        <footer>
          <Button onClick={onClose}>{frame("cancel")}</Button>
          <Button type="submit" kind="primary">
            {t("save")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly server: ShownServer["server"];
}

const Fields = ({ draft: { title, enabled, autoGroup, groups, most, dependsOn }, set, server }: FieldsProps) => (
  <div class="body form">
    <Field label={t("titleField")} help={t("titleHelp", { hostname: server.hostname })}>
      {(id, describedBy) => (
        <TextInput {...{ id, describedBy }} value={title} onInput={(next) => set({ title: next })} />
      )}
    </Field>
    <Check value={enabled} onInput={(next) => set({ enabled: next })}>
      {t("getsJobs")}
    </Check>
    <Field label={t("maxJobs")} help={t("maxJobsHelp")}>
      {(id, describedBy) => (
        <TextInput {...{ id, describedBy }} type="number" value={most} onInput={(next) => set({ most: next })} />
      )}
    </Field>
    <Check value={autoGroup} onInput={(next) => set({ autoGroup: next })}>
      {t("autoGroup")}
    </Check>
    {!autoGroup && (
      <PickList
        label={t("groups")}
        choices={(listed("groups") ?? []).map((group) => ({ value: group.id, title: group.title }))}
        value={groups}
        onInput={(next) => set({ groups: next })}
      />
    )}
    <PickList
      {...{ label: t("dependsOn"), help: t("dependsOnHelp"), value: dependsOn }}
      choices={(listed("servers") ?? [])
        .filter(({ id }) => id !== server.id)
        .map(({ id }) => ({ value: id, title: titleOf("servers", id) }))}
      onInput={(next) => set({ dependsOn: next })}
    />
  </div>
);
