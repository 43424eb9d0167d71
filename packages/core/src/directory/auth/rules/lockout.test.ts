import { expect, test } from "vitest";
import { type CountedFailure, countFailure } from "./lockout.ts";

const TEN = 10 * 3600;

function failures(times: readonly number[], limit = 5, canLock = true): CountedFailure {
  let counted = {} as CountedFailure;
  for (const time of times) counted = countFailure(counted, time, { limit, canLock });
  return counted;
}

test("five failures in an hour do not lock, the sixth does", () => {
  expect(failures([TEN, TEN, TEN, TEN, TEN + 1])).toEqual({ fl_date_code: 10, fl_count: 5 });
  expect(failures([TEN, TEN, TEN, TEN, TEN, TEN + 3599])).toEqual({
    fl_date_code: 10,
    fl_count: 6,
    force_password_reset: 1,
  });
});

test("five failures in one hour and five in the next do not lock", () => {
  const five = (time: number) => Array.from({ length: 5 }, () => time);
  expect(failures([...five(TEN + 3599), ...five(TEN + 3600)])).toEqual({ fl_date_code: 11, fl_count: 5 });
});

test("with a limit of 0 the first failure locks", () => {
  expect(failures([TEN], 0)).toMatchObject({ force_password_reset: 1 });
});

test("failures of an account that cannot be locked are still counted", () => {
  expect(
    failures(
      Array.from({ length: 9 }, () => TEN),
      5,
      false,
    ),
  ).toEqual({ fl_date_code: 10, fl_count: 9 });
});
