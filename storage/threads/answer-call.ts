import { ChargesRefused, DatabaseRefused, DataRefused, StorageConflict } from "../errors";
import type { Call, Reply } from "./worker-messages";

type Method = (...parameters: unknown[]) => unknown;

export type Groups = Record<string, Record<string, Method>>;

/** Runs a call. @returns its answer, or the failure: an error thrown in a thread loses its class on the way. */
export const answerCall = async (groups: Groups, { id, group, method, parameters }: Call): Promise<Reply> => {
  try {
    const run = groups[group]?.[method];
    if (!run) throw new Error(`storage has no ${group}.${method}`);
    return { id, value: await run(...parameters) };
  } catch (error) {
    if (error instanceof StorageConflict) return { id, conflict: error.kind };
    if (error instanceof DataRefused) return { id, fault: error.fault };
    if (error instanceof DatabaseRefused) return { id, refusal: error.fault };
    if (error instanceof ChargesRefused) return { id, refused: error.message };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
};
