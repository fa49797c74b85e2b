import { queryOptions } from "@tanstack/react-query";
import { type UsableGroups, usableGroupsSchema } from "@tollgate/contract/management/group";
import { callApi } from "../../../lib/api-client";

/** What a server says that knows of no such choice. */
const NONE: UsableGroups = { groups: [], auto: [] };

/** GET /api/user/groups: which groups one's keys may choose. Another server has no such call, and no choice. */
export const usableGroupsQuery = queryOptions({
  queryKey: ["usable-groups"],
  queryFn: async ({ signal }): Promise<UsableGroups> => {
    const { data } = await callApi("GET", "/api/user/groups", { signal });
    const read = usableGroupsSchema.safeParse(data);
    return read.success ? read.data : NONE;
  },
  meta: { silent: true },
});
