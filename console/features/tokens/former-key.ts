import type { Token } from "@tollgate/contract/api/tokens";
import { toUnixSeconds } from "@tollgate/contract/values/time";

/** Whether programs may still use the secret that a key had before. A server keeps what it says of it beyond that time. */
export const isFormerInUse = ({ formerUntil = 0 }: Pick<Token, "formerUntil">): boolean =>
  formerUntil > toUnixSeconds(Date.now());
