import type { ControlProps } from "./field";

export interface MultiSelectProps {
  label: string;
  values: string[];
  /** The choices; chosen values outside them are kept. */
  options: readonly string[];
  onChange: (values: string[]) => void;
  control: ControlProps;
  placeholder?: string;
  /** Accepts typed values outside the options. */
  allowsOthers?: boolean;
}

/** Styles of the field, before and after its list has loaded. */
export const MULTI_SELECT = {
  field:
    "control flex h-auto max-h-60 min-h-control cursor-text flex-wrap gap-1 overflow-y-auto px-1.5 py-[3px]",
  chip: "flex h-control-tiny max-w-full items-center rounded-sm bg-sunken ps-2 text-sm outline-none data-highlighted:bg-accent-soft focus-within:bg-accent-soft",
  remove: "grid size-control-tiny shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink",
  input: "h-control-tiny min-w-24 flex-1 bg-transparent px-1 outline-none",
};

/** The typed text, if it is a choice outside the options. */
export const findOther = (
  text: string,
  { options, values, allowsOthers = false }: MultiSelectProps,
): string | undefined => {
  const typed = text.trim();
  const isOther = typed !== "" && !typed.includes(",") && !options.includes(typed) && !values.includes(typed);
  return allowsOthers && isOther ? typed : undefined;
};
