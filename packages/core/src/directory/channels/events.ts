export interface ChannelEvents {
  "channel.created": { id: string };
  "channel.updated": { id: string };
  "channel.deleted": { id: string };
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
