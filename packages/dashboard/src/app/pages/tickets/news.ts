import { useEffect, useRef } from "preact/hooks";
import { useLive } from "../../data/live.ts";

/** A ticket was made, changed or removed, by whomever: many changes at once are asked for once. */
export function useTicketNews(reload: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive("single", ({ list: name }: { readonly list: string }) => {
    if (name !== "tickets") return;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, 300);
  });
  // Of many that were deleted in the background only the end is told, to the page that looks at tickets.
  useLive("page_update", ({ page_cmd }) => {
    if (page_cmd === "bulk_delete_completed") reload();
  });
  useLive("back", reload);
}
