import { useLocation } from "@tanstack/react-router";
import { OPTION_KEYS } from "@tollgate/contract/options/options";
import { useEffect } from "react";
import { optionId } from "./find-options";

const FIELDS = "input:not([type=hidden]), textarea, button, [role=switch], [role=combobox]";

/** Brings the setting that the address names into view, with the focus in its field, once it is there. */
export const useLocatedOption = (option: string | undefined): void => {
  // A link to it that is followed again leads there again.
  const { state } = useLocation();
  const key = OPTION_KEYS.find((each) => each === option);
  // The outside system is the page's scroll and focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes with each visit of the address.
  useEffect(() => {
    if (key === undefined) return;
    const element = document.getElementById(optionId(key));
    element?.scrollIntoView({ block: "center" });
    element?.querySelector<HTMLElement>(FIELDS)?.focus({ preventScroll: true });
  }, [key, state]);
};
