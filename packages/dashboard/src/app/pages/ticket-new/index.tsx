import { useState } from "preact/hooks";
import { act, isUnderWay } from "../../data/calls/act.ts";
import { api, viewer } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { ChosenFiles } from "../../parts/files.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { MarkdownEditor } from "../../parts/markdown/editor.tsx";
import { go, href, place } from "../../router/router.ts";
import { AttributeFields } from "../ticket/attributes/attributes.tsx";
import type { Values } from "../ticket/attributes/change.ts";
import { t } from "../ticket/texts.ts";

type Draft = Values & { readonly subject: string; readonly body: string };

/** Initial values, which other pages can pass in the address. */
function beginning(): Draft {
  const { subject = "", body = "", type = "issue", category = "", server = "", assignees } = place.peek().query;
  const own = viewer.peek();
  const mine = own?.kind === "user" ? [own.id] : [];
  return {
    subject,
    body,
    type,
    category,
    server,
    status: "open",
    due: "",
    assignees: assignees ? assignees.split(",") : mine,
    tags: [],
    cc: [],
    notify: [],
  };
}

export function Page() {
  useCrumbs([{ title: t("tickets"), href: href("/tickets") }, { title: t("create") }]);
  const [draft, setDraft] = useState(beginning);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isTouched, setTouched] = useState(false);
  const set = (change: Partial<Draft>): void => {
    setTouched(true);
    setDraft((before) => ({ ...before, ...change }));
  };
  const release = useUnsaved(isTouched);
  const create = async (status: string): Promise<void> => {
    const sent = Object.fromEntries(Object.entries({ ...draft, status }).filter(([, value]) => value !== ""));
    const input = { ...sent, subject: draft.subject };
    const run = () => (files.length > 0 ? api.createTicket(input, { files }) : api.createTicket(input));
    const answer = await act("create ticket", { run, done: ({ ticket }) => t("created", { num: `#${ticket.num}` }) });
    if (!answer) return;
    release();
    await go(`/tickets/${answer.ticket.num}`, { replace: true });
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void create(draft.status);
      }}
    >
      <Head title={t("create")} />
      <div class="beside">
        <Text draft={draft} set={set} files={files} setFiles={setFiles} />
        <Panel title={t("attributes")}>
          <div class="attributes">
            <AttributeFields values={draft} onInput={(member, value) => set({ [member]: value })} />
          </div>
        </Panel>
      </div>
      <Buttons draft={draft} create={create} />
    </form>
  );
}

interface ButtonsProps {
  readonly draft: Draft;
  readonly create: (status: string) => unknown;
}

const Buttons = ({ draft, create }: ButtonsProps) => (
  <div class="foot">
    <Button
      type="submit"
      kind="primary"
      {...(draft.subject.trim() ? {} : { title: t("subjectMissing") })}
      isDisabled={!draft.subject.trim()}
      isBusy={isUnderWay("create ticket")}
    >
      {t("create")}
    </Button>
    <Button isDisabled={!draft.subject.trim()} onClick={() => create("draft")}>
      {t("createDraft")}
    </Button>
  </div>
);

interface TextProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly files: readonly File[];
  readonly setFiles: (files: readonly File[]) => void;
}

const Text = ({ draft, set, files, setFiles }: TextProps) => (
  <div class="stack">
    <Panel title={t("description")}>
      <div class="inner form wide">
        <Field label={t("subject")}>
          {(id) => (
            <TextInput
              id={id}
              name="subject"
              value={draft.subject}
              onInput={(subject) => set({ subject })}
              isRequired
            />
          )}
        </Field>
        <Field label={t("body")} help={t("bodyHelp")}>
          {(id) => <MarkdownEditor id={id} value={draft.body} onInput={(body) => set({ body })} rows={12} />}
        </Field>
      </div>
    </Panel>
    <Panel title={t("files")} count={files.length}>
      <ChosenFiles files={files} onFiles={setFiles} hint={t("filesChosen", { n: files.length })} />
    </Panel>
  </div>
);
