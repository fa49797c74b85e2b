import { type FetchedModels, fetchedModelsSchema } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import type { toFetchBody } from "../channel-form";

/** POST /api/channel/fetch_models: the models of an upstream, asked with what the form holds. */
export const useFetchModels = () =>
  useMutation({
    mutationFn: async (body: ReturnType<typeof toFetchBody>): Promise<FetchedModels> =>
      fetchedModelsSchema.parse((await callApi("POST", "/api/channel/fetch_models", { body })).data),
    // Said beside the button.
    meta: { silent: true },
  });
