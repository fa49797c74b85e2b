import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { toUserBody, type UserFields } from "../user-form";
import { getUser } from "./get-user";
import { USERS } from "./list-users";

interface UserChange {
  id: number;
  fields: UserFields;
  /** What the form began with. */
  before: UserFields;
}

/**
 * PUT /api/user/. The account is read once more at that moment: the body names all of it, and an older quota would give
 * back what was used since the form was opened.
 */
export const useUpdateUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, fields, before }: UserChange) =>
      callApi("PUT", "/api/user/", { body: toUserBody(await getUser(id), fields, before) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
  });
};
