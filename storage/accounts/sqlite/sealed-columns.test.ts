import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSecrets } from "../../secrets";
import { MASTER_KEY } from "../../testing/sample-records";
import { SEALED_COLUMNS } from "../sql/sealed-columns";
import { openAccountsFile } from "./accounts-file";

/** What does not depend on the master key, or is forgotten at a rotation. */
const OTHERS = [
  "users.password_hash",
  "sessions.id_hash",
  "management_keys.key_hash",
  "verifications.code_hash",
  "key_networks.network_hash",
  "former_identities.identity_hash",
  "key_rotation.sealed",
];

it("every column that holds something sealed, or a keyed hash, is among those that a rotation knows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-columns-"));
  const connection = await openAccountsFile(join(folder, "test.db"), createSecrets(MASTER_KEY));
  const found = connection
    .prepare(
      `SELECT tables.name || '.' || columns.name AS name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.name <> 'is_sealed'
         AND (columns.name LIKE '%sealed%' OR columns.name LIKE '%hash%' OR columns.name LIKE '%secret%')`,
    )
    .all() as { name: string }[];
  connection.close();
  rmSync(folder, { recursive: true });
  const known = SEALED_COLUMNS.flatMap(({ table, column, hash }) => [
    `${table}.${column}`,
    ...(hash ? [`${table}.${hash.column}`] : []),
  ]);
  expect(found.map(({ name }) => name).sort()).toEqual(
    [...known, ...OTHERS].filter((name) => name !== "options.value").sort(),
  );
});
