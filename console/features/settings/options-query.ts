import { queryOptions } from "@tanstack/react-query";
import { listOptions } from "@tollgate/contract/api/options";
import { callEndpoint } from "../../lib/call-endpoint";
import type { OptionValues } from "./option-changes";

/** All settings by key, without secrets. */
export const optionsQuery = queryOptions({
  queryKey: [listOptions.reads],
  queryFn: async ({ signal }): Promise<OptionValues> => {
    const options = await callEndpoint(listOptions, {}, signal);
    return Object.fromEntries(options.map(({ key, value }) => [key, value]));
  },
});
