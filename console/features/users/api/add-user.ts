import { useQueryClient } from "@tanstack/react-query";
import { encodeUserBody } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { USERS } from "./list-users";

export interface NewUser {
  username: string;
  displayName: string;
  password: string;
}

/** POST /api/user/ */
export const useAddUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) => callApi("POST", "/api/user/", { body: encodeUserBody(body) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
