import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";

/** GET /api/verification?email=&turnstile= */
export const useSendEmailCode = () =>
  useMutation({
    mutationFn: (query: { email: string; turnstile: string }) =>
      callApi("GET", "/api/verification", { query }),
  });
