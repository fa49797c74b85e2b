import { toUnixSeconds } from "@tollgate/contract/values/time";
import { formatTime } from "../../lib/format";

/** An ISO date as the console writes times. */
export const formatIsoTime = (iso: string): string => formatTime(toUnixSeconds(Date.parse(iso)));
