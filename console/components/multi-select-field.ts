import type { ControlProps } from "./field";

export interface MultiSelectProps {
  label: string;
  values: string[];
  /** What may be chosen; chosen values that are not among them are kept. */
  options: readonly string[];
  onChange: (values: string[]) => void;
  control: ControlProps;
  placeholder?: string;
  /** What is typed may be chosen as well, though nobody offers it. */
  allowsOthers?: boolean;
}

/** What the field looks like, before its list has come and after. */
export const MULTI_SELECT = {
  field: "control flex h-auto max-h-60 min-h-control cursor-text flex-wrap gap-1 overflow-y-auto px-1.5 py-1",
  chip: "flex h-6 max-w-full items-center rounded-sm bg-sunken ps-2 text-sm outline-none data-highlighted:bg-accent-soft focus-within:bg-accent-soft",
  remove: "grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink",
  input: "h-6 min-w-24 flex-1 bg-transparent px-1 outline-none",
};

/** What was typed, where it is a choice that nothing else offers. */
export const findOther = (
  text: string,
  { options, values, allowsOthers = false }: MultiSelectProps,
): string | undefined => {
  const typed = text.trim();
  const isOther = typed !== "" && !typed.includes(",") && !options.includes(typed) && !values.includes(typed);
  return allowsOthers && isOther ? typed : undefined;
};
