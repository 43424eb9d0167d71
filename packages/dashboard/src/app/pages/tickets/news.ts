import { useEffect, useRef } from "preact/hooks";
import { useLive } from "../../data/live.ts";

/** Reloads when anybody creates, changes or deletes a ticket. Debounced, because many may change at once. */
export function useTicketNews(reload: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive("single", ({ list: name }: { readonly list: string }) => {
    if (name !== "tickets") return;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, 300);
  });
  // A bulk deletion in the background is reported only once, at its end, to pages that look at tickets.
  useLive("page_update", ({ page_cmd }) => {
    if (page_cmd === "bulk_delete_completed") reload();
  });
  useLive("back", reload);
}
