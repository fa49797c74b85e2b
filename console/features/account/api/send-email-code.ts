import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** GET /api/verification?email=&turnstile= */
export const useSendEmailCode = () =>
  useMutation({
    mutationFn: (query: { email: string; turnstile: string }) =>
      callApi("GET", "/api/verification", { query }),
  });
