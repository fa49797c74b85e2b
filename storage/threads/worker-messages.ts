import type { ConflictKind, DatabaseFault, DataFault } from "../errors";

export interface WorkerSettings {
  /** "bodies" reads and writes the file of stored bodies. */
  access: "read" | "write" | "bodies";
  /** The main file. */
  path: string;
  masterKey: Uint8Array;
}

export interface Call {
  id: number;
  group: string;
  method: string;
  parameters: unknown[];
}

export interface Reply {
  id: number;
  value?: unknown;
  conflict?: ConflictKind;
  /** The data fault that caused the failure, if any. */
  fault?: DataFault;
  /** Why the database cannot be worked with, where that is why it failed. */
  refusal?: DatabaseFault;
  /** Why charges will never be stored, where that is why it failed. */
  refused?: string;
  failure?: string;
  /** From the writer of the main file: the newest outbox row, when there is one. */
  batch?: number;
}
