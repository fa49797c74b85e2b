import type { Log } from "@tollgate/contract/api/logs";
import { useListRows } from "../../lib/use-list-rows";

/** Ways from the receipt that is shown to those of the lines around it; undefined at the ends of the shown page. */
export interface ReceiptSteps {
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/** The steps through the receipts of the lines that a list shows. */
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
