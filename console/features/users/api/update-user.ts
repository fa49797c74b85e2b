import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import type { UserPatch } from "../user-form";
import { USERS } from "./list-users";

/** PUT /api/user/ */
export const useUpdateUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: UserPatch) => callApi("PUT", "/api/user/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
