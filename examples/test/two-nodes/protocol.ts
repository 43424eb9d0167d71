/** Messages of a node to the test. */
export type Report = { readonly kind: "listens"; readonly port: number } | { readonly kind: "leads" };
