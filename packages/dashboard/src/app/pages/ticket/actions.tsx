import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { Action } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import { go } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { isOver, statusName } from "../tickets/query/values.ts";
import { changeMember } from "./attributes/change.ts";
import type { TicketProps } from "./index.tsx";
import { t } from "./texts.ts";

export function Actions({ ticket, onChange }: TicketProps) {
  const { id, num, subject } = ticket;
  const isDraft = ticket.status === "draft";
  const status = isDraft || isOver(ticket) ? "open" : "resolved";
  const turn = async (): Promise<void> => {
    const made = await act(`status ${id}`, {
      run: () => changeMember(ticket, "status", status),
      done: t("nowStatus", { status: statusName(status) }),
      undo: async ({ takeBack }) => onChange(await takeBack()),
    });
    if (made) onChange(made.ticket);
  };
  const remove = async (): Promise<void> => {
    const title = t("deleteTitle", { num: `#${num}` });
    if (!(await confirm({ title, text: t("deleteWhy", { subject }), verb: t("delete") }))) return;
    const done = t("deleted", { num: `#${num}` });
    if (await act(`delete ${id}`, { run: () => api.deleteTicket({ id }), done })) await go("/tickets");
  };
  return (
    <>
      <Action needs="edit_tickets" deed={`status ${id}`} {...(isOver(ticket) ? {} : { kind: "primary" })} run={turn}>
        {t(isDraft ? "publish" : isOver(ticket) ? "reopen" : "resolve")}
      </Action>
      <Menu
        label={frame("actions")}
        items={[can("delete_tickets") && { title: t("delete"), icon: "trash", isDanger: true, run: remove }]}
      />
    </>
  );
}
