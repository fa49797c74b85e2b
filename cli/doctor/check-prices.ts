import { parseModelMapping } from "@tollgate/contract/management/model-mapping";
import { splitList } from "@tollgate/contract/values/split-list";
import { missingPrices } from "@tollgate/server/prices/missing-prices";
import { offeredModels } from "@tollgate/server/prices/offered-models";
import { Options } from "@tollgate/server/state/options";
import { createPricing } from "@tollgate/server/state/pricing";
import type { Examination } from "@tollgate/storage/doctor/examine-data";
import type { Remark } from "./remark";

/** The most names that are told. */
const TOLD = 10;

/** Offered models that requests are refused for, because they have no price. @param nowMs prices may change at a date. */
export const checkPrices = async (
  { options: stored, channels }: Pick<Examination, "options" | "channels">,
  nowMs: number,
): Promise<Remark[]> => {
  const options = await Options.load(
    { options: { all: async () => [...stored] } },
    { options: { put: async () => [...stored] } },
  );
  const offered = offeredModels(
    channels.map(({ id, name, models, mapping }) => ({
      id,
      name,
      models: splitList(models),
      modelMapping: parseModelMapping(mapping) ?? {},
    })),
  );
  const names = missingPrices(createPricing(options, () => nowMs).book(), offered, nowMs).map(
    ({ model }) => model,
  );
  if (names.length === 0) return [];
  const told = names.slice(0, TOLD).join(", ");
  const more = names.length > TOLD ? ` and ${names.length - TOLD} more` : "";
  return [
    {
      isFault: false,
      text: `prices missing for offered models: ${told}${more}. Requests for them are refused; tollgate prices missing says why.`,
    },
  ];
};
