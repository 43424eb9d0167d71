/** Parameters with this prefix replace members of a job (docs/contract/parameters.md#override-parameters). */
export const OVERRIDE_PREFIX = "_xy_override_";

/** The parameter that replaces an event's targets. */
export const TARGETS_OVERRIDE = `${OVERRIDE_PREFIX}targets`;
