import { Check } from "../../parts/forms/fields.tsx";
import { capital } from "../../texts/format.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

const VERBS = ["create", "edit", "delete"] as const;
const THINGS = [
  "events",
  "categories",
  "plugins",
  "tags",
  "tickets",
  "alerts",
  "monitors",
  "groups",
  "channels",
  "web_hooks",
  "buckets",
  "roles",
] as const;
const OTHERS = [
  "admin",
  "run_jobs",
  "abort_jobs",
  "delete_jobs",
  "tag_jobs",
  "create_snapshots",
  "delete_snapshots",
  "add_servers",
  "update_servers",
  "acknowledge_alerts",
  "silence_alerts",
  "manage_checks",
  "manage_routes",
  "send_emails",
  "bulk_export",
] as const;
type Other = (typeof OTHERS)[number];

const isOther = (name: string): name is Other => (OTHERS as readonly string[]).includes(name);

/** For example "Edit events". A privilege added by the host is shown by its id. */
export function privilegeName(name: string): string {
  if (isOther(name)) return t(`may.${name}`);
  const verb = VERBS.find((one) => name.startsWith(`${one}_`));
  const thing = THINGS.find((one) => name === `${verb}_${one}`);
  return verb && thing ? t(`may.${verb}`, { what: t(`thing.${thing}`) }) : name;
}

const ALL: ReadonlySet<string> = new Set([
  ...OTHERS,
  ...THINGS.flatMap((thing) => VERBS.map((verb) => `${verb}_${thing}`)),
]);

/** Checkboxes for privileges: first the single ones, then a table of rights by kind of record. */
export function Privileges({ value, onInput, isDisabled }: ControlProps) {
  const held = (value ?? {}) as Readonly<Record<string, unknown>>;
  const more = Object.keys(held).filter((name) => held[name] && !ALL.has(name));
  const put = (name: string, isOn: boolean): void =>
    onInput(
      Object.fromEntries([
        ...Object.entries(held).filter(([one, on]) => one !== name && on),
        ...(isOn ? [[name, true]] : []),
      ]),
    );
  const box = (name: string) => ({
    isDisabled,
    value: Boolean(held[name]),
    onInput: (isOn: boolean) => put(name, isOn),
  });
  return (
    <div class="own-control">
      <div class="rights">
        {[...OTHERS, ...more].map((name) => (
          <Check key={name} {...box(name)}>
            {privilegeName(name)}
          </Check>
        ))}
      </div>
      <Rights box={box} />
    </div>
  );
}

interface RightsProps {
  /** Props of the checkbox for a privilege. */
  readonly box: (name: string) => { isDisabled: boolean; value: boolean; onInput: (isOn: boolean) => void };
}

/** The table of privileges: a row per kind of record, a column per verb. */
const Rights = ({ box }: RightsProps) => (
  <table class="may">
    <thead>
      <tr>
        <td />
        {VERBS.map((verb) => (
          <th key={verb} scope="col">
            {t(`verb.${verb}`)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {THINGS.map((thing) => (
        <tr key={thing}>
          <th scope="row">{capital(t(`thing.${thing}`))}</th>
          {VERBS.map((verb) => (
            <td key={verb}>
              <Check {...box(`${verb}_${thing}`)} label={privilegeName(`${verb}_${thing}`)}>
                {""}
              </Check>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
