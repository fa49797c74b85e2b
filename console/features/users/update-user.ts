import { useQueryClient } from "@tanstack/react-query";
import { changeUser, getUser } from "@tollgate/contract/api/users";
import { callEndpoint } from "../../lib/call-endpoint";
import { useMutation } from "../../lib/use-mutation";
import type { AtField } from "../../lib/use-refusals";
import { toUserBody, type UserFields } from "./user-form";

interface UserChange {
  id: number;
  fields: UserFields;
  /** The form's initial values. */
  before: UserFields;
}

/**
 * Saves a user's form. The account is read again first: the body contains all of it, and outdated values would revert
 * the changes of other administrators, or refund the usage since the form was opened.
 */
export const useUpdateUser = ({ atField }: AtField) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, fields, before }: UserChange) => {
      const now = await callEndpoint(getUser, { params: { id } });
      return callEndpoint(changeUser, { body: toUserBody(now, fields, before) });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [getUser.reads] }),
    meta: { atField },
  });
};
