import { Mark } from "../../parts/basic/basic.tsx";
import { clockSeconds, when } from "../../texts/format.ts";
import { t } from "./texts.ts";

type Row = Readonly<Record<string, string>>;

/** States for the levels of lines; all other levels are ordinary. */
const SIGNS = { error: "fail", warn: "warn", warning: "warn", fatal: "crit" } as const;
const signOf = ({ category = "", code = "" }: Row) =>
  SIGNS[category.toLowerCase() as "error"] ?? SIGNS[code.toLowerCase() as "error"];

/** Lines of a log, newest first as in all lists. Further data of a line is in a disclosure below it. */
export const Lines = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul class="items log-rows" tabIndex={0} aria-label={t("rows")}>
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

/** Formats JSON over several lines; JSON that was cut stays as it is. */
function indented(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2);
  } catch {
    // A truncated line is no longer valid JSON.
    return data;
  }
}
