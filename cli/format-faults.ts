import { formatDataFault } from "@tollgate/server/locales/format-data-fault";
import type { DataFault } from "@tollgate/storage/errors";
import type { ExitCode } from "./command";
import type { Output } from "./output";

/** Ends a command that found faults in its copy. @param result further fields of the JSON output. */
export const formatFaults = (output: Output, faults: readonly DataFault[], result: object): ExitCode => {
  const sentences = faults.map(formatDataFault);
  for (const sentence of sentences) output.print(`FAULT ${sentence}`);
  if (faults.length > 0) {
    const were = faults.length === 1 ? "1 fault, which was" : `${faults.length} faults, which were`;
    output.print(`${were} there before: run tollgate doctor.`);
  }
  output.result({ ...result, faults: sentences });
  return faults.length === 0 ? 0 : 1;
};
