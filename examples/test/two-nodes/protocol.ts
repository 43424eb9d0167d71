/** What a node says. */
export type Report = { readonly kind: "listens"; readonly port: number } | { readonly kind: "leads" };
