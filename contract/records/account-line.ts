import type { LogPhrase } from "../values/log-phrase";

/** A line of the log about an account rather than a request: a top-up, an administrator's change, a gift. */
export interface AccountLine {
  /** Unix seconds. */
  createdAt: number;
  /** 0 for the user that is being created. */
  userId: number;
  username: string;
  /** A type of log lines (values/statuses.ts). */
  type: number;
  phrase: LogPhrase;
}
