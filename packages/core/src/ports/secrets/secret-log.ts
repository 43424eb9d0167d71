/** One routine use of a secret (docs/contract/secrets.md#log-of-uses). Holds no value. */
export interface SecretLogEntry {
  /** Unix seconds with a fraction. */
  readonly epoch: number;
  readonly component: "Secret";
  readonly category: "debug";
  readonly code: 1;
  /** "Using secret <id> (<title>) for <type>: <target id>", always one line. */
  readonly message: string;
  readonly data: {
    /** Facts about the secret, known without opening it. */
    readonly secret: Readonly<Record<string, unknown>>;
    /** "events", "categories", "plugins" or "web_hooks". */
    readonly type: string;
    /** Id of the event, category, plugin or web hook. */
    readonly id: string;
  };
}

/** Logs a routine use of a secret; must not throw or block. */
export type SecretLog = (entry: SecretLogEntry) => void;
