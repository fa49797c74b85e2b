import { useState } from "react";
import { useFixedAddress } from "./fixed-address";
import { isWrittenTime, type WrittenSpan } from "./written-span";

/** The filters of a list while they are chosen and typed. */
export interface FilterDraft<Filter> {
  draft: Filter;
  /** Changes what is typed: it holds when it is submitted. */
  set: (change: Partial<Filter>) => void;
  /** Changes what is chosen: it holds at once. */
  choose: (change: Partial<Filter>) => void;
  /** @returns whether what is typed holds now. */
  submit: () => boolean;
  /** Takes every filter back. */
  clear: () => void;
  /** Whether something that was submitted did not fit. */
  isChecked: boolean;
  /** Whether a time that was submitted is none. */
  isUnfit: (time: string | undefined) => boolean;
}

/** Whether a list is narrowed, beyond what is fixed where it is a part of another page. @param none what holds without any filter. */
export const useIsFiltered = <Filter extends object>(filter: Filter, none: Filter): boolean => {
  const fixed = useFixedAddress() ?? {};
  return (Object.keys(none) as (keyof Filter & string)[]).some(
    (name) => !(name in fixed) && filter[name] !== undefined,
  );
};

/** The filters of the state of a list, without its page and its order. */
const pickFilter = <Filter extends object>(state: Filter, none: Filter): Filter =>
  Object.fromEntries(Object.keys(none).map((name) => [name, state[name as keyof Filter]])) as Filter;

/**
 * @param state what holds now: of the list's state, the filters.
 * @param none what holds without any filter.
 * @param onFilter is told what holds next; never of a span with an unfit time, nor of what does not fit.
 * @param fits checks what has no span.
 */
export const useFilterDraft = <Filter extends WrittenSpan>(
  state: Filter,
  none: Filter,
  onFilter: (next: Filter) => void,
  fits: (next: Filter) => boolean = () => true,
): FilterDraft<Filter> => {
  const filter = pickFilter(state, none);
  const [draft, setDraft] = useState(filter);
  // A filter that came otherwise, by the browser's back or a link, takes the place of what is typed.
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
