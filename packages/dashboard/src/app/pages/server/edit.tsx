import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { listed } from "../../data/records/lists.ts";
import { useSharedForm } from "../../parts/difference/use-shared-form.tsx";
import { Check, Field, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { PickList } from "../../parts/forms/pick-list.tsx";
import { parentChoices } from "./dependencies.tsx";
import type { ShownServer } from "./index.tsx";
import { t } from "./texts.ts";

interface EditProps {
  readonly server: ShownServer["server"];
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

type Server = ShownServer["server"];

/** The form's members of a server. */
const draftOf = ({ title, enabled, autoGroup, ephemeral, groups, maxJobs, depends_on }: Server) => ({
  title: title ?? "",
  enabled,
  autoGroup,
  ephemeral: ephemeral ?? false,
  groups: groups as readonly string[],
  dependsOn: (depends_on ?? []) as readonly string[],
  most: maxJobs ? String(maxJobs) : "",
});
type Draft = ReturnType<typeof draftOf>;

const LABELS = {
  title: "titleField",
  enabled: "getsJobs",
  autoGroup: "autoGroup",
  ephemeral: "ephemeral",
  groups: "groups",
  dependsOn: "dependsOn",
  most: "maxJobs",
} as const;
const nameOf = (member: keyof Draft): string => t(LABELS[member]);

/** Members to send. Leaves out groups that are assigned by hostname. */
const changeOf = ({ title, enabled, autoGroup, ephemeral, groups, most, dependsOn }: Draft) => ({
  title,
  enabled,
  autoGroup,
  ephemeral,
  maxJobs: Number(most) || 0,
  depends_on: [...dependsOn],
  ...(autoGroup ? {} : { groups: [...groups] }),
});

const read = async (id: string): Promise<Server> => (await api.getServer({ id })).server as Server;

/** Edits the settings of a server that people choose. Facts about the machine come from its agent. */
export function EditServer({ server: opened, reload, onClose }: EditProps) {
  const { id } = opened;
  const over = useSharedForm({ record: opened, formOf: (record = opened) => draftOf(record), read, nameOf });
  const { base: server = opened, form: draft, set, refused, conflict } = over;
  const save = async (): Promise<void> => {
    const done = await act(`edit ${id}`, {
      refused,
      run: () => api.updateServer({ id, if_revision: server.revision, ...changeOf(draft) }),
      done: t("saved", { name: draft.title || server.hostname }),
      undo: async ({ server: { revision } }) => {
        await api.updateServer({ id, if_revision: revision, ...changeOf(draftOf(server)) });
        await reload();
      },
    });
    if (!done) return;
    onClose();
    await reload();
  };
  return (
    <FormDialog
      title={`${t("edit")}: ${server.title || server.hostname}`}
      onClose={onClose}
      onSubmit={save}
      verb={t("save")}
    >
      {conflict}
      <Fields draft={draft} set={set} server={server} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly server: ShownServer["server"];
}

const Fields = ({ draft, set, server }: FieldsProps) => (
  <>
    <Field label={t("titleField")} help={t("titleHelp", { hostname: server.hostname })}>
      {(id, describedBy) => (
        <TextInput id={id} describedBy={describedBy} value={draft.title} onInput={(title) => set({ title })} />
      )}
    </Field>
    <Check value={Boolean(draft.enabled)} onInput={(enabled) => set({ enabled })}>
      {t("getsJobs")}
    </Check>
    <Field label={t("maxJobs")} help={t("maxJobsHelp")}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          type="number"
          value={draft.most}
          onInput={(most) => set({ most })}
        />
      )}
    </Field>
    <Check value={draft.autoGroup} onInput={(autoGroup) => set({ autoGroup })}>
      {t("autoGroup")}
    </Check>
    {!draft.autoGroup && (
      <PickList
        label={t("groups")}
        choices={(listed("groups") ?? []).map((group) => ({ value: group.id, title: group.title }))}
        value={draft.groups}
        onInput={(groups) => set({ groups })}
      />
    )}
    <Check value={draft.ephemeral} onInput={(ephemeral) => set({ ephemeral })}>
      {t("ephemeral")}
    </Check>
    <PickList
      label={t("dependsOn")}
      help={t("dependsOnHelp")}
      value={draft.dependsOn}
      choices={parentChoices(server.id)}
      onInput={(dependsOn) => set({ dependsOn })}
    />
  </>
);
