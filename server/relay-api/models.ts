import { DEFAULT_API } from "@tollgate/protocols/client-apis";
import { listModels as listCatalogue } from "@tollgate/vendors/catalogue/list-prices";
import { VENDORS } from "@tollgate/vendors/vendors";
import { listedModel } from "../prices/model-views";

/** Every model that the product knows by name, for the channel form: the catalogue's, then the vendors' other names of them. */
export const listModels = (): unknown[] => {
  const names = new Set(listCatalogue().map(({ name }) => name));
  for (const { models } of VENDORS) for (const model of models) names.add(model);
  return [...names].map((name) => DEFAULT_API.models?.describe(listedModel(name)));
};
