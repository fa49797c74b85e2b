import { useState } from "react";
import { isWrittenTime, type WrittenSpan } from "./written-span";

/** The filters of a list while they are chosen and typed. */
export interface FilterDraft<Filter> {
  draft: Filter;
  /** Changes what is typed: it holds when it is submitted. */
  set: (change: Partial<Filter>) => void;
  /** Changes what is chosen: it holds at once. */
  choose: (change: Partial<Filter>) => void;
  submit: () => void;
  /** Takes every filter back. */
  clear: () => void;
  /** Whether a time that was submitted is none. */
  isUnfit: (time: string | undefined) => boolean;
}

/**
 * @param filter what holds now.
 * @param none what holds without any filter.
 * @param onFilter is told what holds next; never of a span with an unfit time.
 */
export const useFilterDraft = <Filter extends WrittenSpan>(
  filter: Filter,
  none: Filter,
  onFilter: (next: Filter) => void,
): FilterDraft<Filter> => {
  const [draft, setDraft] = useState(filter);
  const [isChecked, setChecked] = useState(false);
  const hold = (next: Filter) => {
    setDraft(next);
    const isFit = isWrittenTime(next.from) && isWrittenTime(next.to);
    setChecked(!isFit);
    if (isFit) onFilter(next);
  };
  return {
    draft,
    set: (change) => setDraft((now) => ({ ...now, ...change })),
    choose: (change) => hold({ ...draft, ...change }),
    submit: () => hold(draft),
    clear: () => hold(none),
    isUnfit: (time) => isChecked && !isWrittenTime(time),
  };
};
