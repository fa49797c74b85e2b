import { MODEL_ALIAS_TABLE } from "@tollgate/contract/options/option-tables";
import type { AliasFieldProps } from "./alias-field";
import { JsonTableField } from "./json-table-field";

/** The table of an alias field. */
const AliasTable = ({ error, onChange, ...field }: AliasFieldProps) => (
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
