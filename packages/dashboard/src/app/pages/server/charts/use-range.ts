import { useComputed } from "@preact/signals";
import { place } from "../../../router/router.ts";
import { now } from "../../../texts/format.ts";
import { type Range, rangeOf } from "./range.ts";

/**
 * The range in the address. Its end is rounded to the minute, so that a page of many charts renders once a minute; only
 * the live view of the last minute advances every second.
 */
export function useRange({ isLive = true } = {}): Range {
  const { range: asked, ...others } = place.value.query;
  const isMinute = asked === "minute";
  const end = useComputed(() =>
    isLive && place.value.query["range"] === "minute" ? now.value : (Math.floor(now.value / 60) + 1) * 60,
  );
  return rangeOf(isMinute && !isLive ? others : place.value.query, end.value);
}
