import type { Event } from "../../events/model.ts";
import { type Expect, FAILURES_PER_SEC, GRACE_SEC } from "../../events/rules/record/expect.ts";
import type { EventSight } from "../model.ts";

/** The state of an event's jobs at a moment. Times are Unix seconds. */
export interface Standing {
  readonly now: number;
  /** Since when the event is judged. */
  readonly from: number;
  readonly last?: number | undefined;
  readonly lastSuccess?: number | undefined;
  readonly running: number;
  /** Seconds of the longest run that is active or ended within the last minute. */
  readonly longest: number;
  /** Failures within the period in which they are counted. */
  readonly failures: number;
  /** Due time of the first scheduled run that has not started; absent = none, or starts are not expected. */
  readonly due?: number | undefined;
}

export type Expecting = Pick<Event, "id" | "title" | "category" | "tags" | "triggers"> & { readonly expect: Expect };

/** Values of an event that alert expressions read. */
export function sightOf({ id, title, category, tags, expect }: Expecting, standing: Standing): EventSight {
  const { now, from, last, lastSuccess, running, longest, failures, due = now } = standing;
  const { success_every, start_within, finish_within, max_failures, grace = GRACE_SEC } = expect;
  const since = now - Math.max(lastSuccess ?? from, from);
  return {
    expect: {
      overdue_sec: beyond(since, success_every === undefined ? undefined : success_every + grace),
      late_start_sec: beyond(now - due, start_within === undefined ? undefined : start_within + grace),
      overtime_sec: beyond(longest, finish_within),
      failures,
      failures_over: beyond(failures, max_failures),
    },
    run: { last, last_success: lastSuccess, running },
    event: { id, title, category, tags: tags ?? [] },
  };
}

const beyond = (value: number, most: number | undefined): number =>
  most === undefined ? 0 : Math.max(0, Math.floor(value - most));

export const failuresPer = ({ failures_per }: Expect): number => failures_per ?? FAILURES_PER_SEC;

/** Since when an expectation counts: when judging began, or its own `from` if that is later. */
export const fromOf = ({ expect }: Expecting, judged: number): number => Math.max(judged, expect.from ?? judged);
