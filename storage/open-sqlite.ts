import { statSync } from "node:fs";
import { accountReads, accountWrites, openAccountsFile } from "./accounts/sqlite/accounts-file";
import { channelNames } from "./accounts/sqlite/channel-names";
import { outboxReader } from "./accounts/sqlite/outbox.repository";
import { type BodyRepository, bodyRepository } from "./bodies/sqlite/bodies.repository";
import { bodyFilePath, openBodyFile } from "./bodies/sqlite/body-file";
import { createBodySealer } from "./bodies/stored-body";
import { DataRefused } from "./errors";
import { logFileWrites } from "./log/sqlite/log.repository";
import { logFilePath, logReads, openLogFile, openLogReader } from "./log/sqlite/log-file";
import { createSecrets } from "./secrets";
import { openConnection } from "./sqlite/connection";
import { openFile } from "./sqlite/open-file";

/*
 * Where the stores meet on SQLite: two files beside each other, and a third for bodies where they are kept.
 */

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * A folder without its main file would begin again, without any account, and the first visitor would set root's password.
 * @throws DataRefused where the log file says that there was one.
 */
const checkMainFile = (path: string): void => {
  if (bytesOf(path) === 0 && bytesOf(logFilePath(path)) > 0)
    throw new DataRefused({ code: "main-file-missing", path });
};

export type Writes = ReturnType<typeof accountWrites>;
export type Reads = ReturnType<typeof accountReads> & ReturnType<typeof logReads>;
/** The log file's writing side. */
export type LogWrites = { log: ReturnType<typeof logFileWrites> };

export interface OpenStorage<Repositories> {
  repositories: Repositories;
  close(): void;
}

/** Opens the main file for writing and brings it to the newest schema. There may be one writer only. */
export const openWriter = async (path: string, masterKey: Uint8Array): Promise<OpenStorage<Writes>> => {
  checkMainFile(path);
  const secrets = createSecrets(masterKey);
  const connection = await openFile(path, () => openAccountsFile(path, secrets));
  return {
    repositories: accountWrites(connection, secrets),
    close: () => connection.close(),
  };
};

/** Each row of the outbox is read once, and a cache would be of no use. */
const OUTBOX_CACHE_MB = 1;

/** Opens the log file beside a main file for writing. The main file must have been opened by its writer before. */
export const openLogWriter = async (path: string): Promise<OpenStorage<LogWrites>> => {
  const log = await openFile(logFilePath(path), () => openLogFile(logFilePath(path)));
  const main = openConnection(path, true, OUTBOX_CACHE_MB);
  return {
    repositories: { log: logFileWrites(log, outboxReader(main)) },
    close() {
      main.close();
      log.close();
    },
  };
};

/** Opens the file of stored bodies beside a main file, and creates it when it is missing. */
export const openBodies = async (
  path: string,
  masterKey: Uint8Array,
): Promise<OpenStorage<{ bodies: BodyRepository }>> => {
  const connection = await openBodyFile(bodyFilePath(path));
  return {
    repositories: { bodies: bodyRepository(connection, createBodySealer(masterKey)) },
    close: () => connection.close(),
  };
};

/** Opens both files for queries, beside their writers. */
export const openReader = (path: string, masterKey: Uint8Array): OpenStorage<Reads> => {
  const main = openConnection(path, true);
  const log = openLogReader(logFilePath(path));
  return {
    repositories: {
      ...accountReads(main, createSecrets(masterKey)),
      ...logReads(log, channelNames(main)),
    },
    close() {
      log.close();
      main.close();
    },
  };
};
