import { queryOptions } from "@tanstack/react-query";
import { readUser, type User } from "@tollgate/contract/management/user";
import { callApi, UnreadableError } from "./api-client";

/** GET /api/user/self: the logged-in person's own account. Always read anew: its quota moves while pages are open. */
export const selfQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: async ({ signal }): Promise<User> => {
    const user = readUser((await callApi("GET", "/api/user/self", { signal })).data);
    if (!user) throw new UnreadableError("no user in the answer");
    return user;
  },
  staleTime: 0,
});
