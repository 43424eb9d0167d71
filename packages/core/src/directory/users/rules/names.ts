/** Whether a name matches the pattern of the host's own configuration. */
export const isValidName = (username: string, pattern: string): boolean => new RegExp(pattern).test(username);

/** Whether a name must not be registered; an empty pattern blocks none. */
export const isBlockedName = (username: string, pattern: string): boolean =>
  pattern !== "" && new RegExp(pattern, "i").test(username);
