import { listUsableGroups } from "@tollgate/contract/api/groups";
import { endpointQuery } from "../../lib/endpoint-query";

/** Which groups one's keys may choose. Another server has no such call, and no choice. */
export const usableGroupsQuery = { ...endpointQuery(listUsableGroups, {}), meta: { silent: true } };
