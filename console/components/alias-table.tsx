import { MODEL_ALIAS_TABLE } from "@tollgate/contract/options/option-tables";
import { JsonTableField } from "./json-table-field";

export interface AliasTableProps {
  label: string;
  hint: string;
  /** JSON text; "" for no aliases. */
  value: string;
  error: string | undefined;
  onChange: (json: string) => void;
}

/** The table of an alias field. */
const AliasTable = ({ error, onChange, ...field }: AliasTableProps) => (
  <JsonTableField
    {...field}
    table={MODEL_ALIAS_TABLE}
    error={error}
    isChecked={error !== undefined}
    // Without a row the text is "{}", which is no change of a field without aliases.
    onChange={(json) => onChange(json.trim() === "{}" ? "" : json)}
  />
);

export default AliasTable;
