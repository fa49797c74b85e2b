import type { Each } from "../consistency";

/** Calls a method of a port; `entry` is what the table has of it. */
export type PortCall<Entry> = (
  group: string,
  method: string,
  parameters: unknown[],
  entry: Entry,
) => Promise<unknown>;

/** A port whose methods run elsewhere. @param table tells which methods there are. */
export const remotePort = <Port, Entry>(table: Each<Port, Entry>, call: PortCall<Entry>): Port => {
  const groups: [string, Record<string, Entry>][] = Object.entries(table);
  // Functions by name lose their types on the way: the table's type says that none is missing.
  return Object.fromEntries(
    groups.map(([group, methods]) => [
      group,
      Object.fromEntries(
        Object.entries(methods).map(([method, entry]) => [
          method,
          (...parameters: unknown[]) => call(group, method, parameters, entry),
        ]),
      ),
    ]),
  ) as Port;
};
