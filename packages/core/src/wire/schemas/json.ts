/** A value that JSON can hold: the type of members whose content is the caller's own. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined };
