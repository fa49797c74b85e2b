import { useState } from "react";
import { useFixedAddress } from "./fixed-address";
import { isWrittenTime, type WrittenSpan } from "./written-span";

/** The filters of a list during editing. */
export interface FilterDraft<Filter> {
  draft: Filter;
  /** Changes typed filters, which apply on submit. */
  set: (change: Partial<Filter>) => void;
  /** Changes a chosen filter, which applies immediately. */
  choose: (change: Partial<Filter>) => void;
  /** @returns whether the typed filters apply now. */
  submit: () => boolean;
  /** Removes all filters. */
  clear: () => void;
  /** Whether submitted filters were invalid. */
  isChecked: boolean;
  /** Whether a submitted time is invalid. */
  isUnfit: (time: string | undefined) => boolean;
}

/** Whether a list is filtered, beyond filters fixed by a surrounding page. @param none the state without filters. */
export const useIsFiltered = <Filter extends object>(filter: Filter, none: Filter): boolean => {
  const fixed = useFixedAddress() ?? {};
  return (Object.keys(none) as (keyof Filter & string)[]).some(
    (name) => !(name in fixed) && filter[name] !== undefined,
  );
};

/** The filters in a list's state, without its page and order. */
const pickFilter = <Filter extends object>(state: Filter, none: Filter): Filter =>
  Object.fromEntries(Object.keys(none).map((name) => [name, state[name as keyof Filter]])) as Filter;

/**
 * @param state the current state of the list, including its filters.
 * @param none the state without filters.
 * @param onFilter receives the next filters; never an invalid time, nor filters that `fits` rejects.
 * @param fits checks the filters other than the times.
 */
export const useFilterDraft = <Filter extends WrittenSpan>(
  state: Filter,
  none: Filter,
  onFilter: (next: Filter) => void,
  fits: (next: Filter) => boolean = () => true,
): FilterDraft<Filter> => {
  const filter = pickFilter(state, none);
  const [draft, setDraft] = useState(filter);
  // A filter set elsewhere, by the browser's back button or a link, replaces the typed one.
  const held = JSON.stringify(filter);
  const [seen, setSeen] = useState(held);
  if (seen !== held) {
    setSeen(held);
    setDraft(filter);
  }
  const [isChecked, setChecked] = useState(false);
  const hold = (next: Filter) => {
    setDraft(next);
    const isFit = isWrittenTime(next.from) && isWrittenTime(next.to) && fits(next);
    setChecked(!isFit);
    if (isFit) onFilter(next);
    return isFit;
  };
  return {
    draft,
    set: (change) => setDraft((now) => ({ ...now, ...change })),
    choose: (change) => void hold({ ...draft, ...change }),
    submit: () => hold(draft),
    clear: () => void hold(none),
    isChecked,
    isUnfit: (time) => isChecked && !isWrittenTime(time),
  };
};
