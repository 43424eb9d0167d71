import { listed, titleOf } from "../../data/records/lists.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Select, TextInput } from "../../parts/forms/fields.tsx";
import { list } from "../../texts/format.ts";
import { routesOf } from "../alert-rules/routes.ts";
import { t } from "../alert-rules/texts.ts";
import { useRoutes } from "../notices/data.ts";
import { type Draft, type PartProps, type RuleAction, tagsIn } from "./draft.ts";

const CONDITIONS = ["alert_new", "alert_cleared"] as const;
const TYPES = ["email", "channel", "web_hook", "run_event", "snapshot", "ticket"] as const;

/** For each type of action, the member that holds its target and the list that the target is chosen from. */
const TARGETS = {
  channel: { member: "channel_id", from: "channels" },
  web_hook: { member: "web_hook", from: "web_hooks" },
  run_event: { member: "event_id", from: "events" },
} as const;

const toldOf = ({ id, subject, severity, tags }: Draft) => ({ id, subject, severity, tags: tagsIn(tags) });

/** The rule's own actions: who is notified when it fires and when it clears. */
export function Actions({ draft, set }: PartProps) {
  const { actions } = draft;
  const routes = useRoutes().data.value;
  const told = routes && list(routesOf(toldOf(draft), routes).map(({ title }) => title));
  const put = (at: number, action: RuleAction): void => set({ actions: actions.with(at, action) });
  const add = (): void =>
    set({ actions: [...actions, { enabled: true, condition: "alert_new", type: "email", email: "" }] });
  return (
    <fieldset class="boxes">
      <legend>{t("who")}</legend>
      <p class="help">{actions.length === 0 ? t("nobody") : t("whoHelp")}</p>
      {told !== undefined && <p class="help">{told ? t("byRoutes", { names: told }) : t("byNoRoute")}</p>}
      {actions.map((action, at) => (
        <div key={at} class="act-row">
          <Select
            label={t("condition")}
            choices={CONDITIONS.map((value) => ({ value, title: t(`at_${value}`) }))}
            value={action.condition}
            onInput={(condition) => put(at, { ...action, condition })}
          />
          <TypeOf action={action} onInput={(type) => put(at, { enabled: true, condition: action.condition, type })} />
          <TargetOf action={action} onInput={(change) => put(at, { ...action, ...change })} />
          <Button
            kind="bare"
            icon="x"
            label={t("takeOut")}
            onClick={() => set({ actions: actions.toSpliced(at, 1) })}
          />
        </div>
      ))}
      <div>
        <Button kind="row" icon="plus" label={`${t("add")}: ${t("who")}`} onClick={add}>
          {t("add")}
        </Button>
      </div>
    </fieldset>
  );
}

interface ActionProps<Value> {
  readonly action: RuleAction;
  readonly onInput: (value: Value) => void;
}

function TypeOf({ action: { type }, onInput }: ActionProps<string>) {
  const known: readonly string[] = TYPES;
  const choices = TYPES.map((value) => ({ value: value as string, title: t(`type_${value}`) }));
  // Keeps an action type that this form does not know as a choice, so that it is not changed by accident.
  const other = known.includes(type) ? [] : [{ value: type, title: type }];
  return <Select label={t("type")} choices={[...choices, ...other]} value={type} onInput={onInput} />;
}

function TargetOf({ action, onInput }: ActionProps<Readonly<Record<string, unknown>>>) {
  if (action.type === "email")
    return (
      <TextInput
        label={t("target")}
        placeholder={t("addresses")}
        value={String(action["email"] ?? "")}
        onInput={(email) => onInput({ email })}
      />
    );
  const target = TARGETS[action.type as keyof typeof TARGETS];
  if (!target) return <span />;
  const { member, from } = target;
  const choices = (listed(from) ?? []).map(({ id }) => ({ value: id, title: titleOf(from, id) }));
  return (
    <Select
      label={t("target")}
      choices={[{ value: "", title: "–" }, ...choices]}
      value={String(action[member] ?? "")}
      onInput={(id) => onInput({ [member]: id })}
    />
  );
}
