import { withoutLink } from "../router/peer-links.ts";
import { say } from "./calls/said.ts";
import { onLive } from "./live.ts";

interface Notice {
  readonly type?: string;
  readonly message: string;
}

/** Says what the server tells people: words to all, the end of work in the background. Called once by the frame. */
export function startNotices(): void {
  onLive("notify", ({ type, message }: Notice) => {
    if (message) say({ ...withoutLink(message), tone: type === "error" || type === "critical" ? "crit" : "ok" });
  });
}
