import { useState } from "react";

let newest = 0;

const newKeys = (count: number): readonly number[] => Array.from({ length: count }, () => ++newest);

/** The keys of a list's rows, and what is done with them where the same is done with the rows. */
export interface RowKeys {
  keys: readonly number[];
  add: () => void;
  remove: (index: number) => void;
  /** Changes two places. */
  swap: (index: number, other: number) => void;
}

/**
 * Keys for rows that have no name of their own: each stays with its row, so that what a row's fields keep goes with it when another is
 * removed or moved. A place in the list is no key: the fields of a removed row would show in the next one.
 * @param count of the rows. Where it changes otherwise than by what is returned, all rows are new ones.
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
