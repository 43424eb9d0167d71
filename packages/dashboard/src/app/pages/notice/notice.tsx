import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, isLimited } from "../../data/calls/session.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Head, Pairs, Panel, Pill } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { go, href } from "../../router/router.ts";
import { when } from "../../texts/format.ts";
import {
  type Notice,
  nameIn,
  type Receiver,
  ROUTERS,
  readFirings,
  receiverName,
  useNoticeNews,
  useOnDuty,
  useReceivers,
  useRoutes,
} from "../notices/data.ts";
import { t } from "../notices/texts.ts";
import { aboutWords, firingsOf, outcomeState, wayWords } from "../notices/words.ts";
import { Firing, RouteLink } from "./firings.tsx";
import { DecisionStep, useDecisions } from "./why.tsx";

const LISTS = ["new", "repeated", "over", "still", "brief", "acknowledged"] as const;

const idsIn = (notice: Notice, list: (typeof LISTS)[number]): readonly string[] =>
  (list === "acknowledged" ? notice.acknowledged?.invocations : notice[list]) ?? [];

/** One notice: its receiver, service, time and text, the firings it is about, and why it was sent. */
export function NoticePage({ id }: { readonly id: string }) {
  const found = useNotice(id);
  const receivers = useReceivers().data.value;
  const { notice, firings = [] } = found.data.value ?? {};
  const receiver = receivers?.find((one) => one.id === notice?.receiver);
  const told = notice ? firingsOf(notice) : [];
  const title =
    notice?.turned?.title || aboutWords(firings.filter((firing) => told.includes(firing.id))) || t("notice");
  useCrumbs([{ title: t("title"), href: href("/notices") }, { title }]);
  if (!notice) return <Missing of={found} gone={t("gone")} />;
  return (
    <WhenLoaded of={found} rows={8}>
      {({ notice: own }) => (
        <>
          <Head
            title={title}
            note={t(own.turned ? "turnTo" : "noticeTo", {
              kind: t(`kind.${own.kind}`),
              receiver: receiverName(receivers, own),
            })}
            state={<Pill state={outcomeState(own)} label={t(`outcome.${own.outcome}`)} />}
            actions={<SendAgain notice={own} to={receiverName(receivers, own)} />}
          />
          <div class="beside">
            <div class="stack">
              <Sent notice={own} receiver={receiver} />
              {own.turned ? null : <Firings notice={own} firings={firings} />}
            </div>
            <div class="stack">
              <About notice={own} receivers={receivers} />
              {own.turned ? null : <Why notice={own} />}
            </div>
          </div>
        </>
      )}
    </WhenLoaded>
  );
}

interface FiringsProps {
  readonly notice: Notice;
  readonly firings: readonly Invocation[];
}

function Firings({ notice, firings }: FiringsProps) {
  return (
    <Panel title={t("inIt")} count={firings.length}>
      <ul class="linked">
        {firings.map((firing) => (
          <Firing
            key={firing.id}
            firing={firing}
            id={firing.id}
            state={firing.active ? "warn" : "ok"}
            label={LISTS.filter((list) => idsIn(notice, list).includes(firing.id))
              .map((list) => t(`in.${list}`))
              .join(", ")}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface SendAgainProps {
  readonly notice: Notice;
  readonly to: string;
}

/** Sends the notice again, whatever its outcome was, as a new notice, and opens that. */
function SendAgain({ notice: { id, outcome }, to }: SendAgainProps) {
  if (outcome === "pending" || isLimited()) return null;
  const deed = `send again ${id}`;
  const run = async (): Promise<void> => {
    const answer = await act(deed, { run: () => api.resendNotice({ id }), done: t("sendingAgain", { to }) });
    if (answer) await go(`/notices/${answer.notice.id}`);
  };
  return (
    <Action needs={ROUTERS.edit} deed={deed} icon="mail" run={run}>
      {t("sendAgain")}
    </Action>
  );
}

/** The outcome in words, and the text itself. */
function Sent({ notice, receiver }: { readonly notice: Notice; readonly receiver: Receiver | undefined }) {
  return (
    <Panel title={t("text")}>
      <p class="say">{outcomeWords(notice, receiver)}</p>
      {notice.hidden > 0 ? (
        <p class="dim sm inner">{t("noText")}</p>
      ) : (
        <p class="inner pre" dir="auto">
          {notice.text}
        </p>
      )}
    </Panel>
  );
}

function outcomeWords({ outcome, date, next, attempts, result }: Notice, receiver: Receiver | undefined): string {
  const way = wayWords(receiver);
  const answer = result?.description ? ` ${t("answered", { text: result.description })}` : "";
  switch (outcome) {
    case "sent":
      return `${t("toldWhat", { way, at: when(date) })} ${attempts > 1 ? t("triesWhat", { n: attempts }) : ""}${answer}`;
    case "pending":
      return t("pendingWhat", { way, at: when(date), next: when(next) }) + answer;
    case "failed":
      return t("failedWhat", { way, n: attempts }) + answer;
    default:
      return t("skippedWhat");
  }
}

const ProblemLink = ({ id }: { readonly id: string }) => (
  <a class="mono" href={href(`/notices/problems/${id}`)}>
    {id}
  </a>
);

function About({
  notice,
  receivers,
}: {
  readonly notice: Notice;
  readonly receivers: readonly Receiver[] | undefined;
}) {
  const routes = useRoutes().data.value;
  const duty = useOnDuty(receivers)(notice.receiver);
  const { problem, receiver, route, seq, date, attempts, in_place_of: other, resent, title, turned } = notice;
  const byRoute = title === undefined ? <RouteLink routes={routes} route={route} /> : t("byAction");
  const about = turned
    ? { name: t("about"), value: <a href={href(`/notices/receivers/${turned.receiver}`)}>{turned.title}</a> }
    : { name: t("problem"), value: <ProblemLink id={problem} /> };
  return (
    <Panel title={t("about")}>
      <Pairs
        facts={[
          about,
          {
            name: t("receiver"),
            value: title ?? (
              <>
                <a href={href(`/notices/receivers/${receiver}`)}>{nameIn(receivers, receiver)}</a>
                {duty && <span class="dim xs sub">{duty}</span>}
              </>
            ),
          },
          turned ? undefined : { name: t("route"), value: byRoute },
          { name: t("when"), value: when(date) },
          { name: t("number"), value: seq },
          { name: t("attempts"), value: attempts },
          other ? { name: t("inPlaceOf"), value: <a href={href(`/notices/${other}`)}>{other}</a> } : undefined,
          resent ? { name: t("resent"), value: <a href={href(`/notices/${resent}`)}>{resent}</a> } : undefined,
        ]}
      />
    </Panel>
  );
}

/** Decisions about the first firing of the notice, for this receiver. */
function Why({ notice }: { readonly notice: Notice }) {
  const found = useDecisions(firingsOf(notice)[0] ?? notice.still[0] ?? "", notice.receiver);
  return (
    <Panel title={t("why")}>
      <WhenLoaded of={found} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t("noWhy")}</Empty>
          ) : (
            <ol class="chain">
              {rows.map((decision) => (
                <DecisionStep key={decision.id} decision={decision} />
              ))}
            </ol>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

/** Loads a notice and its firings, and reloads them when notices or firings change. */
function useNotice(id: string) {
  const found = useLoad(`notice ${id}`, async (signal) => {
    const { notice } = await api.getNotice({ id }, { signal });
    const ids = [...new Set(LISTS.flatMap((list) => idsIn(notice, list)))];
    return { notice, firings: await readFirings(ids, signal) };
  });
  useNoticeNews(found.reload);
  return found;
}
