import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { USERS } from "./list-users";

export interface NewUser {
  username: string;
  display_name: string;
  password: string;
}

/** POST /api/user/ */
export const useAddUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) => callApi("POST", "/api/user/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
