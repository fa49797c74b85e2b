import type { Account } from "@tollgate/metering/ledger";

/**
 * Sets a balance while it is in use: it moves by the difference to what is left now, so that charges made meanwhile stay.
 * A deduction is made in memory first and an addition last, so that memory is never above what is stored; a deduction
 * that cannot be stored is taken back. One at a time per account (OneAtATime).
 * @param wanted the new balance; undefined leaves it as it is.
 * @param store stores the difference, with whatever changes beside it.
 */
export const changeBalance = async <T>(
  account: Account,
  wanted: number | undefined,
  store: (difference: number) => Promise<T>,
): Promise<T> => {
  const difference = wanted === undefined ? 0 : wanted - account.quota;
  if (difference < 0) account.quota += difference;
  try {
    const stored = await store(difference);
    if (difference > 0) account.quota += difference;
    return stored;
  } catch (error) {
    if (difference < 0) account.quota -= difference;
    throw error;
  }
};
