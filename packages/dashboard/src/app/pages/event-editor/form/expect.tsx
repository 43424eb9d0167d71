import { Field, TextInput } from "../../../parts/forms/fields.tsx";
import { SpanField } from "../../../parts/forms/span-field.tsx";
import { duration } from "../../../texts/format.ts";
import { type Counted, type Expect, FAILURES_PER_SEC, GRACE_SEC, withExpect } from "../../event/expect/words.ts";
import type { Change, Draft } from "../draft.ts";
import { t } from "../texts.ts";

interface ExpectProps {
  readonly draft: Draft;
  readonly change: Change;
}

const usually = (seconds: number): string => t("usually", { time: duration(seconds) });

/** Expectations of runs. Alert rules on events fire when one is missed. */
export function ExpectFields({ draft, change }: ExpectProps) {
  const { success_every, start_within, finish_within, max_failures, failures_per, grace }: Expect = draft.expect ?? {};
  const set = (name: Counted) => (value: number | undefined) =>
    change((current) => ({ expect: withExpect(current.expect, name, value) }));
  return (
    <div class="form padded">
      <p class="help">{t("expectHelp")}</p>
      <div class="pair">
        <SpanField label={t("successEvery")} value={success_every} onInput={set("success_every")} />
        {(success_every ?? start_within) !== undefined && (
          <SpanField label={t("grace")} value={grace} onInput={set("grace")} help={usually(GRACE_SEC)} />
        )}
      </div>
      <div class="pair">
        <SpanField label={t("startWithin")} value={start_within} onInput={set("start_within")} />
        <SpanField label={t("finishWithin")} value={finish_within} onInput={set("finish_within")} />
      </div>
      <div class="pair">
        <Field label={t("maxFailures")}>
          {(id) => (
            <TextInput
              id={id}
              type="number"
              value={max_failures === undefined ? "" : String(max_failures)}
              onInput={(entered) => set("max_failures")(entered === "" ? undefined : Number(entered))}
            />
          )}
        </Field>
        {max_failures !== undefined && (
          <SpanField
            label={t("failuresPer")}
            value={failures_per}
            onInput={set("failures_per")}
            help={usually(FAILURES_PER_SEC)}
          />
        )}
      </div>
    </div>
  );
}
