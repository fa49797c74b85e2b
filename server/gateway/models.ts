import { findModel } from "@tollgate/vendors/catalogue/catalogue";
import { listModels as listCatalogue } from "@tollgate/vendors/catalogue/list-prices";
import { VENDORS } from "@tollgate/vendors/vendors";

const PERMISSION = {
  id: "modelperm-LwHkVFn8AcMItP432fKKDIKJ",
  object: "model_permission",
  created: 1_626_777_600,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: "*",
  group: null,
  is_blocking: false,
};

const CREATED = 1_677_649_963;

/** A model as /v1/models describes it (contract section 2.11); what no list names, the administrator's own, is "custom". */
export const describeModel = (id: string) => ({
  id,
  object: "model",
  created: CREATED,
  owned_by: findModel(id)?.sheet.owner ?? "custom",
  permission: [PERMISSION],
  root: id,
  parent: null,
});

/** A model as the Messages API describes it; nobody knows when it came out. */
export const describeMessagesModel = (id: string) => ({
  type: "model",
  id,
  display_name: id,
  created_at: "1970-01-01T00:00:00Z",
});

/** A model as Gemini's API describes it (https://ai.google.dev/api/models#Model); its limits are not known here. */
export const describeGeminiModel = (id: string) => ({
  name: `models/${id}`,
  version: "",
  displayName: id,
  description: "",
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
});

/** Every model that the product knows by name, for the channel form: the catalogue's, then the vendors' other names of them. */
export const listModels = () => {
  const names = new Set(listCatalogue().map(({ name }) => name));
  for (const { models } of VENDORS) for (const model of models) names.add(model);
  return [...names].map(describeModel);
};
