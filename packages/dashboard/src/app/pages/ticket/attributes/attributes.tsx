import { useRef } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { can } from "../../../data/calls/session.ts";
import { people } from "../../../data/people/person-name.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Field, Select } from "../../../parts/forms/fields.tsx";
import { Picks } from "../../../parts/forms/picks.tsx";
import { t as common } from "../../../texts/words/common.ts";
import { byTitle } from "../../tickets/query/fields.ts";
import { statusChoices, typeChoices } from "../../tickets/query/values.ts";
import type { TicketProps } from "../index.tsx";
import { t } from "../texts.ts";
import { changeMember, type Editable, type Values } from "./change.ts";
import { DueInput } from "./due.tsx";

interface FieldsProps {
  readonly values: Values;
  readonly onInput: (member: Editable, value: string | readonly string[]) => unknown;
  readonly isDisabled?: boolean;
}

const none = () => ({ value: "", title: common("none") });
const known = (name: "categories" | "servers", now: string | null | undefined) => {
  const choices = byTitle(name)();
  return now && !choices.some(({ value }) => value === now) ? [...choices, { value: now, title: now }] : choices;
};

/** Fields for the attributes of a ticket; a new ticket uses them too. */
export function AttributeFields({ values, onInput, isDisabled = false }: FieldsProps) {
  const one = (
    member: "status" | "type" | "category" | "server",
    choices: readonly { value: string; title: string }[],
  ) => (
    <Field label={t(member)}>
      {(id) => (
        <Select
          isActing
          id={id}
          choices={choices}
          isDisabled={isDisabled}
          value={values[member] ?? ""}
          onInput={(value) => onInput(member, value)}
        />
      )}
    </Field>
  );
  return (
    <>
      {one("status", statusChoices(values.status))}
      {one("type", [none(), ...typeChoices(values.type ?? "")])}
      <Lists values={values} onInput={onInput} isDisabled={isDisabled} members={["assignees", "tags"]} />
      <Field label={t("due")}>
        {(id) => (
          <DueInput id={id} isDisabled={isDisabled} value={values.due} onInput={(date) => onInput("due", date)} />
        )}
      </Field>
      {one("category", [none(), ...known("categories", values.category)])}
      {one("server", [none(), ...known("servers", values.server)])}
      <Lists values={values} onInput={onInput} isDisabled={isDisabled} members={["cc", "notify"]} />
    </>
  );
}

interface ListsProps extends FieldsProps {
  readonly members: readonly ("assignees" | "tags" | "cc" | "notify")[];
}

function Lists({ values, onInput, isDisabled = false, members }: ListsProps) {
  return (
    <>
      {members.map((member) => (
        <Field
          key={member}
          label={t(member)}
          help={member === "cc" ? t("ccHelp") : member === "notify" ? t("notifyHelp") : undefined}
        >
          {(id) => (
            <Picks
              id={id}
              isDisabled={isDisabled}
              label={t(member)}
              values={values[member]}
              isFree={member !== "tags"}
              choices={member === "tags" ? byTitle("tags")() : people()}
              placeholder={member === "tags" ? common("addOne") : t("addPerson")}
              onInput={(next) => onInput(member, next)}
            />
          )}
        </Field>
      ))}
    </>
  );
}

export function Attributes({ ticket, onChange }: TicketProps) {
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const change = (member: Editable, value: unknown): void => {
    const deed = async (): Promise<void> => {
      const made = await act(`attributes ${ticket.id}`, {
        run: () => changeMember(ticket, member, value),
        done: t("changed", { member: t(member) }),
        undo: async ({ takeBack }) => onChange(await takeBack()),
      });
      // If the change was refused, shows the stored value again.
      onChange(made?.ticket ?? {});
    };
    // Queues a change behind those still running.
    line.current = line.current.then(deed);
  };
  return (
    <Panel title={t("attributes")}>
      <div class="attributes">
        <AttributeFields values={ticket} onInput={change} isDisabled={!can("edit_tickets")} />
      </div>
    </Panel>
  );
}
