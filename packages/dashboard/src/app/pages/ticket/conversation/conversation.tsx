import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api, can } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action, Button } from "../../../parts/basic/button.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { useUnsaved } from "../../../parts/forms/unsaved.ts";
import { MarkdownEditor } from "../../../parts/markdown/editor.tsx";
import { Time } from "../../../parts/time.tsx";
import { place, setQuery } from "../../../router/router.ts";
import type { TicketProps } from "../index.tsx";
import { t } from "../texts.ts";
import { said } from "./changes.ts";
import { Comment, isComment } from "./comment.tsx";

/** Comments and changes in their order. */
export function Conversation(props: TicketProps) {
  const { changes } = props.ticket;
  const isWhole = place.value.query["changes"] !== "hidden";
  const automatic = changes.filter((change) => !isComment(change)).length;
  const shown = isWhole ? changes : changes.filter(isComment);
  const toggle = (
    <Button kind="row" onClick={() => setQuery({ changes: isWhole ? "hidden" : undefined })}>
      {isWhole ? t("hideHistory") : t("showHistory")}
    </Button>
  );
  return (
    <Panel title={t("conversation")} note={t("history", { n: automatic })} more={automatic > 0 ? toggle : undefined}>
      {shown.length === 0 && <p class="dim sm inner">{t("quiet")}</p>}
      <ol class="items talk">
        {shown.map((change, at) =>
          isComment(change) ? (
            <Comment key={change.id} change={change} {...props} />
          ) : (
            <li key={`${change.date} ${change.key} ${at}`} class="did">
              <Icon name="edit" />
              <span dir="auto">{said(change)}</span>
              <Time at={change.date} />
            </li>
          ),
        )}
      </ol>
      {can("edit_tickets") && <Write {...props} />}
    </Panel>
  );
}

function Write({ ticket: { id }, onChange }: TicketProps) {
  const [body, setBody] = useState("");
  useUnsaved(body.trim() !== "");
  const send = async (): Promise<void> => {
    const change = { type: "comment", body };
    // Clears the field before sending: text typed meanwhile is the next comment.
    setBody("");
    const answer = await act(`comment ${id}`, { run: () => api.addTicketChange({ id, change }), done: t("sent") });
    if (answer) onChange(answer.ticket);
    else setBody((typed) => [body, typed].filter(Boolean).join("\n\n"));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only do what the button does
    <div
      class="say-it"
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && body.trim()) void send();
      }}
    >
      <MarkdownEditor
        value={body}
        onInput={setBody}
        rows={3}
        label={t("writeComment")}
        placeholder={t("commentPlaceholder")}
      />
      <Action needs="edit_tickets" deed={`comment ${id}`} kind="primary" isDisabled={!body.trim()} run={send}>
        {t("send")}
      </Action>
    </div>
  );
}
