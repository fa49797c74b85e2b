import { listGroups } from "@tollgate/contract/api/groups";
import { endpointQuery } from "./endpoint-query";

/** Names of the groups for channels and users, in alphabetical order. */
export const groupsQuery = {
  ...endpointQuery(listGroups, {}),
  select: (names: string[]) => names.toSorted(),
};
