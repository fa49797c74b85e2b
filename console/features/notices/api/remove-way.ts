import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { pathOf, type Scope } from "../scope";

/** DELETE /api/…notice/way/{id} */
export const useRemoveWay = (scope: Scope) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `${pathOf(scope)}/way/${id}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["notice-ways", scope] }),
  });
};
