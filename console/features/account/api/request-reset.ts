import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";

/** GET /api/reset_password?email=&turnstile= */
export const useRequestReset = () =>
  useMutation({
    mutationFn: (query: { email: string; turnstile: string }) =>
      callApi("GET", "/api/reset_password", { query }),
  });
