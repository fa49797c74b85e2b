import { checkMoney } from "../doctor/check-money";
import { FoundFaults } from "../doctor/found-faults";

/** Asks something of the accounts of some engine. */
export type Ask = (query: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Changes that break a rule of the doctor (storage/doctor/money-rules.ts), each of which holds at every commit; and unexplained movements,
 * which older versions alone make.
 * @param hasLeases whether several nodes may lease some of it.
 */
export const moneyFaults = async (ask: Ask, hasLeases: boolean): Promise<string[]> => {
  const found = new FoundFaults();
  const pages = async function* <Row>(query: string) {
    yield (await ask(query)) as readonly Row[];
  };
  await checkMoney({ pages }, hasLeases, found, found);
  return found.all().map((fault) => JSON.stringify(fault));
};
