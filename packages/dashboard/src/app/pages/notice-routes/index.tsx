import { listed, titleOf } from "../../data/records/lists.ts";
import { list, number } from "../../texts/format.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import { callsOf, type Definition, type DefinitionField, type PartProps } from "../definitions/kind.ts";
import { nameIn, ROUTERS, type Route, useOnDuty, useReceivers, useRoutes } from "../notices/data.ts";
import { Sections } from "../notices/sections.tsx";
import { Digest, HoursList, Match, Steps, stepWords, Wait, wordOf } from "./controls.tsx";
import { LookBack } from "./look-back/index.tsx";
import { Order } from "./order.tsx";
import { t } from "./texts.ts";
import { Trial } from "./trial.tsx";

const LISTS = ["severities", "subjects", "alerts", "tags", "categories", "groups", "servers"] as const;

/** Describes the conditions on firings. */
function matchWords({ match }: Definition): string {
  const given = (match ?? {}) as NonNullable<Route["match"]>;
  const named = (name: (typeof LISTS)[number], id: string): string => {
    if (name === "tags") return `#${id}`;
    return name === "severities" || name === "subjects" ? wordOf(name, id) : titleOf(name, id);
  };
  const parts = LISTS.map((name) => list((given[name] ?? []).map((id) => named(name, id)))).filter(Boolean);
  return parts.join(" · ") || t("everything");
}

const choices = <Name extends string>(_prefix: string, names: readonly Name[], title: (name: Name) => string) =>
  names.map((value) => ({ value, title: title(value) }));

const CLEAR = ["all", "each", "none"] as const;
const OUTSIDE = ["skip", "hold"] as const;
const GROUP_BY = ["alert", "subject", "severity", "category", "group", "tag"] as const;

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  enabledField,
  { member: "steps", kind: "own", Control: Steps, label: () => t("steps"), help: () => t("stepsHelp") },
  { member: "match", kind: "own", Control: Match, label: () => t("match"), help: () => t("matchHelp") },
  {
    member: "group_by",
    kind: "picks",
    label: () => t("groupBy"),
    help: () => t("groupByHelp"),
    choices: () => choices("by", GROUP_BY, (name) => t(`by.${name}`)),
  },
  { member: "group_wait", kind: "own", Control: Wait, label: () => t("wait"), help: () => t("waitHelp") },
  { member: "group_interval", kind: "span", label: () => t("interval"), help: () => t("intervalHelp") },
  { member: "repeat_interval", kind: "span", label: () => t("repeat"), help: () => t("repeatHelp") },
  {
    member: "clear",
    kind: "select",
    label: () => t("clear"),
    choices: () => choices("clear", CLEAR, (name) => t(`clear.${name}`)),
  },
  { member: "tell_brief", kind: "check", label: () => t("tellBrief"), help: () => t("tellBriefHelp") },
  { member: "loop", kind: "number", label: () => t("loop"), help: () => t("loopHelp") },
  { member: "active", kind: "own", Control: HoursList, label: () => t("active"), help: () => t("activeHelp") },
  {
    member: "outside",
    kind: "select",
    label: () => t("outside"),
    choices: () => choices("outside", OUTSIDE, (name) => t(`outside.${name}`)),
    when: ({ active }) => Array.isArray(active) && active.length > 0,
  },
  { member: "digest", kind: "own", Control: Digest, label: () => t("digest"), help: () => t("digestHelp") },
  { member: "continue", kind: "check", label: () => t("goOn") },
  notesField,
];

/** Lists the receivers of each step, and when the later steps follow. */
function Tells({ steps }: { readonly steps: Route["steps"] }) {
  const receivers = useReceivers().data.value;
  const dutyOf = useOnDuty(receivers?.filter(({ id }) => steps.some(({ to }) => to.includes(id))));
  const named = (id: string): string => {
    const duty = dutyOf(id);
    return duty ? `${nameIn(receivers, id)} (${duty})` : nameIn(receivers, id);
  };
  const words = steps.map((step) => {
    const names = list(step.to.map(named));
    return step.after === 0 ? names : `${stepWords(step)} ${names}`;
  });
  return (
    <span class="dim cut" dir="auto" title={words.join(", ")}>
      {words.join(", ")}
    </span>
  );
}

const Trials = (props: PartProps) => (
  <>
    <Trial />
    <LookBack key={props.row.id} {...props} />
  </>
);

export const Page = pageOf({
  path: "/notices/routes",
  icon: "flow",
  texts: () => ({ title: t("routes"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows() {
    // Requests the lists that hold the titles of what routes refer to.
    listed("alerts");
    return useRoutes().data.value;
  },
  needs: ROUTERS,
  order: "sort_order",
  columns: [
    nameColumn("/notices/routes"),
    textColumn("match", () => t("match"), matchWords),
    {
      key: "tells",
      title: () => t("tells"),
      width: "38%",
      cell: (row) => <Tells steps={row["steps"] as never} />,
    },
    {
      ...textColumn(
        "order",
        () => t("position"),
        ({ sort_order: place }) => number(Number(place) + 1),
        { width: "4rem" },
      ),
      sort: "sort_order",
      isNumber: true,
    },
  ],
  fields,
  draft: () => ({
    title: "",
    enabled: true,
    steps: [{ after: 0, to: [] }],
    match: {},
    group_by: ["alert"],
    group_wait: "auto",
    group_interval: 300,
    repeat_interval: 14_400,
    clear: "all",
    tell_brief: false,
    loop: 0,
    active: [],
    outside: "skip",
  }),
  ...callsOf("Route", "route"),
  Above: Sections,
  Main: Trials,
  Side: Order,
});
