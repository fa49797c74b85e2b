import type { Migrations } from "../../../postgres/migrate";
import { initial } from "./0001-initial";
import { costs } from "./0002-costs";
import { pricedTokens } from "./0003-priced-tokens";
import { modelHealth } from "./0004-model-health";
import { failures } from "./0005-failures";

/** Those of the log, in order; a released one is never edited. */
export const LOG_MIGRATIONS: Migrations = {
  "0001-initial": initial,
  "0002-costs": costs,
  "0003-priced-tokens": pricedTokens,
  "0004-model-health": modelHealth,
  "0005-failures": failures,
};
