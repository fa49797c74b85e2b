import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";

/** GET /api/channel/test: starts a run over all enabled channels and answers at once. */
export const useTestAllChannels = () =>
  useMutation({ mutationFn: () => callApi("GET", "/api/channel/test") });
