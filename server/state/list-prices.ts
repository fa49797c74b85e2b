import { formatDecimal } from "@tollgate/contract/values/decimal";
import { listRatio } from "@tollgate/metering/list-ratio";
import type { ListPrice } from "@tollgate/metering/price";
import { findModel } from "@tollgate/vendors/catalogue/catalogue";
import { listModels, usdPricesOf } from "@tollgate/vendors/catalogue/list-prices";

const prices = new Map<string, ListPrice>();
for (const entry of listModels()) prices.set(entry.name, { name: entry.name, entries: usdPricesOf(entry) });

/** The list price of a model, under whichever of its names; undefined for one that the catalogue does not know. */
export const findListPrice = (model: string): ListPrice | undefined => {
  const name = findModel(model)?.name;
  return name === undefined ? undefined : prices.get(name);
};

const ratiosOfList = (): Record<string, number> => {
  const ratios: Record<string, number> = {};
  for (const { name, entries } of prices.values()) {
    const [first] = entries;
    if (first) ratios[name] = Number(formatDecimal(listRatio(first)));
  }
  return ratios;
};

/** The option ModelRatio until the administrator saves another table: the list price of every model that has one. */
export const DEFAULT_MODEL_RATIOS: Readonly<Record<string, number>> = ratiosOfList();
