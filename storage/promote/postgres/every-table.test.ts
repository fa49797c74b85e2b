import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyFilePath } from "../../bodies/sqlite/body-file";
import { logFilePath } from "../../log/sqlite/log-file";
import { openBodies } from "../../open-sqlite";
import { type Connection, openConnection } from "../../sqlite/connection";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { openStores } from "../../testing/open-stores";
import { MASTER_KEY } from "../../testing/sample-records";
import { COPIED_TABLES, type CopiedStore } from "../copied-tables";
import { mainPathOf, settleFolder } from "../open-sides";
import { promoteToDatabase } from "../promote-to-database";
import { promoteToFolder } from "../promote-to-folder";

/*
 * Tables and columns as the newest schema has them: a new one is tried without being named here.
 */

const STORES = ["main", "log", "bodies"] as const satisfies readonly CopiedStore[];

/** What goes over in another way, follows from the rest, or belongs to the file alone. */
const NOT_COPIED: Readonly<Record<CopiedStore, readonly string[]>> = {
  main: ["journal_state", "key_rotation", "kysely_migration", "kysely_migration_lock", "outbox"],
  log: [
    "kysely_migration",
    "kysely_migration_lock",
    "name_channel_hours",
    "name_detail_hours",
    "name_hours",
    "name_model_hours",
    "shared_names",
    "state",
  ],
  bodies: ["kysely_migration", "kysely_migration_lock"],
};

const ROWS = 3;

type Row = Record<string, number | string>;

/** What a row has to fulfil besides. */
const FITTING: Readonly<Record<string, (row: Row) => Row>> = {
  plan_periods: (row) => ({
    ...row,
    granted: Number(row.unspent) + Number(row.spent) + Number(row.withdrawn) + Number(row.taken),
  }),
  orders: (row) => ({ ...row, taken: Number(row.quota) }),
  request_refunds: (row) => ({ ...row, charged: Number(row.quota) }),
  ledger_entries: (row) => ({ ...row, account: "key" }),
};

const pathOf = (folder: string, store: CopiedStore): string => {
  const main = mainPathOf(folder);
  return { main, log: logFilePath(main), bodies: bodyFilePath(main) }[store];
};

const inFile = <T>(folder: string, store: CopiedStore, step: (file: Connection) => T): T => {
  const file = openConnection(pathOf(folder, store), false);
  try {
    return step(file);
  } finally {
    file.close();
  }
};

let root: string;
let folder: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tollgate-every-table-"));
  folder = join(root, "data");
  mkdirSync(folder);
  (await openStores(mainPathOf(folder))).close();
  (await openBodies(mainPathOf(folder), MASTER_KEY)).close();
});
afterAll(() => rmSync(root, { recursive: true }));

/** Puts rows into a table, with a value of its own in each column of each; ids have gaps. */
const fill = (file: Connection, table: string, first: number): void => {
  const columns = file.prepare(`PRAGMA table_info(${table})`).all() as { name: string; type: string }[];
  let next = first;
  const drawValue = (name: string, type: string, id: number): number | string => {
    next += 1;
    if (name === "id" || /^(?:user|token|subscription|channel|redemption|order|ticket)_id$/.test(name))
      return id;
    return type === "INTEGER" ? next : type === "REAL" ? next + 0.5 : `${name} ${next}`;
  };
  for (let number = 1; number <= ROWS; number += 1) {
    const drawn = Object.fromEntries(
      columns.map(({ name, type }) => [name, drawValue(name, type, number * 2)]),
    );
    const row = FITTING[table]?.(drawn) ?? drawn;
    const names = Object.keys(row);
    file
      .prepare(
        `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      )
      .run(...Object.values(row));
  }
};

const shownOf = (value: unknown): unknown =>
  value instanceof ArrayBuffer ? Buffer.from(value).toString("hex") : value;

const rowsOf = (of: string, from: CopiedStore): Record<string, string[]> =>
  inFile(of, from, (file) =>
    Object.fromEntries(
      COPIED_TABLES.filter(({ store }) => store === from).map(({ name }) => [
        name,
        (file.prepare(`SELECT * FROM ${name}`).all() as Row[])
          .map((row) =>
            JSON.stringify(
              Object.entries(row)
                .map(([column, value]) => [column, shownOf(value)])
                .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
            ),
          )
          .sort(),
      ]),
    ),
  );

describe("the tables of the newest schema", () => {
  it.each(STORES)("are brought to the other engine, those of %s, or it is said here why not", (store) => {
    const tables = inFile(folder, store, (file) =>
      file.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all(),
    ) as { name: string }[];
    const copied = COPIED_TABLES.filter((table) => table.store === store).map(({ name }) => name);
    expect(tables.map(({ name }) => name).sort()).toEqual([...copied, ...NOT_COPIED[store]].sort());
  });

  it("keep every column there and back, and give no id a second time", async () => {
    const address = await newDatabase();
    inFile(folder, "main", (file) => {
      file.exec("PRAGMA foreign_keys = OFF");
      const tables = COPIED_TABLES.filter(({ store }) => store === "main");
      for (const [index, { name }] of tables.entries()) fill(file, name, (index + 1) * 1000);
    });
    // Of an hour whose lines were cleared: no other table has a row of its day.
    inFile(folder, "log", (file) => {
      file.prepare("INSERT INTO price_shapes (id, text) VALUES (2, 'shape')").run();
      file
        .prepare("INSERT INTO priced_lines (id, hour, lines, data) VALUES (2, ?, 1, ?)")
        .run(5 * 86_400, Buffer.from([1, 2]));
    });
    const read = (of: string) => [rowsOf(of, "main"), rowsOf(of, "log")];
    const was = read(folder);
    const there = await promoteToDatabase({
      folder,
      address,
      masterKey: MASTER_KEY,
      onCopied: () => {},
      takeFolder: async () => settleFolder(folder, MASTER_KEY),
    });
    expect(there.proofs.filter(({ isEqual }) => !isEqual)).toEqual([]);
    const identities = await askDatabase(
      address,
      `SELECT table_name AS of, column_name AS id FROM information_schema.columns
       WHERE table_schema = 'public' AND is_identity = 'YES'`,
    );
    const again: unknown[] = [];
    for (const { of, id } of identities) {
      const [row] = await askDatabase(
        address,
        `SELECT coalesce(max("${id}"), 0) AS highest, nextval(pg_get_serial_sequence('${of}', '${id}')) AS next FROM "${of}"`,
      );
      if (Number(row?.next) <= Number(row?.highest)) again.push(of);
    }
    expect(again).toEqual([]);

    const back = join(root, "back");
    await promoteToFolder({ address, folder: back, masterKey: MASTER_KEY });
    expect(read(back)).toEqual(was);
    const behind = inFile(back, "main", (file) =>
      file.prepare("SELECT name, seq FROM sqlite_sequence").all(),
    );
    // The next ids were taken above and are not given again.
    expect((behind as { name: string; seq: number }[]).filter(({ seq }) => seq !== ROWS * 2 + 1)).toEqual([]);
  });
});
