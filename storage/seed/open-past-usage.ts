import { join } from "node:path";
import type { PastUsage } from "./past-usage";
import { openPastUsage as inDatabase } from "./postgres/open-past-usage";
import { openPastUsage as inFolder } from "./sqlite/open-past-usage";

/**
 * Opens the stores for past usage.
 * @param address of a PostgreSQL database; undefined for the files of the data folder.
 */
export const openPastUsage = (
  dataDir: string,
  address: string | undefined,
  masterKey: Uint8Array,
): Promise<PastUsage> =>
  address === undefined ? inFolder(join(dataDir, "tollgate.db"), masterKey) : inDatabase(address, masterKey);
