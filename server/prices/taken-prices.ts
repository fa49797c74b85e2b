import { type ModelPriceEntry, modelPriceEntrySchema } from "@tollgate/contract/management/model-price";
import type { PriceRow } from "@tollgate/contract/management/price-sync";
import { priceDifferences } from "@tollgate/metering/price-differences";
import { z } from "zod/mini";

const takenPriceSchema = z.object({
  model: z.string(),
  from: modelPriceEntrySchema,
  taken: z.array(modelPriceEntrySchema),
});

/** A price that was taken over from a list without any person looking. Prices are as they are charged (`effectivePrice`). */
export interface TakenPrice {
  model: string;
  /** What was charged before the first step: the last price that a person stands for. */
  from: ModelPriceEntry;
  /** What it was brought to: the last step, and the one before it until it is known that the last one was stored. */
  taken: ModelPriceEntry[];
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @param text as `writeTakenPrices` gives it. */
export const readTakenPrices = (text: string): Map<string, TakenPrice> => {
  const read = z.array(z.unknown()).safeParse(parse(text));
  const known = new Map<string, TakenPrice>();
  for (const each of read.success ? read.data : []) {
    const taken = takenPriceSchema.safeParse(each);
    if (taken.success) known.set(taken.data.model, taken.data);
  }
  return known;
};

export const writeTakenPrices = (taken: readonly TakenPrice[]): string => JSON.stringify(taken);

/** Whether a model still costs what it was brought to. Anything else was set by a person since. */
const holds = ({ taken }: TakenPrice, { old }: PriceRow): boolean =>
  old !== undefined && taken.some((each) => priceDifferences(each, old).length === 0);

/**
 * The step that would bring a model to a list's price, with where its steps began.
 * @returns undefined where there is nothing to begin at, or it could not be read again.
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

/** What is known of the models that still cost what they were brought to, and of those that are brought further now. */
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
