import { useTranslation } from "react-i18next";
import { useReadOnly } from "../lib/read-only";
import type { Selection } from "../lib/use-selection";
import type { Column } from "./column";

const BOX = "block size-4 accent-accent";
/** Around a box: a finger reaches it too. */
const BOX_LABEL = "touch me-2.5 inline-block shrink-0 align-[-3px]";

/**
 * The same column with checkboxes before its content: one per row, and one in the header for all rows of the page.
 * @param nameOf the row's name, for screen readers.
 */
export const useBoxes = <Row extends { id: number }>(
  { chosen, choose }: Selection,
  rows: readonly Row[] | undefined,
  nameOf: (row: Row) => string,
): ((column: Column<Row>) => Column<Row>) => {
  const { t } = useTranslation();
  const ids = (rows ?? []).map(({ id }) => id);
  const isReadOnly = useReadOnly();
  const count = ids.filter((id) => chosen.has(id)).length;
  // Rows are chosen to be changed.
  if (isReadOnly) return (column) => column;
  return (column) => ({
    ...column,
    headMark: (
      <label className={BOX_LABEL}>
        <input
          type="checkbox"
          aria-label={t("table.chooseAll")}
          checked={count > 0 && count === ids.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < ids.length;
          }}
          onChange={({ target }) => choose(ids, target.checked)}
          className={BOX}
        />
      </label>
    ),
    cell: (row) => (
      <span className="flex items-center">
        <label className={BOX_LABEL}>
          <input
            type="checkbox"
            aria-label={t("table.chooseOne", { name: nameOf(row) || row.id })}
            checked={chosen.has(row.id)}
            onChange={({ target }) => choose([row.id], target.checked)}
            className={BOX}
          />
        </label>
        <span className="min-w-0">{column.cell(row)}</span>
      </span>
    ),
  });
};
