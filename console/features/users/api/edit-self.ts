import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { readUser, type User } from "@tollgate/contract/control/user";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** GET /api/user/self */
export const selfQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: async ({ signal }): Promise<User> => {
    const user = readUser((await callApi("GET", "/api/user/self", { signal })).data);
    if (!user) throw new UnreadableError("no user in the answer");
    return user;
  },
  staleTime: 0,
});

export interface SelfValues {
  username: string;
  display_name: string;
  /** "" leaves it as it is. */
  password: string;
}

/** PUT /api/user/self */
export const useEditSelf = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SelfValues) => callApi("PUT", "/api/user/self", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["users"] }),
  });
};
