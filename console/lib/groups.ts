import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./api-client";

/** GET /api/group/: the names of the groups that channels and users may belong to. */
export const groupsQuery = queryOptions({
  queryKey: ["groups"],
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await callApi("GET", "/api/group/", { signal });
    return Array.isArray(data) ? data.filter((name) => typeof name === "string").sort() : [];
  },
});
