import pg from "pg";
import { openServerSource } from "./open-server-source";
import type { SourceAddress } from "./read-source-address";
import type { SourceDatabase } from "./source-database";
import { type SourceFault, SourceRefused } from "./source-fault";

type PostgresAddress = Extract<SourceAddress, { engine: "postgres" }>;

const CONNECT_TIMEOUT_MS = 10_000;

/** Says an error by the server's code or the system's, whose list is at https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const faultOf = ({ host, user, database }: PostgresAddress, error: unknown): SourceFault => {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "";
  if (reason.startsWith("28")) return { code: "source-sign-in-refused", host, user };
  if (reason === "3D000") return { code: "source-database-missing", host, database };
  if (reason === "" || /^E[A-Z]+$/.test(reason) || reason.startsWith("08"))
    return { code: "source-unreachable", host, reason };
  return { code: "source-failed", place: `${host}/${database}`, reason };
};

/** Everything is read as text. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: unknown) => text };

/** Opens a PostgreSQL database to be read as of one moment. @throws SourceRefused */
export const openPostgresSource = async (address: PostgresAddress): Promise<SourceDatabase> => {
  const place = `${address.host}/${address.database}`;
  const guarded = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw new SourceRefused(faultOf(address, error));
    }
  };
  const client = await guarded(async () => {
    const opened = new pg.Client({
      connectionString: address.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: "tollgate import",
      types: AS_TEXT,
    });
    // An error of an idle connection is reported by the next query.
    opened.on("error", () => {});
    await opened.connect();
    try {
      await opened.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await opened.query("SET LOCAL statement_timeout = 0");
    } catch (error) {
      await opened.end();
      throw error;
    }
    return opened;
  });
  return openServerSource({
    engine: "postgres",
    place,
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    asText: (column, longest) => `left(${column}::text, ${longest})`,
    numberParameter: "$1::bigint",
    shapes: `SELECT columns.table_name, columns.column_name FROM information_schema.columns AS columns
      JOIN information_schema.tables AS tables ON tables.table_schema = columns.table_schema
        AND tables.table_name = columns.table_name AND tables.table_type = 'BASE TABLE'
      WHERE columns.table_schema = current_schema ORDER BY columns.table_name, columns.ordinal_position`,
    query: (text, values) =>
      guarded(async () => {
        const { rows } = await client.query<(string | null)[]>({
          text,
          values: [...values],
          rowMode: "array",
        });
        return rows;
      }),
    close: () => client.end(),
  });
};
