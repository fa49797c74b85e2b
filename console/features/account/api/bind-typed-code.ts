import { useQueryClient } from "@tanstack/react-query";
import type { SignInMethodName } from "@tollgate/contract/sign-in/methods";
import { callApi } from "../../../lib/api-client";
import { selfQuery } from "../../../lib/self";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/oauth/<method>/bind?code= */
export const useBindTypedCode = (method: SignInMethodName) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callApi("GET", `/api/oauth/${method}/bind`, { query: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};
