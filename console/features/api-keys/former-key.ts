import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { toUnixSeconds } from "@tollgate/contract/values/time";

/** Whether programs may still use the key's previous secret. Servers keep reporting its expiry after that time. */
export const isFormerInUse = ({ formerUntil = 0 }: Pick<ApiKey, "formerUntil">): boolean =>
  formerUntil > toUnixSeconds(Date.now());
