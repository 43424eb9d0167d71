import { Entries } from "../../../parts/entries/index.tsx";
import type { Entry, EntryTypes, Member } from "../../../parts/entries/members.ts";
import type { Definition } from "../../../parts/params/definitions.ts";
import { typeTitle, variantChoices } from "../../../parts/params/kinds.ts";
import { t } from "../texts.ts";

type Key = Parameters<typeof t>[0];
const member = (name: string, kind: Member["kind"], title: Key): Member => ({ name, kind, title: () => t(title) });

const COMMON = [member("id", "text", "question.id"), member("title", "text", "question.title")];
const REST = [member("caption", "text", "question.caption"), member("required", "check", "question.required")];
const start = () => ({ id: "", title: "" });

const VARIANT: Member = { ...member("variant", "one", "question.variant"), choices: variantChoices };
const VALUE = member("value", "text", "question.value");

const TYPES: EntryTypes = {
  text: {
    title: () => typeTitle("text"),
    members: [...COMMON, VARIANT, VALUE, ...REST],
    start: () => ({ ...start(), variant: "text", value: "" }),
  },
  textarea: {
    title: () => typeTitle("textarea"),
    members: [...COMMON, member("value", "area", "question.value"), ...REST],
    start: () => ({ ...start(), value: "" }),
  },
  select: {
    title: () => typeTitle("select"),
    members: [...COMMON, member("value", "text", "question.menu"), ...REST],
    start: () => ({ ...start(), value: "" }),
  },
  checkbox: {
    title: () => typeTitle("checkbox"),
    members: [...COMMON, member("value", "check", "question.on"), member("caption", "text", "question.caption")],
    start: () => ({ ...start(), value: false }),
  },
};

const words = ({ title, id, type }: Entry): string => String(title || id || type);

interface QuestionsProps {
  readonly fields: readonly Definition[];
  readonly onInput: (fields: readonly Definition[]) => void;
}

/** Fields that are filled in when a person runs the event manually. */
export const Questions = ({ fields, onInput }: QuestionsProps) => (
  <Entries
    isPlain
    entries={fields}
    onInput={(entries) => onInput(entries as unknown as readonly Definition[])}
    types={TYPES}
    words={words}
    addLabel={t("addQuestion")}
    none={t("noQuestions")}
  />
);
