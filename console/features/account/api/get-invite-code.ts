import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/user/aff: one's invite code, made on first use. */
export const useGetInviteCode = () =>
  useMutation({
    mutationFn: async (): Promise<string> => String((await callApi("GET", "/api/user/aff")).data ?? ""),
  });
