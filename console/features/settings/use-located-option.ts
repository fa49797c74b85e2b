import { useLocation } from "@tanstack/react-router";
import { OPTION_KEYS, type OptionKey } from "@tollgate/contract/options/options";
import { useEffect } from "react";
import { openCard } from "../../components/setting-card";
import { optionId } from "./find-options";

const MISTAKES = "[aria-invalid=true], [data-invalid]";
const FIELDS = "input, textarea, button, [role=switch], [role=combobox]";

/**
 * Scrolls a setting into view, and focuses its mistake or its first field.
 * @returns whether it is on the page.
 */
export const focusOption = (key: OptionKey): boolean => {
  const element = document.getElementById(optionId(key));
  if (element) openCard(element);
  element?.scrollIntoView({ block: "center" });
  const aim = element?.querySelector<HTMLElement>(MISTAKES) ?? element?.querySelector<HTMLElement>(FIELDS);
  aim?.focus({ preventScroll: true });
  return element !== null;
};

/** Scrolls the setting in the address into view once it is rendered. */
export const useLocatedOption = (option: string | undefined): void => {
  // A new visit of the same address has another state, and scrolls again.
  const { state } = useLocation();
  const key = OPTION_KEYS.find((each) => each === option);
  // The outside system is the page's scroll and focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state stands for the visit.
  useEffect(() => {
    if (key !== undefined) focusOption(key);
  }, [key, state]);
};
