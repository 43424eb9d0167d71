import { t as common } from "../../../texts/words/common.ts";
import { t } from "../texts.ts";
import { differencesOf } from "./differences.ts";

interface DifferenceListProps {
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** Title of a member. */
  readonly nameOf?: (member: string) => string;
}

/** Longest value shown, in characters. */
const MOST = 4000;

/** What differs between two states of a record; all members of the later one if there is no earlier one. */
export function DifferenceList({ before, after, nameOf = (member) => member }: DifferenceListProps) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <p class="dim xs">{t("noDifference")}</p>;
  return (
    <dl class="differences">
      {differences.map((difference) => (
        <div key={difference.member}>
          <dt>{nameOf(difference.member)}</dt>
          <dd dir="auto">
            {before && <Side tag="del" text={difference.before} />}
            <Side tag="ins" text={difference.after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const Side = ({ tag: Tag, text }: { readonly tag: "del" | "ins"; readonly text: string | undefined }) => (
  <Tag>
    <span class="vh">{Tag === "del" ? t("before") : t("after")} </span>
    {text === undefined ? <i class="dimmer">{common("none")}</i> : text.slice(0, MOST)}
  </Tag>
);
