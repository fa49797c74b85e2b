import { type DatabaseFault, DatabaseRefused, type DataFault, DataRefused } from "@tollgate/storage/errors";
import texts from "./data-faults.json";
import { fillText } from "./fill-text";

/** Terminal and log are read by the operator, and speak English like everything else there. */
const TEXTS: Readonly<Record<(DataFault | DatabaseFault)["code"], string>> = texts;

/** Describes a fault in the data, for the terminal and the log. */
export const formatDataFault = ({ code, ...values }: DataFault | DatabaseFault): string =>
  fillText(TEXTS[code], { ...values });

/** Describes an error, for the terminal and the log. */
export const formatError = (error: unknown): string => {
  if (error instanceof DataRefused || error instanceof DatabaseRefused) return formatDataFault(error.fault);
  return error instanceof Error ? error.message : String(error);
};

/**
 * Describes an unexpected error with its stack, for the log. Its fields are omitted, because a database's error may
 * contain the row, with hashes of passwords.
 */
export const traceError = (error: unknown): string => {
  const isKnown = error instanceof DataRefused || error instanceof DatabaseRefused;
  return !isKnown && error instanceof Error ? (error.stack ?? error.message) : formatError(error);
};
