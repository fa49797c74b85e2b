import type { DataFault } from "../errors";
import type { DataReader } from "./data-reader";
import type { FoundFaults } from "./found-faults";
import { moneyRules } from "./money-rules";

/** The columns of a row that breaks a rule are the values of its fault. */
const faultOf = (code: DataFault["code"], row: Readonly<Record<string, unknown>>): DataFault =>
  ({ ...row, code }) as DataFault;

/**
 * Finds everything that does not add up in the stored money.
 * @param hasLeases whether several nodes may lease some of it. @param notes remarks for the operator that are no
 *   faults.
 */
export const checkMoney = async (
  { pages }: Pick<DataReader, "pages">,
  hasLeases: boolean,
  found: FoundFaults,
  notes: FoundFaults,
): Promise<void> => {
  for (const { code, query, isBroken, isNote } of moneyRules(hasLeases)) {
    const told = isNote ? notes : found;
    for await (const page of pages<Record<string, unknown>>(query))
      for (const row of page) if (!isBroken || isBroken(row)) told.add(faultOf(code, row));
  }
};
