import { MAX_QUOTA } from "@tollgate/contract/values/quota";

/**
 * A sum, limited to the exact range of numbers. Each amount is exact, their sum need not be, and a page or a report
 * must not fail over that.
 * @param term of SQL; nothing of it is quoted.
 */
export const wholeSum = (term: string): string =>
  `CASE WHEN sum(${term}) > ${MAX_QUOTA} THEN ${MAX_QUOTA} WHEN sum(${term}) < -${MAX_QUOTA} THEN -${MAX_QUOTA} ELSE sum(${term}) END`;
