/** The keys that sign tokens; a key change replaces them while everything is running. */
export interface SigningKeys {
  /** Key that signs new tokens. */
  current(): string;
  /** Previous keys, whose tokens may still be in use. */
  former(): readonly string[];
  /** Expects the current key first. */
  replace(keys: readonly string[]): void;
}

export function createSigningKeys(given: readonly string[]): SigningKeys {
  let keys = given;
  return {
    current: () => keys[0] ?? "",
    former: () => keys.slice(1),
    replace(next) {
      keys = next;
    },
  };
}
