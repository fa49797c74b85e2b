import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "./format";

/** The time range of a list, as typed and as in the address. */
export interface WrittenSpan {
  from?: string;
  to?: string;
}

const SECONDS_A_DAY = 86_400;

const seconds = (written: string | undefined): number => {
  const date = parseDate(written ?? "");
  return date ? toUnixSeconds(date.getTime()) : 0;
};

/** Whether the text is a time, or empty for no limit. */
export const isWrittenTime = (text = ""): boolean => text.trim() === "" || parseDate(text) !== undefined;

/** The query parameters of the range in Unix seconds; 0 is no limit. An end without a time includes the whole day. */
export const spanParameters = ({ from, to }: WrittenSpan) => {
  const end = seconds(to);
  return {
    start_timestamp: seconds(from),
    end_timestamp: end > 0 && !/:/.test(to ?? "") ? end + SECONDS_A_DAY - 1 : end,
  };
};
