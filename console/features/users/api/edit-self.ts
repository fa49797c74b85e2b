import { useQueryClient } from "@tanstack/react-query";
import { encodeUserBody } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { USERS } from "./list-users";

export interface SelfValues {
  username: string;
  displayName: string;
  /** "" leaves it as it is. */
  password: string;
  /** Servers that guard a new password ask for it; left out otherwise. */
  originalPassword?: string;
}

/** PUT /api/user/self */
export const useEditSelf = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SelfValues) => callApi("PUT", "/api/user/self", { body: encodeUserBody(body) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
