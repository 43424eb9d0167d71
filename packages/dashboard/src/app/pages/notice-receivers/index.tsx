import { people, personName } from "../../data/people/person-name.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { capital, list, number } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import { enabledField, idField, nameColumn, notesField, textColumn, titleField } from "../definitions/columns.tsx";
import { UseList } from "../definitions/editor/one.tsx";
import { pageOf } from "../definitions/index.tsx";
import {
  type ControlProps,
  callsOf,
  type Definition,
  type DefinitionField,
  type PartProps,
  type Values,
} from "../definitions/kind.ts";
import { dutyWords, type Receiver, ROUTERS, useDuties, useOnDuty, useReceivers, useRoutes } from "../notices/data.ts";
import { Sections } from "../notices/sections.tsx";
import { HealthMark, HealthPanel } from "./health.tsx";
import { t } from "./texts.ts";

/** All administrators, in a list of people. */
const ADMINS = "@admins";
const TYPES = [
  ...(["user", "mail", "rota", "channel", "slack", "teams", "discord", "telegram", "matrix", "ntfy"] as const),
  ...(["pagerduty", "opsgenie", "sms", "web_hook"] as const),
] as const;
const FORMATS = ["slack", "teams", "discord", "telegram", "ntfy", "pagerduty"];
type Setting =
  | ("url" | "token" | "room_of" | "chat" | "thread" | "routing_key" | "region" | "key")
  | ("base_url" | "topic" | "room" | "to");
/** Settings of web hook formats, in addition to the web hook's address. */
const OF_FORMAT: Readonly<Record<string, readonly Setting[]>> = {
  telegram: ["chat"],
  ntfy: ["topic"],
  pagerduty: ["routing_key"],
};
/** Settings of services that are a type of receiver. */
const OF_TYPE: Readonly<Record<string, readonly Setting[]>> = {
  slack: ["url", "token", "room_of"],
  teams: ["url"],
  discord: ["url"],
  telegram: ["token", "chat", "thread"],
  pagerduty: ["routing_key", "region"],
  opsgenie: ["key", "region", "base_url"],
  ntfy: ["url", "topic", "token"],
  matrix: ["url", "room", "token"],
  sms: ["to"],
};
const settingsOf = ({ type, format }: Values): readonly Setting[] =>
  type === "web_hook" ? (OF_FORMAT[String(format)] ?? []) : (OF_TYPE[String(type)] ?? []);
/** Maps our setting name to the wire name. Slack's "channel" has another name here, because channels are something else. */
const nameOf = (setting: Setting): string => (setting === "room_of" ? "channel" : setting);

const isOf =
  (type: Receiver["type"]) =>
  (values: Values): boolean =>
    values["type"] === type;
const titled = (name: "channels" | "web_hooks") => () => [
  { value: "", title: common("choose") },
  ...(listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) })),
];

/** Describes whom the receiver notifies. */
function tellsWords(row: Definition, dutyOf: ReturnType<typeof useOnDuty>): string {
  const receiver = row as unknown as Receiver;
  const { type, users, email, channel, web_hook, format, rota, settings } = receiver;
  switch (type) {
    case "user":
      return list((users ?? []).map((user) => (user === ADMINS ? t("admins") : personName(user))));
    case "mail":
      return email ?? "";
    case "channel":
      return titleOf("channels", channel ?? "");
    case "rota":
      return capital(dutyOf(receiver.id) ?? "") || (rota ?? "");
    case "web_hook":
      return `${titleOf("web_hooks", web_hook ?? "")}${format ? ` · ${format}` : ""}`;
    default: {
      const { chat, channel: room = settings?.["room"], topic, to } = settings ?? {};
      return chat ?? room ?? topic ?? to ?? "";
    }
  }
}

function Tells({ row }: { readonly row: Definition }) {
  const words = tellsWords(row, useOnDuty([row as unknown as Receiver]));
  return (
    <span class="dim cut" dir="auto" title={words}>
      {words}
    </span>
  );
}

const DEFAULT_MOST = 30;
const MOST: Readonly<Record<string, number>> = { web_hook: 0, pagerduty: 0, opsgenie: 0, sms: 10 };

function mostWords(row: Definition): string {
  const { type, max_per_hour } = row as unknown as Receiver;
  const most = max_per_hour ?? MOST[type] ?? DEFAULT_MOST;
  return most > 0 ? number(most) : t("unbounded");
}

/** Fields for a service's settings. Secret ones arrive masked; the mask sent back unchanged keeps the value. */
function Settings({ value, onInput, isDisabled, values }: ControlProps) {
  const settings = (value ?? {}) as Readonly<Record<string, string>>;
  return (
    <>
      {settingsOf(values).map((setting) => {
        const name = nameOf(setting);
        const change = (text: string): void => onInput({ ...settings, [name]: text });
        return (
          <Field key={name} label={t(setting)}>
            {(id) => <TextInput id={id} isDisabled={isDisabled} value={settings[name] ?? ""} onInput={change} />}
          </Field>
        );
      })}
    </>
  );
}

/** Select for a record, with an option for none. */
function RecordSelect({ id, value, onInput, isDisabled, rows, none }: ControlProps & SelectOf) {
  return (
    <select
      class="input"
      id={id}
      disabled={isDisabled}
      value={String(value ?? "")}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {rows.map((row) => (
        <option key={row.id} value={row.id}>
          {row.title}
        </option>
      ))}
    </select>
  );
}
interface SelectOf {
  readonly rows: readonly { readonly id: string; readonly title: string }[];
  readonly none: string;
}

function RotaSelect(props: ControlProps) {
  const duties = useDuties().data.value ?? [];
  const chosen = duties.find(({ rota }) => rota.id === props.value);
  return (
    <>
      <RecordSelect {...props} none={common("choose")} rows={duties.map(({ rota }) => rota)} />
      {chosen && (
        <p class="help" dir="auto">
          {capital(dutyWords(chosen))}
        </p>
      )}
    </>
  );
}
const FallbackSelect = (props: ControlProps) => (
  <RecordSelect
    {...props}
    none={t("nobodyElse")}
    rows={(useReceivers().data.value ?? []).filter(({ id }) => id !== props.values["id"])}
  />
);

const fields: readonly DefinitionField[] = [
  titleField,
  idField,
  {
    member: "type",
    kind: "select",
    isFixed: true,
    label: () => t("type"),
    choices: () => TYPES.map((value) => ({ value, title: t(`type.${value}`) })),
  },
  enabledField,
  {
    member: "users",
    kind: "picks",
    isFree: true,
    when: isOf("user"),
    choices: () => [{ value: ADMINS, title: t("admins") }, ...people()],
    label: () => t("users"),
    help: () => t("usersHelp"),
  },
  { member: "email", kind: "text", when: isOf("mail"), label: () => t("email"), help: () => t("emailHelp") },
  { member: "channel", kind: "select", when: isOf("channel"), label: () => t("channel"), choices: titled("channels") },
  {
    member: "web_hook",
    kind: "select",
    when: ({ type }) => type === "web_hook" || type === "sms",
    label: () => t("webHook"),
    choices: titled("web_hooks"),
  },
  {
    member: "format",
    kind: "select",
    when: isOf("web_hook"),
    label: () => t("format"),
    help: () => t("formatHelp"),
    choices: () => [{ value: "", title: t("ownBody") }, ...FORMATS.map((value) => ({ value, title: value }))],
  },
  {
    member: "settings",
    kind: "own",
    Control: Settings,
    label: () => t("settings"),
    help: () => t("settingsHelp"),
    when: (values) => settingsOf(values).length > 0,
  },
  { member: "rota", kind: "own", when: isOf("rota"), label: () => t("rota"), Control: RotaSelect },
  {
    member: "ack_links",
    kind: "check",
    usual: true,
    when: (values) => !isOf("channel")(values),
    label: () => t("ackLinks"),
    help: () => t("ackLinksHelp"),
  },
  { member: "fallback", kind: "own", label: () => t("fallback"), Control: FallbackSelect },
  { member: "max_per_hour", kind: "number", label: () => t("most"), help: () => t("mostHelp") },
  notesField,
];

/** Routes that use the receiver. */
function NamedBy({ row: { id } }: PartProps) {
  const routes = (useRoutes().data.value ?? []).filter(({ steps }) => steps.some(({ to }) => to.includes(id)));
  return (
    <Panel title={t("namedBy")} count={routes.length}>
      {routes.length === 0 ? (
        <p class="dim sm inner">{t("unnamed")}</p>
      ) : (
        <UseList
          uses={routes.map((route) => ({ icon: "flow", title: route.title, href: `/notices/routes/${route.id}` }))}
        />
      )}
    </Panel>
  );
}

const calls = callsOf("Receiver", "receiver");

export const Page = pageOf({
  path: "/notices/receivers",
  icon: "mail",
  texts: () => ({ title: t("receivers"), create: t("create"), empty: t("empty") }),
  removal: () => t("removal"),
  useRows() {
    // Requests the lists that hold the titles of what receivers refer to.
    listed("channels");
    listed("web_hooks");
    return useReceivers().data.value;
  },
  needs: ROUTERS,
  columns: [
    { ...nameColumn("/notices/receivers"), width: "24%" },
    textColumn(
      "type",
      () => t("type"),
      ({ type }) => t(`type.${type as Receiver["type"]}`),
      { width: "8.5rem", rank: 2 },
    ),
    { key: "tells", title: () => t("tells"), rank: 3, cell: (row) => <Tells row={row} /> },
    { key: "health", title: () => t("health"), width: "8.5rem", cell: (row) => <HealthMark row={row} /> },
    textColumn("most", () => t("most"), mostWords, { width: "11.5rem", isNumber: true }),
  ],
  fields,
  draft: () => ({ title: "", enabled: true, type: "user" }),
  ...calls,
  // An empty choice is sent as null, because the record has either no format or a known one.
  update: (id, values) => calls.update(id, values["format"] === "" ? { ...values, format: null } : values),
  Above: Sections,
  Lead: HealthPanel,
  Uses: NamedBy,
});
