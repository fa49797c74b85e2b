import type { Token } from "@tollgate/contract/api/tokens";
import { toUnixSeconds } from "@tollgate/contract/values/time";

/** Whether programs may still use the key's previous secret. Servers keep reporting its expiry after that time. */
export const isFormerInUse = ({ formerUntil = 0 }: Pick<Token, "formerUntil">): boolean =>
  formerUntil > toUnixSeconds(Date.now());
