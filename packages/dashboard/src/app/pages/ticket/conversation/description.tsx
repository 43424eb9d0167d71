import { useRef, useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action, Button } from "../../../parts/basic/button.tsx";
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

function Edit({ ticket, onChange, onEnd }: TicketProps & { readonly onEnd: () => void }) {
  const [subject, setSubject] = useState(ticket.subject);
  const [body, setBody] = useState(ticket.body);
  const [begun, setBegun] = useState(ticket);
  const newest = useRef({ subject, body });
  newest.current = { subject, body };
  useUnsaved(subject !== begun.subject || body !== begun.body);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isSame = ticket.subject === begun.subject && ticket.body === begun.body;
    // The revision keeps one from writing over what somebody else has saved meanwhile; other members may have changed.
    const { id, revision } = isSame ? ticket : begun;
    const run = () => api.updateTicket({ id, subject, body, ...(revision === undefined ? {} : { revision }) });
    const answer = await act(`edit ${id}`, { run, done: t("saved") });
    if (!answer) return;
    onChange(answer.ticket);
    setBegun(answer.ticket);
    // Text that was typed while it was on its way is still to be saved.
    if (newest.current.subject === subject && newest.current.body === body) onEnd();
  };
  return (
    <form class="form wide" onSubmit={save}>
      <Field label={t("subject")}>
        {(id) => <TextInput id={id} value={subject} onInput={setSubject} isRequired />}
      </Field>
      <Field label={t("body")}>{(id) => <MarkdownEditor id={id} value={body} onInput={setBody} rows={12} />}</Field>
      <div class="acts">
        <Button type="submit" kind="primary">
          {common("save")}
        </Button>
        <Button onClick={onEnd}>{frame("cancel")}</Button>
      </div>
    </form>
  );
}
