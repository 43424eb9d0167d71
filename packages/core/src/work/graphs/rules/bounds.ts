/** Nodes of one graph; the size of a record bounds it further. */
export const MAX_NODES = 10_000;
export const MAX_CONNECTIONS = 20_000;
