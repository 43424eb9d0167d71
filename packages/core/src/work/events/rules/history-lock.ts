/** Writers of what an event remembers of its jobs wait for each other. */
export const historyLock = (event: string): string => `jobs:history:${event}`;
