import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../shared/json/json-values";

/** The model of a request is in the address; the body may repeat it, but not name another. */
export const requireOneModel = (body: unknown, model: string): void => {
  const named = isRecord(body) ? body.model : undefined;
  if (named === undefined || named === null || named === model) return;
  if (named === `models/${model}` || named === `tunedModels/${model}`) return;
  throw new RequestInvalid({ code: "model-differs-from-address" }, "model");
};
