import { type BodyRepository, bodyRepository } from "./bodies/bodies.repository";
import { bodyFilePath, openBodyFile } from "./bodies/body-file";
import { checkMasterKey } from "./check-master-key";
import { openConnection, openSqlite, type SqliteDatabase } from "./dialects/sqlite";
import { logFileWrites } from "./log/log.repository";
import { logFilePath, openLogFile, openLogReader } from "./log/log-file";
import { logLineReads } from "./log/log-lines";
import { receiptReads } from "./log/receipts";
import { usageReads } from "./log/usage";
import { MIGRATIONS, migrate } from "./migrations/migrate";
import { checkMainFile, openFile } from "./open-file";
import { auditReads, auditWrites } from "./repositories/audit.repository";
import { channelReads, channelWrites } from "./repositories/channels.repository";
import { chargeWrites } from "./repositories/charges.repository";
import { optionReads, optionWrites } from "./repositories/options.repository";
import { outboxWrites } from "./repositories/outbox.repository";
import { redemptionReads, redemptionWrites } from "./repositories/redemptions.repository";
import { sessionReads, sessionWrites } from "./repositories/sessions.repository";
import { tokenReads, tokenWrites } from "./repositories/tokens.repository";
import { userReads, userWrites } from "./repositories/users.repository";
import { verificationWrites } from "./repositories/verifications.repository";
import { createSealer, createSecrets, type Secrets } from "./secrets";

const reads = ({ db }: SqliteDatabase, secrets: Secrets) => ({
  users: userReads(db, secrets),
  sessions: sessionReads(db),
  tokens: tokenReads(db, secrets),
  channels: channelReads(db, secrets),
  options: optionReads(db, secrets),
  redemptions: redemptionReads(db, secrets),
  audit: auditReads(db),
});

const writes = ({ db, connection }: SqliteDatabase, secrets: Secrets) => ({
  users: userWrites(db, secrets),
  sessions: sessionWrites(db),
  tokens: tokenWrites(db, secrets),
  channels: channelWrites(db, secrets),
  options: optionWrites(db, secrets),
  redemptions: redemptionWrites(db, secrets),
  verifications: verificationWrites(db, secrets),
  audit: auditWrites(db),
  charges: chargeWrites(connection),
  outbox: outboxWrites(connection),
});

export type Writes = ReturnType<typeof writes>;
export type Reads = ReturnType<typeof reads> & {
  logs: ReturnType<typeof logLineReads>;
  usage: ReturnType<typeof usageReads>;
  receipts: ReturnType<typeof receiptReads>;
};
/** The log file's writing side. */
export type LogWrites = { log: ReturnType<typeof logFileWrites> };

export interface OpenStorage<Repositories> {
  repositories: Repositories;
  close(): void;
}

/** Opens the main file for writing and brings it to the newest schema. There may be one writer only. */
export const openWriter = (path: string, masterKey: Uint8Array): OpenStorage<Writes> => {
  checkMainFile(path);
  const secrets = createSecrets(masterKey);
  const database = openFile(path, () => {
    const opened = openSqlite(path, false);
    migrate(opened.connection, MIGRATIONS, secrets);
    checkMasterKey(opened.connection, secrets);
    return opened;
  });
  return {
    repositories: writes(database, secrets),
    close: () => database.connection.close(),
  };
};

/** Each row of the outbox is read once, and a cache would keep it for nobody. */
const OUTBOX_CACHE_MB = 1;

/** Opens the log file beside a main file for writing. The main file must have been opened by its writer before. */
export const openLogWriter = (path: string): OpenStorage<LogWrites> => {
  const log = openFile(logFilePath(path), () => openLogFile(logFilePath(path)));
  const main = openConnection(path, true, OUTBOX_CACHE_MB);
  return {
    repositories: { log: logFileWrites(log, main) },
    close() {
      main.close();
      log.close();
    },
  };
};

/** Opens the file of stored bodies beside a main file, and makes it where there is none. */
export const openBodies = (path: string, masterKey: Uint8Array): OpenStorage<{ bodies: BodyRepository }> => {
  const connection = openBodyFile(bodyFilePath(path));
  return {
    repositories: { bodies: bodyRepository(connection, createSealer(masterKey, "tollgate bodies")) },
    close: () => connection.close(),
  };
};

/** Opens both files for queries, beside their writers. */
export const openReader = (path: string, masterKey: Uint8Array): OpenStorage<Reads> => {
  const database = openSqlite(path, true);
  const log = openLogReader(logFilePath(path));
  return {
    repositories: {
      ...reads(database, createSecrets(masterKey)),
      logs: logLineReads(log),
      usage: usageReads(log, database.connection),
      receipts: receiptReads(log),
    },
    close() {
      log.close();
      database.connection.close();
    },
  };
};
