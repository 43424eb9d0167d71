interface Given {
  readonly airgap: {
    readonly enabled: boolean;
    readonly whitelist: readonly string[];
    readonly blacklist: readonly string[];
  };
  readonly web_hooks: { readonly allow: readonly string[]; readonly allow_link_local: boolean };
}

/** Targets that requests of the engine may reach. */
export interface Targets {
  readonly allow: readonly string[];
  readonly airGap?: { readonly whitelist: readonly string[]; readonly blacklist: readonly string[] };
}

/** Reads the targets from the configuration. All requests share one object, so that clients can cache its compiled form. */
export function targetsOf({ airgap, web_hooks: { allow, allow_link_local } }: Given): Targets {
  const { enabled, whitelist, blacklist } = airgap;
  return {
    allow: [...allow, ...(allow_link_local ? ["link-local", "metadata"] : [])],
    ...(enabled ? { airGap: { whitelist, blacklist } } : {}),
  };
}
