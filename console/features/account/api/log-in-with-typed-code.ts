import type { User } from "@tollgate/contract/api/user";
import type { SignInMethodName } from "@tollgate/contract/sign-in/methods";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { readLoggedInUser } from "./log-in";

/** GET /api/oauth/<method>?code= */
export const useLogInWithTypedCode = (method: SignInMethodName) =>
  useMutation({
    mutationFn: async (code: string): Promise<User> =>
      readLoggedInUser((await callApi("GET", `/api/oauth/${method}`, { query: { code } })).data),
  });
