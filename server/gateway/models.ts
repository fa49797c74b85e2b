import { findModel } from "@tollgate/vendors/catalogue/catalogue";
import { listModels as listCatalogue } from "@tollgate/vendors/catalogue/list-prices";
import { CLASSIC_MODELS } from "@tollgate/vendors/classic-models";
import { presetModelsOf } from "@tollgate/vendors/preset-models";
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

const owners = new Map<string, string>();
for (const [owner, models] of Object.entries(CLASSIC_MODELS)) {
  for (const model of models) owners.set(model, owner);
}

/** A model as /v1/models describes it (contract section 2.11); what no list names, the administrator's own, is "custom". */
export const describeModel = (id: string) => ({
  id,
  object: "model",
  created: CREATED,
  owned_by: owners.get(id) ?? findModel(id)?.sheet.owner ?? "custom",
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

/** Every model that the product knows by name, for the channel form: the contract's list, then the catalogue's and the presets'. */
export const listModels = () => {
  const names = new Set(owners.keys());
  for (const { name } of listCatalogue()) names.add(name);
  for (const vendor of VENDORS) for (const model of presetModelsOf(vendor.type)) names.add(model);
  return [...names].map(describeModel);
};
