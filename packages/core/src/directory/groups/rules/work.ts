/**
 * Kind of queued work that regroups the stored automatic servers after the pattern of a group has changed
 * (docs/contract/servers.md#computed-again). A change of a pattern enqueues it; the servers domain runs it.
 */
export const REGROUP_KIND = "servers.regroup";
