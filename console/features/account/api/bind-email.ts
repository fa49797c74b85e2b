import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { selfQuery } from "../../../lib/self";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/oauth/email/bind?email=&code= */
export const useBindEmail = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (query: { email: string; code: string }) =>
      callApi("GET", "/api/oauth/email/bind", { query }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};
