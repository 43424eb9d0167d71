/** A JSON value: the type of members whose content is up to the caller. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined };
