import { queryOptions } from "@tanstack/react-query";
import { readOptions } from "@tollgate/contract/management/option";
import { callApi } from "../../../lib/api-client";
import type { OptionValues } from "../option-changes";

/** GET /api/option/: every setting by its key. Secrets are not among them. */
export const optionsQuery = queryOptions({
  queryKey: ["options"],
  queryFn: async ({ signal }): Promise<OptionValues> => {
    const options = readOptions((await callApi("GET", "/api/option/", { signal })).data);
    return Object.fromEntries(options.map(({ key, value }) => [key, value]));
  },
});
