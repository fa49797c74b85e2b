import { queryOptions } from "@tanstack/react-query";
import { readUser, type User } from "@tollgate/contract/management/user";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { USERS } from "./list-users";

/** GET /api/user/{id} */
export const getUser = async (id: number, signal?: AbortSignal): Promise<User> => {
  const user = readUser((await callApi("GET", `/api/user/${id}`, { signal })).data);
  if (!user) throw new UnreadableError("no user in the answer");
  return user;
};

/** Always read anew: its quota moves while the page is open. */
export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...USERS, "one", id],
    queryFn: ({ signal }) => getUser(id, signal),
    staleTime: 0,
    gcTime: 0,
  });
