import { changeApiKeys } from "@tollgate/contract/api/api-key-batches";
import { searchApiKeys } from "@tollgate/contract/api/api-keys";
import { BulkBar, type BulkBarProps } from "../../components/bulk-bar";

// Loaded with the first use.
const loadEditor = () => import("./keys-editor");

/** Actions on many of one's keys. */
const KeysActionBar = (props: BulkBarProps) => (
  <BulkBar
    {...props}
    of="keys"
    endpoint={changeApiKeys}
    search={searchApiKeys}
    loadEditor={loadEditor}
    isOwn
  />
);

export default KeysActionBar;
