import { askDatabase } from "./new-database";

/** Everything that a schema consists of, apart from partitions, which depend on the day. */
const SCHEMA = {
  columns: `SELECT table_name, column_name, data_type, domain_name, collation_name, column_default, is_nullable, is_identity
    FROM information_schema.columns WHERE table_schema = 'public'`,
  indexes: "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
  constraints: `SELECT conrelid::regclass::text AS of, contypid::regtype::text AS type, conname, pg_get_constraintdef(oid) AS says
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  views: "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
  triggers: "SELECT pg_get_triggerdef(oid) AS says FROM pg_trigger WHERE NOT tgisinternal",
  functions: "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
} as const;

export const postgresSchema = async (address: string): Promise<Record<string, string[]>> => {
  const parts: Record<string, string[]> = {};
  for (const [part, query] of Object.entries(SCHEMA)) {
    const rows = await askDatabase(address, query);
    parts[part] = rows
      // A server repeats a condition with more or fewer brackets, by whether it read the statement or its own text of it.
      .map((row) => JSON.stringify(row).replaceAll(/[()]|\\n *WHERE true/g, ""))
      .filter((text) => !/_day_\d|_migrations/.test(text))
      .sort();
  }
  return parts;
};
