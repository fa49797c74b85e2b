import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** POST /api/user/reset; answers the new password. */
export const useResetPassword = () =>
  useMutation({
    mutationFn: async (body: { email: string; token: string }): Promise<string> => {
      const { data } = await callApi("POST", "/api/user/reset", { body });
      if (typeof data !== "string" || data === "") throw new UnreadableError("no password in the answer");
      return data;
    },
  });
