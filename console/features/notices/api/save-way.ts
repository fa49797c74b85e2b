import { useQueryClient } from "@tanstack/react-query";
import type { NoticeWayBody } from "@tollgate/contract/management/notice";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { pathOf, type Scope } from "../scope";

/** POST /api/…notice/way for a new one, PUT /api/…notice/way/{id} for one that there is. */
export const useSaveWay = (scope: Scope) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: number | undefined; body: Partial<NoticeWayBody> }) =>
      id === undefined
        ? callApi("POST", `${pathOf(scope)}/way`, { body })
        : callApi("PUT", `${pathOf(scope)}/way/${id}`, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["notice-ways", scope] }),
  });
};
