/**
 * Source of the keys that seal secrets. A host that keeps its master key elsewhere (a key service, a vault)
 * unwraps its data keys here. Asked at every start and before every rotation; the keys are kept in memory only.
 */
export interface KeyProvider {
  /** The current key, then the keys that older secrets may still be sealed with; each of at least 16 characters. */
  keys(): Promise<readonly string[]>;
  /**
   * Replaces all kept keys by these: resolves once they are safe and every process of the installation gets them from `keys`.
   * Present = an administrator may have the engine change its key.
   */
  keep?(keys: readonly string[]): Promise<void>;
}
