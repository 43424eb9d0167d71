/// <reference path="./jexl.d.ts" />

import jexl from "jexl";
import { expect, test } from "vitest";
import { rounds } from "../../test/rounds.ts";
import { seededRandom } from "../testing/box/seeded-random.ts";
import { createExpressions } from "./engine.ts";

type Pick = <T>(choices: readonly T[]) => T;

const createPick =
  (random: () => number): Pick =>
  <T>(choices: readonly T[]) =>
    choices[Math.floor(random() * choices.length)] as T;

// Names with and without their own reader, and names that no record has.
const names = ["cpu", "list", "state", "load", "a", "b", "c", "nope", "x", "time"];
const binary = ["+", "-", "*", "/", "//", "%", "^", "==", "!=", ">", ">=", "<", "<=", "&&", "||", "in"];
const literals = ["0", "1", "2", "-1", "3.5", "10", "'a'", '"5"', "''", "'abc'", "true", "false", "'x'"];
const functionNames = ["first", "sum", "twice", "none", "count", "missing"];

type Make = (depth: number, relative: boolean) => string;

const createGenerator = (random: () => number): (() => string) => {
  const pick = createPick(random);
  const list = (depth: number, relative: boolean): string[] =>
    Array.from({ length: Math.floor(random() * 4) }, () => expression(depth - 1, relative));
  const leaf = (relative: boolean): string => {
    if (random() < 0.35) return pick(literals);
    return relative && random() < 0.6 ? `.${pick(names)}` : pick(names);
  };
  const group: Make = (depth, relative) => `(${expression(depth - 1, relative)})`;
  const operand: Make = (depth, relative) => (depth > 0 && random() < 0.4 ? group(depth, relative) : leaf(relative));
  const makers: readonly Make[] = [
    (_depth, relative) => `${leaf(relative)}.${pick(names)}`,
    (depth, relative) => `${operand(depth, relative)}.${pick(names)}.${pick(names)}`,
    (depth, relative) => `${operand(depth, relative)} ${pick(binary)} ${operand(depth, relative)}`,
    (depth, relative) =>
      `${expression(depth - 1, relative)} ${pick(binary)} ${operand(depth, relative)} ${pick(binary)} ${operand(depth, relative)}`,
    (depth, relative) => `!${operand(depth, relative)}`,
    (depth, relative) =>
      `${operand(depth, relative)} ? ${expression(depth - 1, relative)} : ${expression(depth - 1, relative)}`,
    (depth, relative) => `${operand(depth, relative)} ?: ${expression(depth - 1, relative)}`,
    (depth, relative) => `[${list(depth, relative).join(", ")}]`,
    (depth, relative) =>
      `{${list(depth, relative)
        .map((value, index) => `${names[index]}: ${value}`)
        .join(", ")}}`,
    (depth, relative) => `${pick(names)}[${expression(depth - 1, relative)}]`,
    (_depth, relative) => `${leaf(relative)}[${pick(literals)}]`,
    (depth) => `${pick(names)}[${expression(Math.min(depth - 1, 2), true)}]`,
    (depth) =>
      `${pick(names)}[.${pick(names)} ${pick(binary)} ${leaf(true)}].${pick(names)}[${expression(depth - 2, true)}]`,
    (depth) => `count(${pick(names)}[.${pick(names)} ${pick(binary)} ${expression(Math.min(depth - 1, 1), true)}])`,
    (depth, relative) => `${pick(functionNames)}(${list(depth, relative).join(", ")})`,
    (depth, relative) => `${operand(depth, relative)}|shout`,
  ];
  const expression: Make = (depth, relative) => (depth <= 0 ? leaf(relative) : pick(makers)(depth, relative));
  return () => expression(1 + Math.floor(random() * 3), random() < 0.1);
};

const scalars: readonly unknown[] = [undefined, null, Number.NaN, -0, 0, 1, 2.5, "", "5", "a", "abc", true, false, -3];

const createData = (random: () => number): Record<string, unknown> => {
  const pick = createPick(random);
  const value = (depth: number): unknown => {
    const kind = random();
    if (depth <= 0 || kind < 0.35) return pick(scalars);
    if (kind < 0.65) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1));
    return record(depth - 1);
  };
  const record = (depth: number): Record<string, unknown> => {
    const used = names.filter((name) => name !== "nope" && random() < 0.6);
    return Object.fromEntries(used.map((name) => [name, value(depth)]));
  };
  return record(3);
};

const hostFunctions = {
  first: (value: unknown) => (Array.isArray(value) ? value[0] : value),
  sum: (...values: unknown[]) =>
    values.reduce<number>((total, value) => total + Number(Array.isArray(value) || value), 0),
  twice: (value: unknown) => [value, value],
  none: () => undefined,
};

const count = (value: unknown) => {
  if (!value) return 0;
  return typeof value === "string" || Array.isArray(value) ? value.length : undefined;
};

const createReference = () => {
  const parser = new jexl.Jexl();
  for (const [name, implementation] of Object.entries({ ...hostFunctions, count })) {
    parser.addFunction(name, implementation as (...args: never[]) => unknown);
  }
  return parser;
};

type Outcome = { readonly value: unknown } | "threw";

const outcomeOf = (evaluate: () => unknown): Outcome => {
  try {
    return { value: evaluate() };
  } catch {
    // Error texts differ on purpose; only the failure itself must agree.
    return "threw";
  }
};

const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const members = (record: object, key: string): unknown => (record as Record<string, unknown>)[key];
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(members(a, key), members(b, key)));
};

const agree = (a: Outcome, b: Outcome): boolean =>
  a === "threw" || b === "threw" ? a === b : isSame(a.value, b.value);

const run = (seed: number, total: number) => {
  const random = seededRandom(seed).fraction;
  const generate = createGenerator(random);
  const reference = createReference();
  const expressions = createExpressions({ functions: hostFunctions });
  const tally = { parsed: 0, threw: 0, mismatches: [] as string[] };
  let data = createData(random);
  for (let index = 0; index < total; index++) {
    if (index % 10 === 0) data = createData(random);
    const source = generate();
    const theirs = outcomeOf(() => reference.createExpression(source).compile());
    const ours = outcomeOf(() => expressions.compile(source));
    if (theirs === "threw" || ours === "threw") {
      if (theirs !== ours) tally.mismatches.push(`${source} compiles in one engine only`);
      continue;
    }
    tally.parsed++;
    const expected = outcomeOf(() => (theirs.value as { evalSync(data: unknown): unknown }).evalSync(data));
    const actual = outcomeOf(() => (ours.value as { evaluate(data: unknown): unknown }).evaluate(data));
    if (expected === "threw") tally.threw++;
    if (!agree(expected, actual)) tally.mismatches.push(`${source} over ${JSON.stringify(data)}`);
  }
  return tally;
};

const seed = Number(process.env["SIGNALBOX_SEED"] ?? 20_260_101);

/** One seed per part: testing all expressions takes a busy machine a minute. */
const PARTS = Array.from({ length: rounds(3, 10) }, (_unused, part) => seed + part);

test.each(PARTS)("5,000 random expressions have the result of jexl (seed %d)", (partSeed) => {
  const { parsed, threw, mismatches } = run(partSeed, 5000);
  expect(mismatches.slice(0, 10)).toEqual([]);
  // The run proves something only if most expressions are valid and both outcomes are common.
  expect(parsed).toBeGreaterThan(3500);
  expect(threw).toBeGreaterThan(400);
  expect(parsed - threw).toBeGreaterThan(2000);
});
