import type { RowDataPacket } from "mysql2/promise";
import { openServerSource } from "./open-server-source";
import type { SourceAddress } from "./read-source-address";
import type { SourceDatabase } from "./source-database";
import { type SourceFault, SourceRefused } from "./source-fault";

type MysqlAddress = Extract<SourceAddress, { engine: "mysql" }>;

const CONNECT_TIMEOUT_MS = 10_000;

/** Says an error by its name (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html), or the system's. */
const faultOf = ({ host, user, database }: MysqlAddress, error: unknown): SourceFault => {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^ER_(?:ACCESS_DENIED|DBACCESS_DENIED|NOT_SUPPORTED_AUTH|ACCOUNT|MUST_CHANGE)/.test(reason))
    return { code: "source-sign-in-refused", host, user };
  if (reason === "ER_BAD_DB_ERROR") return { code: "source-database-missing", host, database };
  if (/^ER_/.test(reason)) return { code: "source-failed", place: `${host}/${database}`, reason };
  return { code: "source-unreachable", host, reason };
};

const tlsOf = ({ tls }: MysqlAddress) =>
  tls === undefined ? {} : { ssl: { rejectUnauthorized: tls === "on" } };

/** Opens a MySQL or MariaDB database to be read as of one moment. @throws SourceRefused */
export const openMysqlSource = async (address: MysqlAddress): Promise<SourceDatabase> => {
  const { host, port, socket, user, password, database } = address;
  const place = `${host}/${database}`;
  const guarded = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw new SourceRefused(faultOf(address, error));
    }
  };
  const connection = await guarded(async () => {
    // Loaded by the first of them: most sources are something else.
    const { createConnection } = await import("mysql2/promise");
    const opened = await createConnection({
      ...(socket === undefined ? { host, ...(port === undefined ? {} : { port }) } : { socketPath: socket }),
      ...tlsOf(address),
      user,
      password,
      database,
      charset: "utf8mb4",
      connectTimeout: CONNECT_TIMEOUT_MS,
      rowsAsArray: true,
      // Names of columns, which are another person's, become no code.
      disableEval: true,
      // The server must not be able to read files of this machine.
      flags: ["-LOCAL_FILES"],
    });
    opened.on("error", () => {});
    try {
      await opened.query("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      await opened.query("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    } catch (error) {
      opened.destroy();
      throw error;
    }
    return opened;
  });
  return openServerSource({
    engine: "mysql",
    place,
    quote: (name) => `\`${name.replaceAll("`", "``")}\``,
    asText: (column, longest) => `LEFT(CAST(${column} AS CHAR), ${longest})`,
    numberParameter: "CAST(? AS SIGNED)",
    shapes: `SELECT c.TABLE_NAME, c.COLUMN_NAME FROM information_schema.COLUMNS c
      JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
        AND t.TABLE_TYPE = 'BASE TABLE'
      WHERE c.TABLE_SCHEMA = DATABASE() ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`,
    query: (sql, values) =>
      guarded(async () => {
        const [rows] = await connection.query<RowDataPacket[][]>(sql, [...values]);
        return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
      }),
    close: () => connection.end(),
  });
};
