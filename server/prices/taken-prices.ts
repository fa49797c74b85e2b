import { type ModelPriceEntry, modelPriceEntrySchema } from "@tollgate/contract/management/model-price";
import type { PriceRow } from "@tollgate/contract/management/price-sync";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { priceDifferences } from "@tollgate/metering/price-differences";
import { z } from "zod/mini";

const takenPriceSchema = z.object({
  model: z.string(),
  from: modelPriceEntrySchema,
  taken: z.array(modelPriceEntrySchema),
});

/** A price accepted from a list without review. Prices are effective ones (`effectivePrice`). */
export interface TakenPrice {
  model: string;
  /** The price before the first step: the last one that a person set. */
  from: ModelPriceEntry;
  /** The last step, and the one before it until the last one is known to be stored. */
  taken: ModelPriceEntry[];
}

/** @param text as `writeTakenPrices` gives it. */
export const readTakenPrices = (text: string): Map<string, TakenPrice> => {
  const read = z.array(z.unknown()).safeParse(tryParseJson(text));
  const known = new Map<string, TakenPrice>();
  for (const each of read.success ? read.data : []) {
    const taken = takenPriceSchema.safeParse(each);
    if (taken.success) known.set(taken.data.model, taken.data);
  }
  return known;
};

export const writeTakenPrices = (taken: readonly TakenPrice[]): string => JSON.stringify(taken);

/** Whether a model still has its accepted price. Any other was set by a person since. */
const holds = ({ taken }: TakenPrice, { old }: PriceRow): boolean =>
  old !== undefined && taken.some((each) => priceDifferences(each, old).length === 0);

/**
 * The step to a list's price, with the start of the series of steps.
 * @returns undefined without a price to start from, or when it could not be parsed again.
 */
export const stepTo = (known: ReadonlyMap<string, TakenPrice>, row: PriceRow): TakenPrice | undefined => {
  const { model, old, next } = row;
  if (!old || !next) return undefined;
  const before = known.get(model);
  const step =
    before && holds(before, row)
      ? { model, from: before.from, taken: [old, next] }
      : { model, from: old, taken: [next] };
  return takenPriceSchema.safeParse(step).success ? step : undefined;
};

/** The entries of models that still have their accepted price, and of those with a new step. */
export const takenAfter = (
  known: ReadonlyMap<string, TakenPrice>,
  rows: readonly PriceRow[],
  steps: readonly TakenPrice[],
): TakenPrice[] => {
  const further = new Map(steps.map((step) => [step.model, step]));
  return rows.flatMap((row) => {
    const before = known.get(row.model);
    return further.get(row.model) ?? (before && holds(before, row) ? before : []);
  });
};
