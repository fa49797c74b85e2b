import type { BatchDone } from "@tollgate/contract/management/batch";
import { StorageConflict } from "@tollgate/storage/errors";
import { Failure } from "./failure";

/** The refusal that an error is; undefined for a failure of the gateway. */
const toRefusal = (error: unknown): Failure | undefined => {
  if (error instanceof Failure) return error;
  // Storage applies the rule for money between people.
  const isFavour = error instanceof StorageConflict && error.kind === "favour-refused";
  return isFavour ? new Failure("favour-refused") : undefined;
};

interface BatchTools {
  /** The name of a refused record; "" for an unknown one. */
  nameOf(id: number): string;
  /** Returns the sentence of a refusal. */
  formatFailure(failure: Failure): string;
}

/**
 * Runs a check of a change that is the same for all records: its refusal names the field inside the change.
 * @throws Failure
 */
export const checkChange = (check: () => void): void => {
  try {
    check();
  } catch (error) {
    if (error instanceof Failure && error.field !== undefined) error.at(`change.${error.field}`);
    throw error;
  }
};

/**
 * Runs a step for each record, one after another. A refused record leaves the others as they are.
 * @param step throws a Failure where it refuses its record.
 * @throws any other error; the records before it stay changed, and the call may be repeated.
 */
export const runBatch = async (
  ids: readonly number[],
  { nameOf, formatFailure }: BatchTools,
  step: (id: number) => Promise<unknown>,
): Promise<BatchDone> => {
  const done: BatchDone = { done: 0, failed: [] };
  for (const id of new Set(ids)) {
    try {
      await step(id);
      done.done += 1;
    } catch (error) {
      const refusal = toRefusal(error);
      if (!refusal) throw error;
      done.failed.push({ id, name: nameOf(id), reason: formatFailure(refusal) });
    }
  }
  return done;
};
