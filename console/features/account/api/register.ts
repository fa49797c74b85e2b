import { encodeUserBody } from "@tollgate/contract/api/user";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

export interface Registration {
  username: string;
  password: string;
  password2: string;
  email: string;
  verificationCode: string;
  affCode: string;
}

/** POST /api/user/register?turnstile= */
export const useRegister = () =>
  useMutation({
    mutationFn: ({ body, turnstile }: { body: Registration; turnstile: string }) =>
      callApi("POST", "/api/user/register", {
        query: { turnstile },
        // The specification sends the repeated password, too.
        body: { ...encodeUserBody(body), password2: body.password2 },
      }),
  });
