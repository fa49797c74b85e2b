import { useState } from "react";
import { type ListSearch, readListSearch } from "./list-search";
import { looksSecret } from "./looks-secret";
import { useAddress } from "./use-address";

/**
 * A list's state and its setter. It is in the address, except for a keyword that may be a key: addresses stay in the
 * browser's history, and are copied and shown to others. Such a keyword is lost when the page is left.
 */
export const useListSearch = (): [ListSearch, (change: ListSearch) => void] => {
  const [search, change] = useAddress(readListSearch);
  const [secret, setSecret] = useState<string>();
  return [
    { ...search, q: search.q ?? secret },
    (next) => {
      if (!("q" in next)) {
        change(next);
        return;
      }
      const isSecret = next.q !== undefined && looksSecret(next.q);
      setSecret(isSecret ? next.q : undefined);
      change(isSecret ? { ...next, q: undefined } : next);
    },
  ];
};
