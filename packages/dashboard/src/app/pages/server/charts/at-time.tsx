import { useId } from "preact/hooks";
import { TextInput } from "../../../parts/forms/fields.tsx";
import { now, timeZone } from "../../../texts/format.ts";
import { fromInput, toInput } from "../../../texts/zone.ts";
import { t } from "../texts.ts";
import { zoom } from "./charts.tsx";
import type { Range } from "./range.ts";

/** Seconds shown before and after the chosen time. */
const AROUND_SEC = 1800;

/** Zooms to the hour around a time. */
export function AtTime({ range: { name, from, to } }: { readonly range: Range }) {
  const id = useId();
  const zone = timeZone.value;
  const show = (text: string): void => {
    const at = fromInput(text, zone) ?? 0;
    // While a year is being typed, it is briefly a year of the first centuries; ignores such times.
    if (at > 0 && at < now.peek()) zoom(at - AROUND_SEC, at + AROUND_SEC);
  };
  return (
    <div class="acts sm dim rank-2">
      <label for={id}>{t("atTime")}</label>
      <span>
        <TextInput id={id} type="datetime-local" value={name ? "" : toInput((from + to) / 2, zone)} onInput={show} />
      </span>
    </div>
  );
}
