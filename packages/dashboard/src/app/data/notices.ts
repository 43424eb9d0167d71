import { withoutLink } from "../router/peer-links.ts";
import { say } from "./calls/said.ts";
import { onLive } from "./live.ts";

interface Notice {
  readonly type?: string;
  readonly message: string;
}

/** Shows the server's notifications: messages to everybody, and the end of background work. Called once by the frame. */
export function startNotices(): void {
  onLive("notify", ({ type, message }: Notice) => {
    if (message) say({ ...withoutLink(message), tone: type === "error" || type === "critical" ? "crit" : "ok" });
  });
}
