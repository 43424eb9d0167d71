import { expect, test } from "vitest";
import { asLoad, clear, type Face, inPercent, type Shown, write } from "./cells.ts";

test.each<[string, Shown, Shown]>([
  ["a share", inPercent(0.4249), { value: 42, share: 0.42, tone: "line" }],
  ["a share that needs attention", inPercent(0.85), { value: 85, share: 0.85, tone: "warn" }],
  ["a share that is all", inPercent(0.996), { value: 100, share: 1, tone: "crit" }],
  ["a load", asLoad(1.954, 8), { value: 1.95, share: 0.24, tone: "line" }],
  ["a load above the cores", asLoad(9, 8), { value: 9, share: 1, tone: "crit" }],
])("%s is shown as written", (_what, shown, expected) => expect(shown).toEqual(expected));

/** A cell that records writes to it. */
function counted(): { readonly face: Face; readonly touched: string[] } {
  const touched: string[] = [];
  const noted = <Name extends string>(name: Name) =>
    ({ set: (value: string) => void touched.push(`${name} ${value}`), get: () => "" }) as PropertyDescriptor;
  return {
    touched,
    face: {
      cell: Object.defineProperty({ className: "" }, "className", noted("tone")),
      bar: { style: Object.defineProperty({ transform: "" }, "transform", noted("bar")) },
      text: Object.defineProperty({ data: "" }, "data", noted("text")),
    },
  };
}

const say = (value: number): string => `${value} %`;

test.each<[string, number | undefined, number, string[]]>([
  ["nothing yet", undefined, 0.42, ["tone t-line", "bar scaleX(0.42)", "text 42 %"]],
  ["a number that reads the same", 0.4212, 0.4188, []],
  ["another number", 0.42, 0.43, ["bar scaleX(0.43)", "text 43 %"]],
  ["another colour alone", 0.8496, 0.8504, ["tone t-warn"]],
])("over %s only the difference is written", (_what, before, now, expected) => {
  const { face, touched } = counted();
  const next = inPercent(now);
  expect(write(face, next, before === undefined ? undefined : inPercent(before), say)).toBe(next);
  expect(touched).toEqual(expected);
});

test("with ten changed readings of 500 servers, only ten cells are updated", () => {
  const cells = Array.from({ length: 500 }, (_, at) => ({ ...counted(), shown: inPercent((at % 80) / 100) }));
  for (const [at, { face, shown }] of cells.entries())
    write(face, inPercent((at % 80) / 100 + (at % 50 === 0 ? 0.02 : 0.002)), shown, say);
  expect(cells.filter(({ touched }) => touched.length > 0)).toHaveLength(10);
});

test("a server without a reading shows none, and not the one before", () => {
  const { face, touched } = counted();
  write(face, inPercent(0.99), undefined, say);
  touched.length = 0;
  clear(face);
  expect(touched).toEqual(["tone t-line", "bar ", "text –"]);
});
