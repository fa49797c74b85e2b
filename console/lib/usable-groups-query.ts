import { listUsableGroups } from "@tollgate/contract/api/groups";
import { endpointQuery } from "./endpoint-query";

/** The groups that one's keys may use. Other servers have no such call, and no choice. */
export const usableGroupsQuery = { ...endpointQuery(listUsableGroups, {}), meta: { silent: true } };
