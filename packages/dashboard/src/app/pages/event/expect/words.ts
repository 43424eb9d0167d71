import { duration } from "../../../texts/format.ts";
import type { Event } from "../../events/deeds.ts";
import { t } from "../texts.ts";

export type Expect = NonNullable<Event["expect"]>;

/** Server defaults in seconds, used where the expectation does not set them. */
export const GRACE_SEC = 300;
export const FAILURES_PER_SEC = 86_400;

/** Describes each expectation of an event in a sentence. */
export function expectWords(expect: Expect): string[] {
  const { success_every, grace, start_within, finish_within, max_failures, failures_per } = expect;
  return [
    success_every !== undefined &&
      t("expect.success", { every: duration(success_every), grace: duration(grace ?? GRACE_SEC) }),
    start_within !== undefined &&
      t("expect.start", { time: duration(start_within), grace: duration(grace ?? GRACE_SEC) }),
    finish_within !== undefined && t("expect.within", { time: duration(finish_within) }),
    max_failures !== undefined &&
      t(max_failures === 0 ? "expect.noFailures" : "expect.failures", {
        n: max_failures,
        time: duration(failures_per ?? FAILURES_PER_SEC),
      }),
  ].filter((sentence) => sentence !== false);
}

const NEEDED = ["success_every", "start_within", "finish_within", "max_failures"] as const;

/** The numeric members. */
export type Counted = Exclude<keyof Expect, "severity">;

/** Returns the expectations with one member changed; null if no expectation is left. */
export function withExpect(expect: Expect | null | undefined, name: Counted, value: number | undefined): Expect | null {
  const { [name]: _before, ...rest } = expect ?? {};
  const next: Expect = value === undefined ? rest : { ...rest, [name]: value };
  return NEEDED.some((needed) => next[needed] !== undefined) ? next : null;
}
