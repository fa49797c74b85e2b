import {
  priceRulesSchema,
  putPriceRuleBodySchema,
  rulePreviewBodySchema,
  rulePreviewSchema,
} from "../management/price-rule";
import { endpoint } from "../resource/endpoint";
import { plain } from "../resource/resource";

/* Prices of single customers, groups and models; beyond the contract. */

export const listPriceRules = endpoint({
  method: "GET",
  path: "/api/prices/rules",
  guard: "admin",
  area: "prices",
  summary: "Prices of single customers, groups and models, in their order of precedence",
  data: plain(priceRulesSchema),
  reads: "price-rules",
});

export const savePriceRule = endpoint({
  method: "PUT",
  path: "/api/prices/rules",
  guard: "admin",
  area: "prices",
  summary: "Adds a price rule, or replaces one",
  body: putPriceRuleBodySchema,
  changes: ["price-rules", "pricing"],
});

export const deletePriceRule = endpoint({
  method: "DELETE",
  path: "/api/prices/rules",
  guard: "admin",
  area: "prices",
  summary: "Deletes a price rule",
  query: { name: "What the rule is called" },
  changes: ["price-rules", "pricing"],
});

export const previewPriceRules = endpoint({
  method: "POST",
  path: "/api/prices/rules/preview",
  guard: "admin",
  area: "prices",
  summary: "The present price of a model for a customer in a group, and its rule; changes nothing",
  body: rulePreviewBodySchema,
  data: plain(rulePreviewSchema),
});
