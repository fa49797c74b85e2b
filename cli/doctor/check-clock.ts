import type { Examination } from "@tollgate/storage/doctor/examine-data";
import type { Remark } from "./remark";

/** Tolerated difference of clocks: limits and expiries are of whole minutes. */
const TOLERANCE_SECONDS = 60;

const inWords = (seconds: number): string =>
  seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;

/** @param now this machine's clock, in unix seconds. */
export const checkClock = (
  { newestTime, databaseTime }: Pick<Examination, "newestTime" | "databaseTime">,
  now: number,
): Remark[] => {
  const remarks: Remark[] = [];
  const ahead = (newestTime ?? 0) - now;
  if (ahead > TOLERANCE_SECONDS)
    remarks.push({
      isFault: true,
      text: `the newest line of the log is ${inWords(ahead)} ahead of this machine's clock: either the clock is wrong now, or it was then. Keys expire and limits are counted by it: set it (timedatectl set-ntp true).`,
    });
  const difference = Math.abs((databaseTime ?? now) - now);
  if (difference > TOLERANCE_SECONDS)
    remarks.push({
      isFault: true,
      text: `this machine's clock and the database server's differ by ${inWords(difference)}: set both (timedatectl set-ntp true).`,
    });
  return remarks;
};
