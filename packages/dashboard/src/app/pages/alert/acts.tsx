import { SignalboxError } from "@signalbox/client";
import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { useKeys } from "../../data/keys.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { titleOf } from "../../data/records/lists.ts";
import { subjectOf, subjectPath, subjectTitle } from "../../data/records/subjects.ts";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import type { IconName } from "../../parts/basic/icon.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import { TicketLinks } from "../../parts/ticket-links/index.tsx";
import { t as links } from "../../parts/ticket-links/texts.ts";
import { hasPage } from "../../router/find-page.ts";
import { go } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { t } from "../alerts/texts.ts";
import { QuietDialog } from "../silences/quiet/quiet.tsx";
import { type About, maySilence } from "../silences/quiet/scopes.ts";
import { AcknowledgeDialog, type Takeover } from "./acknowledge.tsx";

type Dialogs = "acknowledge" | "silence" | "tickets";

interface ActsProps {
  readonly invocation: Invocation;
  readonly reload: () => Promise<unknown>;
}

/** Actions on the alert, within reach of the thumb. */
export function Acts({ invocation, reload }: ActsProps) {
  const [open, setOpen] = useState<Dialogs | undefined>(undefined);
  const { id, alert, active, acknowledged } = invocation;
  const name = t("title2", { rule: titleOf("alerts", alert), server: subjectTitle(invocation) });
  const deed = `acknowledge ${id}`;
  const { take, back } = takeover(invocation, name, reload);
  const quiet = { alert, of: invocation, groups: invocation.groups };
  const mayTake = active && !acknowledged && can("acknowledge_alerts");
  useKeys({ a: () => mayTake && setOpen("acknowledge"), s: () => maySilence(quiet) && setOpen("silence") });
  return (
    <div class="foot">
      {mayTake && (
        <Button kind="primary" onClick={() => setOpen("acknowledge")}>
          {t("acknowledgeDo")}
        </Button>
      )}
      {active && acknowledged && (
        <Action needs="acknowledge_alerts" deed={deed} label={`${t("takeBack")}: ${name}`} run={back}>
          {t("takeBack")}
        </Action>
      )}
      {maySilence(quiet) && (
        <Button icon="hush" onClick={() => setOpen("silence")}>
          {t("silence")}
        </Button>
      )}
      <Ticket invocation={invocation} name={name} reload={reload} />
      <span class="grow" />
      <Further invocation={invocation} name={name} onTickets={() => setOpen("tickets")} />
      <Asked {...{ invocation, name, reload, open, take, quiet }} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface NamedProps {
  readonly invocation: Invocation;
  readonly name: string;
}

function Ticket({ invocation: { id, tickets }, name, reload }: NamedProps & Pick<ActsProps, "reload">) {
  if (tickets.length > 0 && hasPage(`/tickets/${tickets[0]}`))
    return (
      <Button icon="ticket" onClick={() => go(`/tickets/${tickets[0]}`)}>
        {t("ticket")}
      </Button>
    );
  const deed = `ticket ${id}`;
  const make = async () => {
    await act(deed, {
      run: () => api.createTicket({ subject: name, type: "issue", status: "open", template: "alert", alert: id }),
      done: ({ ticket }) => t("ticketMade", { num: String(ticket.num), name }),
      undo: async ({ ticket }) => api.deleteTicket({ id: ticket.id }),
    });
    await reload();
  };
  return (
    <Action needs="create_tickets" deed={deed} icon="ticket" label={`${t("ticket")}: ${name}`} run={make}>
      {t("ticket")}
    </Action>
  );
}

/** Text key and icon of the link to a firing's subject, by type of subject. */
const OPENS: Readonly<Record<string, readonly ["server" | "event" | "heartbeat" | "check", IconName]>> & {
  readonly server: readonly ["server", IconName];
} = {
  server: ["server", "server"],
  event: ["event", "cal"],
  heartbeat: ["heartbeat", "pulse"],
  check: ["check", "ok"],
};

interface FurtherProps extends NamedProps {
  readonly onTickets: () => void;
}

function Further({ invocation, name, onTickets }: FurtherProps) {
  const { id, alert } = invocation;
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t("removeSure", { name }), text: t("removeWhy"), verb: t("remove") }))) return;
    const done = await act(`delete ${id}`, { run: () => api.deleteAlertInvocation({ id }), done: t("removed") });
    if (done) await go("/alerts");
  };
  const [title, icon] = OPENS[subjectOf(invocation).type] ?? OPENS.server;
  const link = (path: string | undefined, title: string, icon: IconName) =>
    path !== undefined && hasPage(path) && { title, icon, run: () => go(path) };
  return (
    <Menu
      label={`${frame("more")}: ${name}`}
      items={[
        link(subjectPath(invocation), t(title), icon),
        link(`/alert-rules/${alert}`, t("openRule"), "rule"),
        can("edit_tickets") && { title: links("add"), icon: "ticket", run: onTickets },
        can("delete_alerts") && { title: t("remove"), icon: "trash", isDanger: true, run: remove },
      ]}
    />
  );
}

/** Functions that acknowledge an alert in the viewer's name and withdraw the acknowledgement. */
function takeover({ id }: Invocation, name: string, reload: () => Promise<unknown>) {
  const deed = `acknowledge ${id}`;
  const back = async () => {
    await act(deed, { run: () => api.unacknowledgeAlertInvocation({ id }), done: t("takenBack", { name }) });
    await reload();
  };
  const take = (takeover: Takeover) =>
    act(deed, {
      run: () => api.acknowledgeAlertInvocation({ id, ...takeover }),
      done: t("acknowledgedDone", { name }),
      undo: async () => {
        await api.unacknowledgeAlertInvocation({ id });
        await reload();
      },
    });
  return { take, back };
}

async function readLinks(id: string): Promise<readonly string[]> {
  const [found] = (await api.getAlertInvocations({ ids: [id] })).alerts;
  if (found && "tickets" in found) return found.tickets;
  throw new SignalboxError("notfound", t("gone"));
}

interface AskedProps extends ActsProps {
  readonly name: string;
  readonly open: Dialogs | undefined;
  readonly take: (takeover: Takeover) => Promise<unknown>;
  /** Subjects that the new silence is filled in with. */
  readonly quiet: About;
  readonly onClose: () => void;
}

function Asked({ invocation, name, reload, open, take, quiet, onClose }: AskedProps) {
  const { id, tickets } = invocation;
  return (
    <>
      {open === "acknowledge" && <AcknowledgeDialog name={name} take={take} onClose={onClose} onDone={reload} />}
      {open === "silence" && <QuietDialog about={quiet} onClose={onClose} onDone={reload} />}
      {open === "tickets" && (
        <TicketLinks
          {...{ name, id, linked: tickets, onClose, onChanged: reload }}
          read={() => readLinks(id)}
          change={(tickets) => api.manageAlertInvocationTickets({ id, tickets })}
        />
      )}
    </>
  );
}
