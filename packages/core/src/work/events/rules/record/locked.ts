import type { Field } from "../../../../directory/plugins/model.ts";
import { forceLocked, lockedFault } from "../../../../directory/plugins/rules/parameters/fields.ts";

type Members = Readonly<Record<string, unknown>>;

export interface LockedParams {
  readonly params: Record<string, unknown>;
  /** Sentences about members that were sent but are not used. */
  readonly warnings: readonly string[];
  /** Why a caller who is not an administrator cannot save the event. */
  readonly fault: string | undefined;
}

/**
 * Parameters in which locked ones keep their stored or preset value (docs/contract/parameters.md#locked-parameters), and warnings
 * about ignored values.
 */
export function keepLocked(definitions: readonly Field[], sent: Members, stored: Members | undefined): LockedParams {
  const params = forceLocked(definitions, sent, stored);
  const ignored = definitions.filter(
    ({ id, locked }) => locked && Object.hasOwn(sent, id) && JSON.stringify(sent[id]) !== JSON.stringify(params[id]),
  );
  return {
    params,
    warnings: ignored.map(
      ({ id }) => `Event Plugin: Parameter '${id}' is locked: the value that was sent is not used.`,
    ),
    fault: lockedFault(definitions, params),
  };
}
