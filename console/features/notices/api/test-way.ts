import { useQueryClient } from "@tanstack/react-query";
import { readNoticeOutcome } from "@tollgate/contract/management/notice";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { pathOf, type Scope } from "../scope";

/** POST /api/…notice/way/{id}/test; what came of it. */
export const useTestWay = (scope: Scope) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      const outcome = readNoticeOutcome((await callApi("POST", `${pathOf(scope)}/way/${id}/test`)).data);
      if (!outcome) throw new UnreadableError();
      return outcome;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["sent-notices", scope] }),
  });
};
