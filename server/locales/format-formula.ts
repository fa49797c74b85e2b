import type { ReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { formatPhrase } from "./format-log";
import type { Language } from "./languages";

/** The arithmetic of a charge, with the names of units other than tokens. */
export const formatFormula = (
  language: Language,
  { formula, formulaUnits }: Pick<ReceiptDetail, "formula" | "formulaUnits">,
): string => (formulaUnits ? `${formatPhrase(language, formulaUnits)} × ${formula}` : formula);
