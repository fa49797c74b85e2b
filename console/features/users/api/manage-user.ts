import { useMutation, useQueryClient } from "@tanstack/react-query";
import { readUser, type User, type UserAction } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { dropRow, patchRow } from "../../../lib/growing-list";
import { USER_LIST } from "./list-users";

interface Order {
  id: number;
  username: string;
  action: UserAction;
}

/** POST /api/user/manage. The row adopts the status and role that the server answers; a deleted one is hidden. */
export const useManageUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ username, action }: Order) =>
      callApi("POST", "/api/user/manage", { body: { username, action } }),
    onSuccess: ({ data }, { id, action }) => {
      if (action === "delete") {
        dropRow(queryClient, USER_LIST, id);
        return;
      }
      const answered = readUser(data);
      // A server that leaves one of them out sends 0, which is neither a role nor a status.
      patchRow<User>(queryClient, USER_LIST, id, {
        ...(answered?.role ? { role: answered.role } : {}),
        ...(answered?.status ? { status: answered.status } : {}),
      });
    },
  });
};
