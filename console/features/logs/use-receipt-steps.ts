import type { Log } from "@tollgate/contract/api/logs";
import { useListRows } from "../../lib/use-list-rows";

/** Steps to the receipts of the neighbouring lines; undefined at the ends of the shown page. */
export interface ReceiptSteps {
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/** Steps through the receipts of a list's lines. */
export const useReceiptSteps = (
  rows: readonly Log[] = [],
  receipt: string | undefined,
  show: (requestId: string) => void,
): ReceiptSteps => {
  const ids = [...new Set(rows.map(({ requestId }) => requestId).filter((id) => id !== ""))];
  useListRows("receipts", ids);
  const at = ids.indexOf(receipt ?? "");
  if (at === -1) return {};
  const step = (id: string | undefined) => (id === undefined ? undefined : () => show(id));
  return { onPrevious: at > 0 ? step(ids[at - 1]) : undefined, onNext: step(ids[at + 1]) };
};
