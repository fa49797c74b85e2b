import type { Users } from "@tollgate/accounts/users";
import type { LedgerFilter } from "@tollgate/contract/api/ledger";
import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { readMaybeChoice } from "../read-choice";
import { readInteger } from "../route";

type Query = Readonly<Record<string, string | undefined>>;

/** 0 means no limit, as in the log. */
const readTime = (text: string | undefined): number | undefined => {
  const seconds = readInteger(text);
  return seconds === 0 ? undefined : seconds;
};

const readMaybeId = (text = ""): number | undefined => (text === "" ? undefined : readInteger(text));

/** The filter of users for their own entries. @throws Failure for an unknown word. */
export const readOwnLedgerFilter = (query: Query, userId: number): LedgerFilter => ({
  userId,
  account: readMaybeChoice(LEDGER_ACCOUNTS, query.account),
  cause: readMaybeChoice(LEDGER_CAUSES, query.cause),
  keyId: readMaybeId(query.token_id),
  orderNumber: query.order === "" ? undefined : query.order,
  from: readTime(query.start_timestamp),
  to: readTime(query.end_timestamp),
});

/** No record has this id. */
const NOBODY = 0;

/** The filter of administrators. @throws Failure for an unknown word. */
export const readLedgerFilter = (query: Query, users: Users): LedgerFilter => {
  const { username = "" } = query;
  const named = username === "" ? undefined : (users.findByName(username)?.id ?? NOBODY);
  return { ...readOwnLedgerFilter(query, NOBODY), userId: readMaybeId(query.user_id) ?? named };
};
