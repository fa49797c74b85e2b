import { type DatabaseFault, DatabaseRefused, type DataFault, DataRefused } from "@tollgate/storage/errors";
import texts from "./data-faults.json";
import { fillText } from "./fill-text";

/** Terminal and log are read by the operator, and speak English like everything else there. */
const TEXTS: Readonly<Record<(DataFault | DatabaseFault)["code"], string>> = texts;

/** What is wrong with the data, for the terminal and the log. */
export const formatDataFault = ({ code, ...values }: DataFault | DatabaseFault): string =>
  fillText(TEXTS[code], { ...values });

/** What the terminal and the log say of an error. */
export const formatError = (error: unknown): string => {
  if (error instanceof DataRefused || error instanceof DatabaseRefused) return formatDataFault(error.fault);
  return error instanceof Error ? error.message : String(error);
};

/**
 * What the log says of an unforeseen error: the way that led to it as well. Its fields are left out, for a database's may
 * hold the row that it is about, with hashes of passwords.
 */
export const traceError = (error: unknown): string => {
  const isSaid = error instanceof DataRefused || error instanceof DatabaseRefused;
  return !isSaid && error instanceof Error ? (error.stack ?? error.message) : formatError(error);
};
