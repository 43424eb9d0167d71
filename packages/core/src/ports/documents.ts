/** Pages in Markdown for people: `manual` of `@signalbox/adapters/documents`, or a host's own. */
export interface Documents {
  /** Names of the pages, like `guide/secrets`. */
  list(): Promise<readonly string[]>;
  /** A page of that list; undefined when there is none. */
  read(name: string): Promise<string | undefined>;
}
