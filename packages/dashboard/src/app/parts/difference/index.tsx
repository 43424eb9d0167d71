import { Empty } from "../basic/states.tsx";
import { type Change, compare, compareLines, nearChanges } from "./compare.ts";
import { t } from "./texts.ts";

interface DifferenceProps {
  readonly before: unknown;
  readonly after: unknown;
  /** Top-level members that no person changes, such as timestamps. */
  readonly ignored?: ReadonlySet<string>;
  /** Label of a top-level member. */
  readonly nameOf?: ((member: string) => string) | undefined;
}

/** Members that every record has and people do not edit. */
const STAMPS: ReadonlySet<string> = new Set([
  ...["id", "username", "created", "modified", "revision", "params_version"],
]);

/** Compares two records member by member. */
export function Difference({ before, after, ignored = STAMPS, nameOf = (name) => name }: DifferenceProps) {
  const changes = compare(before, after, ignored);
  if (changes.length === 0) return <Empty>{t("same")}</Empty>;
  return (
    <dl class="difference">
      {changes.map(({ path: [first = "", ...rest], ...values }) => (
        <div key={[first, ...rest].join()}>
          <dt>{[nameOf(first), ...rest].join(" › ")}</dt>
          <dd>
            <Values {...values} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Empty values of any kind become an empty text. */
const textOf = (value: unknown): string => {
  if (value === undefined || value === null || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}")
    return "";
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
};

function Values({ before, after }: Omit<Change, "path">) {
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old.includes("\n") || fresh.includes("\n")) return <Lines before={old} after={fresh} />;
  return (
    <>
      {old !== "" && <del dir="auto">{old}</del>}
      {old !== "" && fresh !== "" && " "}
      {fresh !== "" && <ins dir="auto">{fresh}</ins>}
    </>
  );
}

const Lines = ({ before, after }: { readonly before: string; readonly after: string }) => (
  <pre class="mono" tabIndex={0}>
    {nearChanges(before === "" ? compareLines("", after).slice(1) : compareLines(before, after)).map((line, at) => (
      <span key={at} class={line?.sign === "+" ? "plus" : line?.sign === "-" ? "minus" : ""}>
        {line ? `${line.sign} ${line.text}\n` : "  …\n"}
      </span>
    ))}
  </pre>
);
