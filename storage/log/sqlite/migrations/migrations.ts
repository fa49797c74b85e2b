import type { Migrations } from "../../../sqlite/migrate";
import { initial } from "./0001-initial";
import { keyNames } from "./0002-key-names";
import { costs } from "./0003-costs";
import { pricedTokens } from "./0004-priced-tokens";
import { modelHealth } from "./0005-model-health";
import { failures } from "./0006-failures";

/** Those of the log file, in order; a released one is never edited. */
export const LOG_MIGRATIONS: Migrations = {
  "0001-initial": initial,
  "0002-key-names": keyNames,
  "0003-costs": costs,
  "0004-priced-tokens": pricedTokens,
  "0005-model-health": modelHealth,
  "0006-failures": failures,
};
