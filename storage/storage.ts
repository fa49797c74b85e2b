import type { Kysely } from "kysely";
import { auditReads, auditWrites } from "./accounts/sqlite/audit.repository";
import { channelReads, channelWrites } from "./accounts/sqlite/channels.repository";
import { chargeWrites } from "./accounts/sqlite/charges.repository";
import { checkMasterKey } from "./accounts/sqlite/check-master-key";
import { ACCOUNTS_MIGRATIONS } from "./accounts/sqlite/migrations/migrations";
import { optionReads, optionWrites } from "./accounts/sqlite/options.repository";
import { outboxWrites } from "./accounts/sqlite/outbox.repository";
import { redemptionReads, redemptionWrites } from "./accounts/sqlite/redemptions.repository";
import { sessionReads, sessionWrites } from "./accounts/sqlite/sessions.repository";
import type { Tables } from "./accounts/sqlite/tables";
import { tokenReads, tokenWrites } from "./accounts/sqlite/tokens.repository";
import { userReads, userWrites } from "./accounts/sqlite/users.repository";
import { verificationWrites } from "./accounts/sqlite/verifications.repository";
import { type BodyRepository, bodyRepository } from "./bodies/sqlite/bodies.repository";
import { bodyFilePath, openBodyFile } from "./bodies/sqlite/body-file";
import { logFileWrites } from "./log/sqlite/log.repository";
import { logFilePath, openLogFile, openLogReader } from "./log/sqlite/log-file";
import { logLineReads } from "./log/sqlite/log-lines";
import { receiptReads } from "./log/sqlite/receipts";
import { usageReads } from "./log/sqlite/usage";
import { checkMainFile, openFile } from "./open-file";
import { createSealer, createSecrets, type Secrets } from "./secrets";
import { type Connection, openConnection } from "./sqlite/connection";
import { migrate } from "./sqlite/migrate";
import { queryBuilder } from "./sqlite/query-builder";

const reads = (db: Kysely<Tables>, secrets: Secrets) => ({
  users: userReads(db, secrets),
  sessions: sessionReads(db),
  tokens: tokenReads(db, secrets),
  channels: channelReads(db, secrets),
  options: optionReads(db, secrets),
  redemptions: redemptionReads(db, secrets),
  audit: auditReads(db),
});

const writes = (connection: Connection, db: Kysely<Tables>, secrets: Secrets) => ({
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
export const openWriter = async (path: string, masterKey: Uint8Array): Promise<OpenStorage<Writes>> => {
  checkMainFile(path);
  const secrets = createSecrets(masterKey);
  const connection = await openFile(path, async () => {
    const opened = openConnection(path, false);
    await migrate(opened, ACCOUNTS_MIGRATIONS);
    checkMasterKey(opened, secrets);
    return opened;
  });
  return {
    repositories: writes(connection, queryBuilder(connection), secrets),
    close: () => connection.close(),
  };
};

/** Each row of the outbox is read once, and a cache would keep it for nobody. */
const OUTBOX_CACHE_MB = 1;

/** Opens the log file beside a main file for writing. The main file must have been opened by its writer before. */
export const openLogWriter = async (path: string): Promise<OpenStorage<LogWrites>> => {
  const log = await openFile(logFilePath(path), () => openLogFile(logFilePath(path)));
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
export const openBodies = async (
  path: string,
  masterKey: Uint8Array,
): Promise<OpenStorage<{ bodies: BodyRepository }>> => {
  const connection = await openBodyFile(bodyFilePath(path));
  return {
    repositories: { bodies: bodyRepository(connection, createSealer(masterKey, "tollgate bodies")) },
    close: () => connection.close(),
  };
};

/** Opens both files for queries, beside their writers. */
export const openReader = (path: string, masterKey: Uint8Array): OpenStorage<Reads> => {
  const main = openConnection(path, true);
  const log = openLogReader(logFilePath(path));
  return {
    repositories: {
      ...reads(queryBuilder(main), createSecrets(masterKey)),
      logs: logLineReads(log),
      usage: usageReads(log, main),
      receipts: receiptReads(log),
    },
    close() {
      log.close();
      main.close();
    },
  };
};
