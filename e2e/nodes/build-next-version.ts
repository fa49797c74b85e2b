import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What the schema of the next version has more: a column in each table that nodes read and write, and a table of its own. */
const NEXT: Readonly<Record<string, string>> = {
  accounts: `
    DO $$ DECLARE name TEXT; BEGIN
      FOREACH name IN ARRAY ARRAY['users', 'tokens', 'sessions', 'channels', 'options', 'redemptions', 'identities', 'audit',
        'charges', 'nodes', 'user_leases', 'token_leases', 'outbox']
      LOOP EXECUTE format('ALTER TABLE %I ADD COLUMN of_next_version TEXT NOT NULL DEFAULT %L', name, 'unknown'); END LOOP;
    END $$;
    CREATE TABLE next_version (id BIGINT PRIMARY KEY);`,
  log: `
    ALTER TABLE logs ADD COLUMN of_next_version TEXT NOT NULL DEFAULT 'unknown';
    ALTER TABLE receipts ADD COLUMN of_next_version TEXT NOT NULL DEFAULT 'unknown';`,
};

const MIGRATIONS = /storage\/(\w+)\/postgres\/migrations[.]ts$/;

/** Adds a migration to the lists of the program that is built. */
const nextMigrations: Plugin = {
  name: "next-migrations",
  transform(code, id) {
    const store = MIGRATIONS.exec(id)?.[1] ?? "";
    const statements = NEXT[store];
    if (statements === undefined) return undefined;
    const list = `${store.toUpperCase()}_MIGRATIONS`;
    return `import { runStatements as runNext } from "../../postgres/migrate";
${code.replace(`export const ${list}`, "const released")}
export const ${list} = {
  ...released,
  "9999-next": { up: (db) => runNext(db, ${JSON.stringify(statements)}) },
};`;
  },
};

/**
 * Builds the server as its next version may be: the same program with one more migration in its lists.
 * @returns its main file, in a folder that goes when this process ends.
 */
export const buildNextVersion = async (): Promise<string> => {
  // Beside the product, so that packages are found, and the console.
  const folder = mkdtempSync(join(ROOT, "dist", ".next-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await build({
    configFile: join(ROOT, "cli/vite.config.ts"),
    logLevel: "error",
    plugins: [nextMigrations],
    build: { outDir: folder, sourcemap: false },
  });
  return join(folder, "main.js");
};
