/**
 * Kind of queued work: the patterns of groups have changed, so the stored automatic servers follow
 * (docs/contract/servers.md#worked-out-anew). A change of a pattern enqueues it; the servers carry it out.
 */
export const REGROUP_KIND = "servers.regroup";
