const OF_PLUGIN = /\bplugin parameter: /;
const NAMED = /\bparameter: (\w+)/;
const TAKEN = /\bID already exists: /;

/** The member that a refusal names: "Malformed parameter: max_per_day", "That Tag ID already exists: slow". */
export function faultyMember(text = ""): string | undefined {
  if (OF_PLUGIN.test(text)) return "params";
  return TAKEN.test(text) ? "id" : NAMED.exec(text)?.[1];
}
