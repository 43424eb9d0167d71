/** The keys that tokens are signed with; a change of the key replaces them while everything runs. */
export interface SigningKeys {
  /** Key that signs new tokens. */
  current(): string;
  /** Keys before it, whose tokens may still be in use. */
  former(): readonly string[];
  /** The current key first. */
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
