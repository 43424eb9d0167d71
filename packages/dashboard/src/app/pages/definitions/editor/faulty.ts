const NAMED = /\bparameter: (\w+)/;
const TAKEN = /\bID already exists: /;

/** The member that a refusal is about: "Malformed parameter: max_per_day", "That Tag ID already exists: slow". */
export const faultyMember = (text = ""): string | undefined => (TAKEN.test(text) ? "id" : NAMED.exec(text)?.[1]);
