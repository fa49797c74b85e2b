import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { toldNumber } from "../../../lib/told-number";
import { useMutation } from "../../../lib/use-mutation";

/** DELETE /api/log/body: everything that is stored of what requests and answers said. Gives of how many requests. */
export const useClearBodies = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<number> => toldNumber((await callApi("DELETE", "/api/log/body")).data) ?? 0,
    onSuccess: () => queryClient.removeQueries({ queryKey: ["receipts"] }),
  });
};
