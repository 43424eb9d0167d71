/** True when a name matches the pattern of the host's configuration. */
export const isValidName = (username: string, pattern: string): boolean => new RegExp(pattern).test(username);

/** True when nobody may register the name; an empty pattern blocks none. */
export const isBlockedName = (username: string, pattern: string): boolean =>
  pattern !== "" && new RegExp(pattern, "i").test(username);
