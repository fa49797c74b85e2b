import { useState } from "react";

export interface Selection {
  chosen: ReadonlySet<number>;
  choose: (ids: readonly number[], isChosen: boolean) => void;
  /** Selects these rows alone. */
  only: (ids: readonly number[]) => void;
  clear: () => void;
}

/** The selected rows of a list, until the page is left. */
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
    only: (ids) => setChosen(new Set(ids)),
    clear: () => setChosen(new Set()),
  };
};
