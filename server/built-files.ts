import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Paths of the built parts that are not imported. */
export interface BuiltFiles {
  storageWorker: string;
  postgresLogWorker: string;
  bookingsWorker: string;
  tokenCounterWorker: string;
  rehearsalWorker: string;
  statementWorker: string;
  /** The font of printed statements, for Chinese and Latin texts. */
  statementFont: string;
  /** The command. */
  tollgate: string;
  /** Folder of the built console. */
  console: string;
}

// The bundle of this file always lies beside the threads' scripts.
const here = dirname(fileURLToPath(import.meta.url));

export const builtFiles: BuiltFiles = {
  storageWorker: join(here, "storage-worker.js"),
  postgresLogWorker: join(here, "postgres-log-worker.js"),
  bookingsWorker: join(here, "bookings-worker.js"),
  tokenCounterWorker: join(here, "token-counter-worker.js"),
  rehearsalWorker: join(here, "rehearsal-worker.js"),
  statementWorker: join(here, "statement-worker.js"),
  statementFont: join(here, "noto-sans-sc.woff"),
  tollgate: join(here, "tollgate.js"),
  console: join(here, "..", "console"),
};

/** The script that is the gateway. */
export const builtMain = join(here, "main.js");
