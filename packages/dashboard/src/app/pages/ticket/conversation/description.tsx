import { useEffect, useRef, useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action, Button } from "../../../parts/basic/button.tsx";
import { Conflict } from "../../../parts/difference/conflict.tsx";
import { Field, TextInput } from "../../../parts/forms/fields.tsx";
import { useUnsaved } from "../../../parts/forms/unsaved.ts";
import { MarkdownEditor } from "../../../parts/markdown/editor.tsx";
import { Markdown } from "../../../parts/markdown/index.tsx";
import { t as common } from "../../../texts/words/common.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import type { TicketProps } from "../index.tsx";
import { t } from "../texts.ts";

/** Description of the ticket. */
export function Description(props: TicketProps) {
  const [isEdited, setEdited] = useState(false);
  const { id, body } = props.ticket;
  const edit = (
    <Action needs="edit_tickets" deed={`edit ${id}`} kind="row" icon="edit" run={() => setEdited(true)}>
      {common("edit")}
    </Action>
  );
  return (
    <Panel title={t("description")} more={isEdited ? null : edit}>
      <div class="inner">
        {isEdited ? (
          <Edit {...props} onEnd={() => setEdited(false)} />
        ) : body.trim() ? (
          <Markdown text={body} />
        ) : (
          <p class="dim sm">{t("noBody")}</p>
        )}
      </div>
    </Panel>
  );
}

type Ticket = TicketProps["ticket"];
type Texts = Pick<Ticket, "subject" | "body">;
const textsOf = ({ subject, body }: Texts): Texts => ({ subject, body });
const areSame = (one: Texts, other: Texts): boolean => one.subject === other.subject && one.body === other.body;

/** The texts in the form, and the ticket that they are based on. */
function useTexts(ticket: Ticket) {
  const [texts, setTexts] = useState(() => textsOf(ticket));
  const [begun, setBegun] = useState(ticket);
  const newest = useRef(texts);
  newest.current = texts;
  const [isChanged, isOlder] = [!areSame(texts, begun), !areSame(ticket, begun)];
  useUnsaved(isChanged);
  const goOn = (next: Texts): void => {
    setBegun(ticket);
    setTexts(textsOf(next));
  };
  useEffect(() => {
    if (isOlder && !isChanged) goOn(ticket);
  }, [isOlder]);
  return {
    texts,
    newest,
    setBegun,
    set: (change: Partial<Texts>) => setTexts({ ...newest.current, ...change }),
    // The revision that the server checks, so that another person's saved text is not overwritten. If only other
    // members changed, the current revision is used.
    over: isOlder ? begun : ticket,
    conflict: isOlder && isChanged && (
      <Conflict base={textsOf(begun)} theirs={textsOf(ticket)} mine={texts} nameOf={t} goOn={goOn} />
    ),
  };
}

function Edit({ ticket, onChange, onEnd }: TicketProps & { readonly onEnd: () => void }) {
  const { texts, newest, setBegun, set, over, conflict } = useTexts(ticket);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { id, revision } = over;
    const run = () => api.updateTicket({ id, ...texts, ...(revision === undefined ? {} : { if_revision: revision }) });
    const answer = await act(`edit ${id}`, { run, done: t("saved") });
    if (!answer) return;
    onChange(answer.ticket);
    setBegun(answer.ticket);
    // Keeps the form open if text was typed while saving.
    if (areSame(newest.current, texts)) onEnd();
  };
  return (
    <form class="form wide" onSubmit={save}>
      {conflict}
      <Field label={t("subject")}>
        {(id) => <TextInput id={id} value={texts.subject} onInput={(subject) => set({ subject })} isRequired />}
      </Field>
      <Field label={t("body")}>
        {(id) => <MarkdownEditor id={id} value={texts.body} onInput={(body) => set({ body })} rows={12} />}
      </Field>
      <div class="acts">
        <Button type="submit" kind="primary">
          {common("save")}
        </Button>
        <Button onClick={onEnd}>{frame("cancel")}</Button>
      </div>
    </form>
  );
}
