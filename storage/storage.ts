import { openSqlite, type SqliteDatabase } from "./dialects/sqlite";
import { migrate } from "./migrations/migrate";
import { auditReads, auditWrites } from "./repositories/audit.repository";
import { channelReads, channelWrites } from "./repositories/channels.repository";
import { chargeWrites } from "./repositories/charges.repository";
import { logReads, logWrites } from "./repositories/logs.repository";
import { optionReads, optionWrites } from "./repositories/options.repository";
import { redemptionReads, redemptionWrites } from "./repositories/redemptions.repository";
import { sessionReads, sessionWrites } from "./repositories/sessions.repository";
import { tokenReads, tokenWrites } from "./repositories/tokens.repository";
import { userReads, userWrites } from "./repositories/users.repository";
import { verificationWrites } from "./repositories/verifications.repository";
import { createSecrets, type Secrets } from "./secrets";

const reads = ({ db }: SqliteDatabase, secrets: Secrets) => ({
  users: userReads(db, secrets),
  sessions: sessionReads(db),
  tokens: tokenReads(db, secrets),
  channels: channelReads(db, secrets),
  options: optionReads(db, secrets),
  logs: logReads(db),
  redemptions: redemptionReads(db, secrets),
  audit: auditReads(db),
});

const writes = ({ db, connection }: SqliteDatabase, secrets: Secrets) => ({
  users: userWrites(db, secrets),
  sessions: sessionWrites(db),
  tokens: tokenWrites(db, secrets),
  channels: channelWrites(db, secrets),
  options: optionWrites(db, secrets),
  logs: logWrites(db),
  redemptions: redemptionWrites(db, secrets),
  verifications: verificationWrites(db, secrets),
  audit: auditWrites(db),
  charges: chargeWrites(connection),
});

export type Reads = ReturnType<typeof reads>;
export type Writes = ReturnType<typeof writes>;

export interface OpenStorage<Repositories> {
  repositories: Repositories;
  close(): void;
}

/** Opens the database for writing and brings it to the newest schema. There may be one writer only. */
export const openWriter = (path: string, masterKey: Uint8Array): OpenStorage<Writes> => {
  const database = openSqlite(path, false);
  migrate(database.connection);
  return {
    repositories: writes(database, createSecrets(masterKey)),
    close: () => database.connection.close(),
  };
};

/** Opens the database for queries, beside the writer. */
export const openReader = (path: string, masterKey: Uint8Array): OpenStorage<Reads> => {
  const database = openSqlite(path, true);
  return {
    repositories: reads(database, createSecrets(masterKey)),
    close: () => database.connection.close(),
  };
};
