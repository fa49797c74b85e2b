import { loadTexts } from "../lib/i18n";
import { LazyBoundary } from "./lazy-boundary";

export interface AliasFieldProps {
  label: string;
  hint: string;
  /** JSON text; "" for no aliases. */
  value: string;
  error: string | undefined;
  onChange: (json: string) => void;
}

// Loaded with the first shown field, with the texts of its table.
const loadTable = async () => {
  const [piece] = await Promise.all([import("./alias-table"), loadTexts(["json-table"])]);
  return piece;
};

/** Names that stand for models, as the rows of a table. */
export const AliasField = (props: AliasFieldProps) => <LazyBoundary load={loadTable} with={props} />;
