import type { OnThread } from "../../consistency";
import type { Secrets } from "../../secrets";
import { type Connection, openConnection } from "../../sqlite/connection";
import { migrate } from "../../sqlite/migrate";
import { queryBuilder } from "../../sqlite/query-builder";
import type { AccountChanges, AccountQueries } from "../ports";
import { auditReads, auditWrites } from "./audit.repository";
import { channelReads, channelWrites } from "./channels.repository";
import { chargeWrites } from "./charges.repository";
import { checkMasterKey } from "./check-master-key";
import { ACCOUNTS_MIGRATIONS } from "./migrations/migrations";
import { optionReads, optionWrites } from "./options.repository";
import { outboxWrites } from "./outbox.repository";
import { redemptionReads, redemptionWrites } from "./redemptions.repository";
import { sessionReads, sessionWrites } from "./sessions.repository";
import type { Tables } from "./tables";
import { tokenReads, tokenWrites } from "./tokens.repository";
import { userReads, userWrites } from "./users.repository";
import { verificationWrites } from "./verifications.repository";

/** Opens the main file for writing and brings it to the newest schema. There may be one writer only. */
export const openAccountsFile = async (path: string, secrets: Secrets): Promise<Connection> => {
  const connection = openConnection(path, false);
  await migrate(connection, ACCOUNTS_MIGRATIONS);
  checkMasterKey(connection, secrets);
  return connection;
};

/** Queries over a connection that only reads. */
export const accountQueries = (connection: Connection, secrets: Secrets) => {
  const db = queryBuilder<Tables>(connection);
  return {
    users: userReads(db, secrets),
    sessions: sessionReads(db),
    tokens: tokenReads(db, secrets),
    channels: channelReads(db, secrets),
    options: optionReads(db, secrets),
    redemptions: redemptionReads(db, secrets),
    audit: auditReads(db),
  } satisfies OnThread<AccountQueries>;
};

/** Changes over the only connection that writes, with what the journal and the outbox need. */
export const accountChanges = (connection: Connection, secrets: Secrets) => {
  const db = queryBuilder<Tables>(connection);
  return {
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
  } satisfies OnThread<AccountChanges> & Record<"charges" | "outbox", object>;
};
