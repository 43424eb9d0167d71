import { describe, expect, test } from "vitest";
import {
  checkOptions,
  given,
  givenText,
  type OptionRules,
  optional,
  optionalCount,
  optionalFlag,
  optionalOneOf,
  optionalPositive,
  optionalText,
  required,
  requiredText,
} from "./check-options.ts";

interface Options {
  readonly file?: unknown;
  readonly handle?: unknown;
  readonly clock?: unknown;
  readonly region?: unknown;
  readonly mode?: unknown;
  readonly count?: unknown;
  readonly seconds?: unknown;
  readonly packed?: unknown;
  readonly server: unknown;
  readonly name: unknown;
}
const RULES: OptionRules<Options> = {
  file: givenText,
  handle: given,
  clock: optional,
  region: optionalText,
  mode: optionalOneOf("full", "process"),
  count: optionalCount,
  seconds: optionalPositive,
  packed: optionalFlag,
  server: required,
  name: requiredText,
};
const complaintOf = (options: unknown): string => {
  try {
    const needed = { server: {}, name: "n" };
    const whole =
      typeof options === "object" && options && !Array.isArray(options) ? { ...needed, ...options } : options;
    checkOptions("maker", whole as Options, RULES);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
};

describe("checkOptions", () => {
  test.each<[object]>([
    [{}],
    [{ file: "a", handle: null, clock: undefined }],
    [{ mode: "full", count: 1, seconds: 0.5, packed: false, region: "x" }],
    [{ mode: undefined, count: undefined, seconds: undefined, packed: undefined, region: undefined }],
  ])("accepts %j", (options) => {
    expect(complaintOf(options)).toBe("");
  });

  test.each<[unknown, string]>([
    [undefined, expect.stringMatching(/^maker: the options must be an object; it takes file, handle, /)],
    [null, expect.stringMatching(/^maker: the options must be an object; it takes file, handle, /)],
    ["a", expect.stringMatching(/^maker: the options must be an object; it takes file, handle, /)],
    [["a"], expect.stringMatching(/^maker: the options must be an object; it takes file, handle, /)],
    [
      { fileName: "a" },
      'maker: there is no option "fileName"; it takes file, handle, clock, region, mode, count, seconds, packed, server, name',
    ],
    [{ toString: 1 }, expect.stringContaining('there is no option "toString"')],
    [{ file: undefined }, "maker: file is undefined"],
    [{ file: "" }, "maker: file must be a text that is not empty"],
    [{ file: 5 }, "maker: file must be a text that is not empty"],
    [{ handle: undefined }, "maker: handle is undefined"],
    [{ region: "" }, "maker: region must be a text that is not empty"],
    [{ mode: "ful" }, 'maker: mode must be one of "full", "process"'],
    [{ count: 0 }, "maker: count must be a positive whole number"],
    [{ count: Number.NaN }, "maker: count must be a positive whole number"],
    [{ count: "5" }, "maker: count must be a positive whole number"],
    [{ seconds: Number.NaN }, "maker: seconds must be a positive number"],
    [{ seconds: -1 }, "maker: seconds must be a positive number"],
    [{ server: undefined }, "maker: server is undefined"],
    [{ name: undefined }, "maker: name is undefined"],
    [{ name: "" }, "maker: name must be a text that is not empty"],
    [{ packed: "no" }, "maker: packed must be true or false"],
  ])("refuses %j", (options, complaint) => {
    expect(complaintOf(options)).toEqual(complaint);
  });

  test("refuses missing required options", () => {
    expect(() => checkOptions("maker", { name: "n" } as Options, RULES)).toThrow("maker: server is undefined");
    expect(() => checkOptions("maker", { server: {} } as Options, RULES)).toThrow("maker: name is undefined");
  });
});
