import { act } from "../../data/calls/act.ts";
import { api, can, isLimited } from "../../data/calls/session.ts";
import { personName } from "../../data/people/person-name.ts";
import { titleOf } from "../../data/records/lists.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { setQuery } from "../../router/router.ts";
import { capital, list, now, timeZone, when, zoneName } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { t as routes } from "../notice-routes/texts.ts";
import { isForAll } from "./quiet/reach.ts";
import { t } from "./texts.ts";
import { weekdayName } from "./weekdays.ts";

export type Silence = Awaited<ReturnType<typeof api.getSilences>>["rows"][number];

/** Describes what a silence is about. */
const aboutOf = (silence: Silence): string => {
  const { alerts, servers, groups, events, heartbeats, checks, severities, tags } = silence;
  return [
    alerts?.map((id) => titleOf("alerts", id)),
    servers?.map((id) => titleOf("servers", id)),
    groups?.map((id) => titleOf("groups", id)),
    events?.map((id) => titleOf("events", id)),
    heartbeats?.map((id) => titleOf("heartbeats", id)),
    checks?.map((id) => titleOf("checks", id)),
    tags?.map((tag) => `#${tag}`),
    severities?.map((each) => routes(`severity.${each}`)),
  ]
    .flatMap((names) => (names?.length ? [list(names)] : []))
    .join(" · ");
};

/** The hours and weekdays of a recurring silence, with its zone if it differs from the displayed one. */
function againWords({ from, to, weekdays, timezone }: NonNullable<Silence["recurring"]>): string {
  const zone = timezone ?? timeZone.value;
  const days = weekdays?.length ? list(weekdays.map(weekdayName)) : t("daily");
  return t("recurring", { days, from, to }) + (zone === timeZone.value ? "" : ` (${zoneName(zone)})`);
}

function timeOf({ start, end, recurring }: Silence): string {
  const parts: string[] = recurring ? [againWords(recurring)] : [];
  if (start !== null && start > now.peek() && end !== null)
    parts.push(t("fromTo", { from: when(start), to: when(end) }));
  else if (start !== null && start > now.peek()) parts.push(t("fromAt", { at: when(start) }));
  else if (end !== null) parts.push(t(end <= now.peek() ? "ended" : "untilAt", { at: when(end) }));
  return capital(parts.join(", ") || t("forever"));
}

function State({ silence: { in_force, enabled, end } }: { readonly silence: Silence }) {
  if (in_force) return <Mark state="hush" label={t("stateNow")} />;
  if (!enabled) return <Mark state="abort" label={t("stateOff")} />;
  const isOver = end !== null && end <= now.peek();
  return <Mark state={isOver ? "ok" : "wait"} label={isOver ? t("stateOver") : t("stateLater")} />;
}

/** True if the viewer may change a silence that they can see. */
export const mayChange = (silence: Silence): boolean => can("silence_alerts") && !(isLimited() && isForAll(silence));

interface RowProps {
  readonly silence: Silence;
  readonly reload: () => Promise<void>;
}

/** Updates a silence and offers to undo it. */
async function change(
  { silence: { id, title: name, revision }, reload }: RowProps,
  [members, back]: readonly [SilenceChange, SilenceChange],
  text: "endedNow" | "switchedOff" | "switchedOn",
): Promise<void> {
  const run = () => api.updateSilence({ id, if_revision: revision, ...members });
  const undo = async ({ silence }: Awaited<ReturnType<typeof run>>): Promise<void> => {
    await api.updateSilence({ id, if_revision: silence.revision, ...back });
    await reload();
  };
  await act(`silence ${id}`, { run, done: t(text, { name }), undo });
  await reload();
}
type SilenceChange = { readonly enabled?: boolean; readonly end?: number | null };

async function remove({ silence, reload }: RowProps): Promise<void> {
  const { in_force: _live, revision: _r, created: _c, modified: _m, username: _u, ...record } = silence;
  const undo = async (): Promise<void> => {
    await api.createSilence(record);
    await reload();
  };
  const { id, title: name } = silence;
  await act(`silence ${id}`, { run: () => api.deleteSilence({ id }), done: t("removed", { name }), undo });
  await reload();
}

function RowMenu(props: RowProps) {
  const { title: name, in_force, end, recurring } = props.silence;
  const enabled = Boolean(props.silence.enabled);
  if (!mayChange(props.silence)) return null;
  const toggle = [{ enabled: !enabled }, { enabled }] as const;
  const toggled = enabled ? "switchedOff" : "switchedOn";
  return (
    <Menu
      label={`${frame("actions")}: ${name}`}
      items={[
        in_force &&
          !recurring && {
            title: t("endNow"),
            icon: "ok",
            run: () => change(props, [{ end: Math.floor(now.peek()) }, { end }], "endedNow"),
          },
        { title: t(enabled ? "switchOff" : "switchOn"), icon: "hush", run: () => change(props, toggle, toggled) },
        { title: t("remove"), icon: "trash", isDanger: true, run: () => remove(props) },
      ]}
    />
  );
}

export const columns = (reload: () => Promise<void>): readonly Column<Silence>[] => [
  {
    key: "name",
    title: () => t("name"),
    sort: "name",
    width: "26%",
    cell: (silence) => (
      <span class="cell">
        <State silence={silence} />
        {mayChange(silence) ? (
          <button type="button" class="plain cut" onClick={() => setQuery({ edit: silence.id })}>
            <b dir="auto">{silence.title}</b>
          </button>
        ) : (
          <b class="cut" dir="auto">
            {silence.title}
          </b>
        )}
      </span>
    ),
  },
  {
    key: "about",
    title: () => t("about"),
    rank: 3,
    cell: (silence) => (
      <span class="dim cut" dir="auto" title={aboutOf(silence)}>
        {aboutOf(silence)}
      </span>
    ),
  },
  {
    key: "when",
    title: () => t("when"),
    sort: "state",
    width: "22%",
    cell: (silence) => <span class="cut">{timeOf(silence)}</span>,
  },
  {
    key: "by",
    title: () => t("by"),
    width: "9rem",
    rank: 2,
    cell: ({ username }) => (
      <span class="dim cut" dir="auto">
        {personName(username ?? "")}
      </span>
    ),
  },
  {
    key: "acts",
    title: "",
    width: "3.5rem",
    isNumber: true,
    cell: (silence) => <RowMenu silence={silence} reload={reload} />,
  },
];
