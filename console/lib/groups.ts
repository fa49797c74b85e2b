import { listGroups } from "@tollgate/contract/api/groups";
import { endpointQuery } from "./endpoint-query";

/** The names of the groups that channels and users may belong to, in their alphabetical order. */
export const groupsQuery = {
  ...endpointQuery(listGroups, {}),
  select: (names: string[]) => names.toSorted(),
};
