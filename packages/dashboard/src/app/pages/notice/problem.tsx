import { useMemo, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Head, Pairs, Panel, Pill, type StateName } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { href } from "../../router/router.ts";
import { list, when } from "../../texts/format.ts";
import { AcknowledgeDialog, type Takeover } from "../alert/acknowledge.tsx";
import { severityState } from "../alerts/state.ts";
import {
  nameIn,
  type Problem,
  type Receiver,
  receiversOf,
  type Titled,
  useNoticeNews,
  useReceivers,
  useRoutes,
} from "../notices/data.ts";
import { columnsOf, readNotices } from "../notices/lists/list.tsx";
import { t } from "../notices/texts.ts";
import { aboutWords, toldReceivers } from "../notices/words.ts";
import { Firing, RouteLink } from "./firings.tsx";

/** Maximum number of notices shown for a problem, newest first. */
const MOST = 200;

/** One problem: its firings with the state of each, and all notices about it. */
export function ProblemPage({ id }: { readonly id: string }) {
  const found = useLoad(`problem ${id}`, async (signal) => {
    const [{ problem }, notices] = await Promise.all([
      api.getProblem({ id }, { signal }),
      readNotices(`problem:${id}`, MOST, signal),
    ]);
    return { problem, notices };
  });
  useNoticeNews(found.reload);
  const receivers = useReceivers().data.value;
  const columns = useMemo(() => columnsOf(receivers), [receivers]);
  const problem = found.data.value?.problem;
  const title = problem ? aboutWords(problem.members) : t("problem");
  useCrumbs([{ title: t("title"), href: href("/notices") }, { title }]);
  if (!problem) return <Missing of={found} gone={t("gone")} />;
  return (
    <WhenLoaded of={found} rows={8}>
      {({ problem: own, notices: { rows, total } }) => (
        <>
          <ProblemHead problem={own} title={title} onDone={found.reload} />
          <div class="beside">
            <div class="stack">
              <Panel title={t("sent")} count={total}>
                {rows.length === 0 ? (
                  <Empty>{t("toNobody")}</Empty>
                ) : (
                  <Table {...{ label: t("sent"), columns, rows, total, question: id }} keyOf={(row) => row.id} />
                )}
              </Panel>
              <Members problem={own} receivers={receivers} />
            </div>
            <Facts problem={own} />
          </div>
        </>
      )}
    </WhenLoaded>
  );
}

interface HeadProps {
  readonly problem: Problem;
  readonly title: string;
  readonly onDone: () => Promise<void>;
}

function ProblemHead({ problem: { id, severity, members, closed }, title, onDone }: HeadProps) {
  const [isAsked, setAsked] = useState(false);
  const live = members.filter(({ ended }) => ended === undefined).length;
  const take = (takeover: Takeover) =>
    act(`take ${id}`, { run: () => api.acknowledgeProblem({ id, ...takeover }), done: t("took", { n: live }) });
  return (
    <Head
      title={title}
      state={closed === null ? <Pill state={severityState(severity)} /> : <Pill state="ok" label={t("closed")} />}
      actions={
        live > 0 &&
        can("acknowledge_alerts") && (
          <>
            <Button kind="primary" icon="ack" onClick={() => setAsked(true)}>
              {t("takeOverAll", { n: live })}
            </Button>
            {isAsked && <AcknowledgeDialog {...{ name: title, take, onDone }} onClose={() => setAsked(false)} />}
          </>
        )
      }
    />
  );
}

type Member = Problem["members"][number];

const memberState = ({ ended, hold, severity }: Member): StateName =>
  ended === undefined ? (hold ? "hush" : severityState(severity)) : "ok";

/** Describes the state of a firing: who was notified, what holds its notices, when it ended. */
function memberWords(member: Member, receivers: readonly Titled[] | undefined): string {
  const told = list(toldReceivers([member]).map((id) => nameIn(receivers, id)));
  const parts = [told ? `${t("told")}: ${told}` : t("toNobody"), member.hold?.title ?? ""];
  if (member.ended !== undefined) parts.push(t("ended", { at: when(member.ended) }));
  return parts.filter(Boolean).join(" · ");
}

const Members = ({
  problem,
  receivers,
}: {
  readonly problem: Problem;
  readonly receivers: readonly Receiver[] | undefined;
}) => (
  <Panel
    title={t("groupedBy")}
    count={problem.members.length}
    {...(problem.hidden > 0 ? { note: t("hidden", { n: problem.hidden }) } : {})}
  >
    <ul class="linked">
      {problem.members.map((member) => (
        <Firing
          key={member.invocation}
          {...{ firing: member, id: member.invocation, state: memberState(member) }}
          label={member.ended === undefined ? t("live") : t("closed")}
          note={memberWords(member, receiversOf(receivers, problem))}
        />
      ))}
    </ul>
  </Panel>
);

function Facts({ problem: { route, opened, closed, due, id, title } }: { readonly problem: Problem }) {
  const routes = useRoutes().data.value;
  return (
    <Panel title={t("about")}>
      <Pairs
        facts={[
          { name: t("route"), value: title === undefined ? <RouteLink {...{ routes, route }} /> : t("byAction") },
          { name: t("opened"), value: when(opened) },
          closed === null ? undefined : { name: t("closed"), value: when(closed) },
          due === null ? undefined : { name: t("nextThing"), value: when(due) },
          { name: "Id", value: <span class="mono">{id}</span> },
        ]}
      />
    </Panel>
  );
}
