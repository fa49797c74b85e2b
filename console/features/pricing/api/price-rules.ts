import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { getPricing } from "@tollgate/contract/api/pricing";
import {
  type PriceRulesWire,
  priceRulesSchema,
  type RulePreview,
  rulePreviewSchema,
} from "@tollgate/contract/management/price-rule";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

const RULES = ["price-rules"] as const;

/** GET /api/prices/rules, in the order in which they take precedence. */
export const priceRulesQuery = queryOptions({
  queryKey: RULES,
  queryFn: async ({ signal }): Promise<PriceRulesWire> => {
    const read = priceRulesSchema.safeParse((await callApi("GET", "/api/prices/rules", { signal })).data);
    if (!read.success) throw new UnreadableError("no rules in the answer");
    return read.data;
  },
  staleTime: 0,
  meta: { isExtra: true },
});

/** What is sent of a rule. */
export interface RuleBody {
  name: string;
  before?: string | undefined;
  username: string;
  rule: object;
  price_version: number;
}

const useAfterChange = () => {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: RULES });
    await queryClient.invalidateQueries({ queryKey: [getPricing.reads] });
  };
};

/** PUT /api/prices/rules */
export const useSaveRule = () => {
  const onSuccess = useAfterChange();
  return useMutation({
    mutationFn: (body: RuleBody) => callApi("PUT", "/api/prices/rules", { body }),
    onSuccess,
  });
};

/** DELETE /api/prices/rules?name= */
export const useRemoveRule = () => {
  const onSuccess = useAfterChange();
  return useMutation({
    mutationFn: (name: string) => callApi("DELETE", "/api/prices/rules", { query: { name } }),
    onSuccess,
  });
};

/** Whose price is looked for. */
export interface PreviewBody {
  username: string;
  group: string;
  model: string;
}

/** POST /api/prices/rules/preview */
export const usePreview = () =>
  useMutation({
    mutationFn: async (body: PreviewBody): Promise<RulePreview> => {
      const { data } = await callApi("POST", "/api/prices/rules/preview", { body });
      const read = rulePreviewSchema.safeParse(data);
      if (!read.success) throw new UnreadableError("no price in the answer");
      return read.data;
    },
  });
