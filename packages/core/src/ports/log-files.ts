/** Logs that administrators may search: `fileLogger` of `@signalbox/adapters/log` writes such files. */
export interface LogFiles {
  /**
   * The bytes of a log on a local day ("2026-11-24") or, by default, of today, oldest line first. Undefined when there is none;
   * `name` consists of letters, digits and `_`.
   */
  read(name: string, day?: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Packs files from before today and deletes files older than `keepDays`. */
  archive(keepDays: number): Promise<void>;
}
