/** Most nodes of one graph; the bound on the size of a record applies as well. */
export const MAX_NODES = 10_000;
export const MAX_CONNECTIONS = 20_000;
