import { openMysqlSource } from "./mysql-source";
import { openPostgresSource } from "./postgres-source";
import { readSourceAddress } from "./read-source-address";
import type { SourceDatabase } from "./source-database";
import { openSqliteSource } from "./sqlite-source";

/**
 * Opens another program's database to be read.
 * @param text an SQLite file's path, or the address of a MySQL or PostgreSQL database (readSourceAddress).
 * @throws SourceRefused
 */
export const openSource = async (text: string): Promise<SourceDatabase> => {
  const address = readSourceAddress(text);
  if (address.engine === "sqlite") return openSqliteSource(address.path);
  return address.engine === "mysql" ? openMysqlSource(address) : openPostgresSource(address);
};
