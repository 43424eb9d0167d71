/** A configuration path that was set at run time; the id is the path. */
export interface ConfigOverride {
  id: string;
  readonly value: unknown;
  readonly username: string;
  /** Unix seconds. */
  readonly modified: number;
}
