import { changeUsers } from "@tollgate/contract/api/user-batches";
import { searchUsers } from "@tollgate/contract/api/users";
import { BulkBar, type BulkBarProps } from "../../components/bulk-bar";

// Loaded with the first use.
const loadEditor = () => import("./users-editor");

/** Actions on many users. */
const UsersActionBar = (props: BulkBarProps) => (
  <BulkBar {...props} of="users" endpoint={changeUsers} search={searchUsers} loadEditor={loadEditor} />
);

export default UsersActionBar;
