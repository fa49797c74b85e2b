import { queryOptions } from "@tanstack/react-query";
import { readUser, type User } from "@tollgate/contract/control/user";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { USERS } from "./list-users";

/** GET /api/user/{id}. Always read anew: its quota moves while the page is open. */
export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...USERS, "one", id],
    queryFn: async ({ signal }): Promise<User> => {
      const user = readUser((await callApi("GET", `/api/user/${id}`, { signal })).data);
      if (!user) throw new UnreadableError("no user in the answer");
      return user;
    },
    staleTime: 0,
    gcTime: 0,
  });
