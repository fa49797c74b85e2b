import { readText } from "../../lib/address-values";
import { type ListSearch, readListSearch } from "../../lib/list-search";
import { readWrittenSpan, spanParameters, type WrittenSpan } from "../../lib/written-span";

/** The audit page's state in the address: the list's, and its filters. Times are written as shown. */
export interface AuditSearch extends Omit<ListSearch, "q">, WrittenSpan {
  action?: string;
  target?: string;
  username?: string;
  beneficiary?: string;
}

/** Reads a text. The router parses an unquoted number in the address as a number; it means its text: ?target=7. */
const text = (value: unknown): string | undefined =>
  readText(typeof value === "number" ? String(value) : value);

/** Reads the page's state from the address; invalid values are left out. */
export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => {
  const { page, size, sort } = readListSearch(search);
  return {
    page,
    size,
    sort,
    action: text(search.action),
    target: text(search.target),
    username: text(search.username),
    beneficiary: text(search.beneficiary),
    ...readWrittenSpan(search),
  };
};

/** The state without filters. */
export const NO_FILTER: AuditSearch = {
  action: undefined,
  target: undefined,
  username: undefined,
  beneficiary: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
};

/** The query parameters of the list. */
export const auditQuery = (search: AuditSearch) => ({
  action: search.action ?? "",
  target: search.target ?? "",
  username: search.username ?? "",
  beneficiary: search.beneficiary ?? "",
  ...spanParameters(search),
});
