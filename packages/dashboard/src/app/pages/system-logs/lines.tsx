import { Mark } from "../../parts/basic/basic.tsx";
import { clockSeconds, when } from "../../texts/format.ts";
import { t } from "./texts.ts";

type Row = Readonly<Record<string, string>>;

/** Levels that a line may have; anything else is an ordinary one. */
const SIGNS = { error: "fail", warn: "warn", warning: "warn", fatal: "crit" } as const;
const signOf = ({ category = "", code = "" }: Row) =>
  SIGNS[category.toLowerCase() as "error"] ?? SIGNS[code.toLowerCase() as "error"];

/** The newest line comes first, as in all lists; what a line holds besides opens below it. */
export const Lines = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul class="log-rows" tabIndex={0} aria-label={t("rows")}>
    {rows.toReversed().map((row, at) => (
      <Line key={`${row["hires_epoch"]} ${at}`} row={row} />
    ))}
  </ul>
);

function Line({ row }: { readonly row: Row }) {
  const { hires_epoch: epoch = "", component = "", msg = "", data = "", hostname = "", pid = "", code = "" } = row;
  const at = Number.parseFloat(epoch);
  const sign = signOf(row);
  const facts = [component, code, hostname, pid && t("process", { pid })].filter(Boolean).join(" · ");
  return (
    <li>
      {Number.isFinite(at) ? (
        <time class="num" title={when(at)}>
          {clockSeconds(at)}
        </time>
      ) : (
        <span />
      )}
      <span class="sign">{sign && <Mark state={sign} />}</span>
      <div class="what">
        <span class="mono" dir="auto">
          {msg}
        </span>
        <span class="xs dimmer sub">{facts}</span>
        {data && data !== "{}" && (
          <details>
            <summary class="xs">{t("data")}</summary>
            <pre class="code" tabIndex={0} aria-label={t("data")}>
              {indented(data)}
            </pre>
          </details>
        )}
      </div>
    </li>
  );
}

/** JSON over several lines; a cut piece of it as it is. */
function indented(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2);
  } catch {
    // A line that was cut short is no JSON any more.
    return data;
  }
}
