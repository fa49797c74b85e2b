import type { Channel } from "@tollgate/contract/api/channels";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/column";

export interface Selection {
  chosen: ReadonlySet<number>;
  choose: (ids: readonly number[], isChosen: boolean) => void;
  clear: () => void;
}

/** The selected rows, until the page is left. */
export const useSelection = (): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return {
    chosen,
    choose: (ids, isChosen) =>
      setChosen((before) => {
        const after = new Set(before);
        for (const id of ids) {
          if (isChosen) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    clear: () => setChosen(new Set()),
  };
};

const BOX = "block size-4 accent-accent";
/** Around a box: a finger reaches it too. */
const BOX_LABEL = "touch me-2.5 inline-block shrink-0 align-[-3px]";

/** The same column with checkboxes before its content: one per row, and one in the header for all rows of the page. */
export const useBoxes = (
  { chosen, choose }: Selection,
  rows: readonly Channel[] | undefined,
): ((column: Column<Channel>) => Column<Channel>) => {
  const { t } = useTranslation();
  const ids = (rows ?? []).map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  return (column) => ({
    ...column,
    headMark: (
      <label className={BOX_LABEL}>
        <input
          type="checkbox"
          aria-label={t("channel.choose.all")}
          checked={count > 0 && count === ids.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < ids.length;
          }}
          onChange={({ target }) => choose(ids, target.checked)}
          className={BOX}
        />
      </label>
    ),
    cell: (channel) => (
      <span className="flex items-center">
        <label className={BOX_LABEL}>
          <input
            type="checkbox"
            aria-label={t("channel.choose.one", { name: channel.name || channel.id })}
            checked={chosen.has(channel.id)}
            onChange={({ target }) => choose([channel.id], target.checked)}
            className={BOX}
          />
        </label>
        <span className="min-w-0">{column.cell(channel)}</span>
      </span>
    ),
  });
};
