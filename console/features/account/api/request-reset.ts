import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/reset_password?email=&turnstile= */
export const useRequestReset = () =>
  useMutation({
    mutationFn: (query: { email: string; turnstile: string }) =>
      callApi("GET", "/api/reset_password", { query }),
  });
