import { KEY_SETTINGS } from "@tollgate/contract/api/tokens";
import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { LIMITS } from "@tollgate/contract/management/limits";
import { withAddedColumns } from "./added-columns";
import { ACTORS } from "./migrations/0020-actors";
import { FORMER_KEYS } from "./migrations/0022-former-keys";
import { ANNOUNCEMENTS } from "./migrations/0023-announcements";
import { ACCOUNTS_SCHEMA } from "./schema/accounts-schema";

/** Migrations of the accounts on both engines. The first one is named after the last of those it replaced. */
export const ACCOUNTS_PARTS = withAddedColumns(
  {
    "0019-settled-refunds": ACCOUNTS_SCHEMA,
    "0020-actors": [ACTORS],
    "0022-former-keys": [FORMER_KEYS],
    "0023-announcements": [ANNOUNCEMENTS],
  },
  { users: LIMITS, tokens: { ...KEY_SETTINGS, ...LIMITS }, channels: CHANNEL_LIMITS },
);
