import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";
import { watchMoreColumns } from "./change-triggers";

const COLUMNS = ["rpm", "tpm", "concurrency", "key_rpm", "key_tpm", "key_concurrency"];

/** What the keys of a channel may be asked, all together and each; NULL limits nothing (docs/reference/limits.md). */
const SCHEMA = `
${COLUMNS.map((column) => `ALTER TABLE channels ADD COLUMN ${column} BIGINT;`).join("\n")}
${watchMoreColumns("channels", "0011", COLUMNS)}
`;

export const upstreamLimits: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
