import { MAX_QUOTA } from "@tollgate/contract/values/quota";

/**
 * A sum as it is read: at most, and at least, what a number holds exactly. Each amount is exact, what many of them add up to need not
 * be, and a page or a report is not to fail over that.
 * @param term of SQL; nothing of it is quoted.
 */
export const wholeSum = (term: string): string =>
  `CASE WHEN sum(${term}) > ${MAX_QUOTA} THEN ${MAX_QUOTA} WHEN sum(${term}) < -${MAX_QUOTA} THEN -${MAX_QUOTA} ELSE sum(${term}) END`;
