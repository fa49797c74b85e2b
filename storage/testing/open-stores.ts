import { type Charge, encodeCharges } from "../accounts/charges";
import {
  type LogWrites,
  type OpenStorage,
  openLogWriter,
  openReader,
  openWriter,
  type Reads,
  type Writes,
} from "../open-sqlite";
import { MASTER_KEY } from "./sample-records";

/** The stores of one data folder, opened in this thread. */
export interface OpenStores {
  writer: OpenStorage<Writes>;
  log: OpenStorage<LogWrites>;
  reader: OpenStorage<Reads>;
  /** Charges into the accounts, and their lines into the log. */
  commit: (...charges: Charge[]) => void;
  close: () => void;
}

/** @param path of the accounts' file; it is created if missing. */
export const openStores = async (path: string): Promise<OpenStores> => {
  const writer = await openWriter(path, MASTER_KEY);
  const log = await openLogWriter(path);
  const reader = openReader(path, MASTER_KEY);
  return {
    writer,
    log,
    reader,
    commit: (...charges) => {
      writer.repositories.charges.commit(...encodeCharges(charges));
      log.repositories.log.ingest();
    },
    close: () => {
      reader.close();
      log.close();
      writer.close();
    },
  };
};
