import { useRef, useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api, can, isAdmin, viewer } from "../../../data/calls/session.ts";
import { personName } from "../../../data/people/person-name.ts";
import { Button } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Menu } from "../../../parts/basic/menu.tsx";
import { useSharedForm } from "../../../parts/difference/use-shared-form.tsx";
import { useUnsaved } from "../../../parts/forms/unsaved.ts";
import { MarkdownEditor } from "../../../parts/markdown/editor.tsx";
import { Markdown } from "../../../parts/markdown/index.tsx";
import { Time } from "../../../parts/time.tsx";
import { when } from "../../../texts/format.ts";
import { t as common } from "../../../texts/words/common.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import type { Ticket } from "../../tickets/query/values.ts";
import type { TicketProps } from "../index.tsx";
import { t } from "../texts.ts";

type Change = Ticket["changes"][number];
/** True for an entry that a person wrote. */
export const isComment = (change: Change): change is Change & { readonly id: string } =>
  change.id !== undefined && typeof change.body === "string";

interface CommentProps extends TicketProps {
  readonly change: Change & { readonly id: string };
}

export function Comment({ ticket, change, onChange }: CommentProps) {
  const [isEdited, setEdited] = useState(false);
  const { id: change_id, username, date, edited, body = "" } = change;
  const { id } = ticket;
  const mayEdit = can("edit_tickets") && (username === viewer.value?.id || isAdmin());
  const remove = async (): Promise<void> => {
    const text = t("deleteCommentWhy", { who: personName(username) });
    if (!(await confirm({ title: t("deleteComment"), text, verb: common("delete") }))) return;
    const run = () => api.updateTicketChange({ id, change_id, delete: true });
    const answer = await act(`comment ${change_id}`, { run, done: t("commentDeleted") });
    if (answer) onChange(answer.ticket);
  };
  const items = [
    { title: common("edit"), icon: "edit", run: () => setEdited(true) },
    { title: common("delete"), icon: "trash", isDanger: true, run: remove },
  ] as const;
  return (
    <li class="said">
      <header>
        <b dir="auto">{personName(username)}</b>
        <span class="xs dim">
          <Time at={date} /> {edited ? t("edited", { time: when(edited) }) : ""}
        </span>
        <span class="grow" />
        {mayEdit && !isEdited && (
          <Menu label={`${frame("actions")}: ${personName(username)}, ${when(date)}`} items={items} />
        )}
      </header>
      {isEdited ? (
        <Edit ticket={ticket} onChange={onChange} change={change} onEnd={() => setEdited(false)} />
      ) : (
        <Markdown text={body} />
      )}
    </li>
  );
}

/**
 * A comment in the form that `useSharedForm` needs to detect concurrent edits. It has no revision, so the time of its last
 * edit is used.
 */
const storedOf = ({ id, edited, body = "" }: CommentProps["change"]) => ({ id, revision: edited ?? 0, body });
type Stored = ReturnType<typeof storedOf>;
const formOf = (stored: Stored | undefined) => ({ body: stored?.body ?? "" });

function Edit({ ticket: { id }, change, onChange, onEnd }: CommentProps & { readonly onEnd: () => void }) {
  const record = storedOf(change);
  const { base, form, set, settle, conflict } = useSharedForm({
    record,
    formOf,
    nameOf: () => t("comment"),
    read: () => Promise.resolve(record),
  });
  const { body } = form;
  const newest = useRef(body);
  newest.current = body;
  useUnsaved(body !== base?.body);
  const save = async (): Promise<void> => {
    const run = () => api.updateTicketChange({ id, change_id: change.id, change: { body } });
    const answer = await act(`comment ${change.id}`, { run, done: common("saved") });
    if (!answer) return;
    const saved = answer.ticket.changes.filter(isComment).find((one) => one.id === change.id);
    if (saved) settle(storedOf(saved));
    onChange(answer.ticket);
    // Keeps the form open if text was typed while saving.
    if (newest.current === body) onEnd();
  };
  return (
    <div class="stack">
      {conflict}
      <MarkdownEditor value={body} onInput={(text) => set({ body: text })} label={t("comment")} />
      <div class="acts">
        <Button kind="primary" isDisabled={!body.trim() || Boolean(conflict)} onClick={save}>
          {common("save")}
        </Button>
        <Button onClick={onEnd}>{frame("cancel")}</Button>
      </div>
    </div>
  );
}
