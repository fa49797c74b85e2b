import { useState } from "react";

let newest = 0;

const newKeys = (count: number): readonly number[] => Array.from({ length: count }, () => ++newest);

/** The keys of a list's rows, and the operations that keep them in step with the rows. */
export interface RowKeys {
  keys: readonly number[];
  add: () => void;
  remove: (index: number) => void;
  /** Swaps two rows. */
  swap: (index: number, other: number) => void;
}

/**
 * Keys for rows without a name: each stays with its row, so that the state of a row's fields moves with it when another
 * row is removed or moved. An index would not do: the fields of a removed row would show in the next one.
 * @param count number of rows. If it changes other than through the returned functions, all rows are new.
 */
export const useRowKeys = (count: number): RowKeys => {
  const [known, setKeys] = useState(() => newKeys(count));
  const keys = known.length === count ? known : newKeys(count);
  if (keys !== known) setKeys(keys);
  return {
    keys,
    add: () => setKeys((now) => [...now, ...newKeys(1)]),
    remove: (index) => setKeys((now) => now.filter((_, at) => at !== index)),
    swap: (index, other) =>
      setKeys((now) =>
        now.map((key, at) => (at === index ? now[other] : at === other ? now[index] : key) ?? key),
      ),
  };
};
