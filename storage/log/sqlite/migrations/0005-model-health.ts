import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";
import { addSumColumns } from "./add-sum-columns";

/** Which errors were the service's own; of those of before nobody knows, and they count as none. */
export const modelHealth: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, addSumColumns(["faults"])),
};
