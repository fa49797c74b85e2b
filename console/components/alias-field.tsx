import { loadTexts } from "../lib/i18n";
import type { AliasTableProps } from "./alias-table";
import { LazyBoundary } from "./lazy-boundary";

// Loaded with the first shown field, with the texts of its table.
const loadTable = async () => {
  const [piece] = await Promise.all([import("./alias-table"), loadTexts(["json-table"])]);
  return piece;
};

/** Names that stand for models, as the rows of a table. */
export const AliasField = (props: AliasTableProps) => <LazyBoundary load={loadTable} with={props} />;
