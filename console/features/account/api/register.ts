import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";

export interface Registration {
  username: string;
  password: string;
  password2: string;
  email: string;
  verification_code: string;
  aff_code: string;
}

/** POST /api/user/register?turnstile= */
export const useRegister = () =>
  useMutation({
    mutationFn: ({ body, turnstile }: { body: Registration; turnstile: string }) =>
      callApi("POST", "/api/user/register", { query: { turnstile }, body }),
  });
