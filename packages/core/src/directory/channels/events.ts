import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface ChannelEvents extends DefinitionEvents<"channel"> {
  /** Sent to clients that show notifications to people. */
  "channel.notified": {
    id: string;
    /** Names of existing users. */
    users: readonly string[];
    message: string;
    sound: string | null;
    /** Client location: "#Job?id=j1". */
    loc: string;
  };
}
