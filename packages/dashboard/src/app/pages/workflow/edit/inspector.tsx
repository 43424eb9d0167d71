import { useState } from "preact/hooks";
import { isRecord } from "../../../data/records/is-record.ts";
import { listed } from "../../../data/records/lists.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { ACTION_TYPES } from "../../../parts/editors/actions-editor.tsx";
import { LIMIT_TYPES } from "../../../parts/editors/limits-editor.tsx";
import { MemberField } from "../../../parts/entries/member-field.tsx";
import type { EntryTypes } from "../../../parts/entries/members.ts";
import { type Choice, Field, Select, TextArea, TextInput } from "../../../parts/forms/fields.tsx";
import type { Graph, GraphNode } from "../graph/model.ts";
import { CONDITIONS, conditionTitle, kindOf, nameOf } from "../graph/names.ts";
import { t } from "../texts.ts";
import * as changes from "./changes.ts";
import { fieldsOf } from "./kinds.ts";

export interface InspectorProps {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly fault: string | undefined;
  readonly onChange: (graph: Graph) => void;
  readonly onClose: () => void;
}

/** Everything about one graph node: what it runs, its values, its wires. */
export function Inspector(props: InspectorProps) {
  const { graph, node, fault, onChange, onClose } = props;
  const close = <Button kind="bare" icon="x" label={t("closeNode")} onClick={onClose} />;
  const remove = (): void => {
    onClose();
    onChange(changes.removeNode(graph, node.id));
  };
  return (
    <Panel title={nameOf(node)} note={kindOf(node)} class="aside" more={close}>
      <div class="fields">
        {fault && <p class="wrong">{fault}</p>}
        <Main key={`${node.id} main`} {...props} />
        <Wires {...props} />
        {node.type !== "trigger" && <Json key={`${node.id} ${JSON.stringify(node.data)}`} {...props} />}
        {node.type !== "trigger" && (
          <Button kind="danger" icon="trash" onClick={remove}>
            {t("remove")}
          </Button>
        )}
      </div>
    </Panel>
  );
}

/** Types of graph nodes that are entries of a list elsewhere (limits, actions). */
const ENTRIES: Readonly<Record<string, EntryTypes>> = { limit: LIMIT_TYPES, action: ACTION_TYPES };
const titled = (rows: readonly { id: string; title?: string }[] | undefined): Choice[] =>
  (rows ?? []).map(({ id, title }) => ({ value: id, title: title || id }));

/** The member that holds what a node runs, with the choices for it. */
function choiceOf(
  type: string,
): { readonly member: string; readonly label: string; readonly choices: Choice[] } | undefined {
  if (type === "event") return { member: "event", label: t("event"), choices: titled(listed("events")) };
  const plugins = listed("plugins")?.filter((plugin) => plugin.type === "event");
  if (type === "job") return { member: "plugin", label: t("plugin"), choices: titled(plugins) };
  const types = ENTRIES[type];
  if (!types) return undefined;
  const choices = Object.entries(types).map(([value, { title }]) => ({ value, title: title() }));
  return { member: "type", label: t("type"), choices };
}

function Main({ graph, node, onChange }: InspectorProps) {
  const data = node.data ?? {};
  const set = (member: string, value: unknown): void =>
    onChange(changes.setData(graph, node.id, { ...data, [member]: value }));
  const choice = choiceOf(node.type);
  const value = choice ? String(data[choice.member] ?? "") : "";
  const isKnown = choice?.choices.some((one) => one.value === value);
  return (
    <>
      {choice && (
        <Field label={choice.label}>
          {(id) => (
            <Select
              id={id}
              value={value}
              choices={isKnown ? choice.choices : [{ value, title: value || t("choose") }, ...choice.choices]}
              onInput={(next) => set(choice.member, next)}
            />
          )}
        </Field>
      )}
      <EntryFields node={node} set={set} />
      {fieldsOf(node.type, data).map(({ member, title, help, isNumber }) => (
        <Field key={member} label={title()} help={help?.()}>
          {(id, describedBy) => (
            <TextInput
              id={id}
              describedBy={describedBy}
              type={isNumber ? "number" : "text"}
              value={String(data[member] ?? "")}
              onInput={(text) => set(member, isNumber ? Number(text) : text)}
            />
          )}
        </Field>
      ))}
    </>
  );
}

interface EntryFieldsProps extends Pick<InspectorProps, "node"> {
  readonly set: (member: string, value: unknown) => void;
}

/** Fields of a limit or an action, by its type. */
function EntryFields({ node: { type, data = {} }, set }: EntryFieldsProps) {
  const kind = String(data["type"]);
  const members = ENTRIES[type]?.[kind]?.members ?? [];
  return (
    <>
      {members.map((member) => (
        <MemberField
          key={`${kind} ${member.name}`}
          member={member}
          value={data[member.name]}
          onInput={(next) => set(member.name, next)}
        />
      ))}
    </>
  );
}

/** Graph nodes that another wire from this node may lead to. */
const targetsOf = ({ nodes }: Graph, node: GraphNode, wires: Graph["connections"]): readonly GraphNode[] =>
  nodes.filter(({ id, type }) => id !== node.id && type !== "trigger" && !wires.some(({ dest }) => dest === id));

function Wires({ graph, node, onChange }: InspectorProps) {
  const wires = graph.connections.filter(({ source }) => source === node.id);
  const nodes = new Map(graph.nodes.map((one) => [one.id, one]));
  const nameAt = (id: string): string => {
    const found = nodes.get(id);
    return found ? nameOf(found) : id;
  };
  const targets = targetsOf(graph, node, wires).map((one) => ({ value: one.id, title: `${nameOf(one)} (${one.id})` }));
  return (
    <fieldset class="wirelist">
      <legend>{t("wires")}</legend>
      {wires.map(({ id, dest, condition = "" }) => (
        <div key={id} class="wireline">
          <span class="cut" dir="auto">
            {nameAt(dest)}
          </span>
          <Select
            label={t("condition", { name: nameAt(dest) })}
            value={condition}
            choices={[...new Set([condition, ...CONDITIONS])].map((value) => ({ value, title: conditionTitle(value) }))}
            onInput={(next) => onChange(changes.setCondition(graph, id, next))}
          />
          <Button
            kind="bare"
            icon="x"
            label={t("removeWire", { name: nameAt(dest) })}
            onClick={() => onChange(changes.removeWire(graph, id))}
          />
        </div>
      ))}
      <Select
        isActing
        label={t("connectTo")}
        value=""
        choices={[{ value: "", title: t("connectTo") }, ...targets]}
        onInput={(dest) => dest && onChange(changes.connect(graph, node.id, dest))}
      />
    </fieldset>
  );
}

/** All values of a node as JSON, so that members without a field can be edited too. */
function Json({ graph, node, onChange }: InspectorProps) {
  const [text, setText] = useState(() => JSON.stringify(node.data ?? {}, null, 2));
  const data = parsed(text);
  const apply = (): void => {
    if (data && JSON.stringify(data) !== JSON.stringify(node.data)) onChange(changes.setData(graph, node.id, data));
  };
  return (
    <Field label={t("data")} error={data ? undefined : t("badJson")}>
      {(id, describedBy) => (
        <TextArea id={id} describedBy={describedBy} isMono rows={7} value={text} onInput={setText} onBlur={apply} />
      )}
    </Field>
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // The error is shown below the field.
    return undefined;
  }
}
