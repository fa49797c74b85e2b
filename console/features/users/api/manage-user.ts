import { useQueryClient } from "@tanstack/react-query";
import type { Envelope } from "@tollgate/contract/management/envelope";
import { readUser, type User, type UserAction } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { USER_LIST } from "./list-users";

interface Order {
  username: string;
  action: UserAction;
}

/** POST /api/user/manage. The row adopts the status and role that the server answers; a deleted one is hidden. */
export const useManageUser = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ username, action }: Order) =>
      changeRow<User, Envelope>(
        queryClient,
        USER_LIST,
        id,
        () => callApi("POST", "/api/user/manage", { body: { username, action } }),
        ({ data }) => {
          if (action === "delete") return "deleted";
          const answered = readUser(data);
          // A server that leaves one of them out sends 0, which is neither a role nor a status.
          return {
            ...(answered?.role ? { role: answered.role } : {}),
            ...(answered?.status ? { status: answered.status } : {}),
          };
        },
      ),
    scope: { id: `user ${id}` },
  });
};
