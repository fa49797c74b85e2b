import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { USERS } from "./list-users";

export interface SelfValues {
  username: string;
  display_name: string;
  /** "" leaves it as it is. */
  password: string;
  /** Servers that guard a new password ask for it; left out otherwise. */
  original_password?: string;
}

/** PUT /api/user/self */
export const useEditSelf = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SelfValues) => callApi("PUT", "/api/user/self", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
