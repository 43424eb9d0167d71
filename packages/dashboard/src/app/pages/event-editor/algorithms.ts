import { listed } from "../../data/records/lists.ts";
import { t } from "./texts.ts";

const ALGORITHMS = [
  ...(["random", "round_robin", "least_cpu", "least_mem", "fewest_jobs"] as const),
  ...(["prefer_first", "prefer_last", "prefer_first_natural", "prefer_last_natural"] as const),
] as const;

/** Algorithms that choose one of several servers, with their titles. */
export const algorithms = (): { readonly value: string; readonly title: string }[] => [
  ...ALGORITHMS.map((value) => ({ value, title: t(`algo.${value}`) })),
  ...(listed("monitors") ?? []).map(({ id, title }) => ({
    value: `monitor:${id}`,
    title: t("leastOf", { name: title }),
  })),
];

/** Title of an algorithm; its id if it is unknown. */
export const algorithmTitle = (algo: string): string => algorithms().find(({ value }) => value === algo)?.title ?? algo;
