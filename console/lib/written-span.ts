import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "./format";

/** The time that a list is narrowed to, as a person writes it and the address has it. */
export interface WrittenSpan {
  from?: string;
  to?: string;
}

const SECONDS_A_DAY = 86_400;

const seconds = (written: string | undefined): number => {
  const date = parseDate(written ?? "");
  return date ? toUnixSeconds(date.getTime()) : 0;
};

/** Whether it is a time, or nothing: no limit. */
export const isWrittenTime = (text = ""): boolean => text.trim() === "" || parseDate(text) !== undefined;

/** The query parameters that narrow a list to it, in Unix seconds; 0 is no limit. A day without a time is meant to its end. */
export const spanParameters = ({ from, to }: WrittenSpan) => {
  const end = seconds(to);
  return {
    start_timestamp: seconds(from),
    end_timestamp: end > 0 && !/:/.test(to ?? "") ? end + SECONDS_A_DAY - 1 : end,
  };
};
