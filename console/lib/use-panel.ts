import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * For a panel over a page that stays usable: it takes the focus, Escape closes it, and the focus returns to its opener.
 * @returns the reference of the panel's element, which needs a `tabIndex` of -1.
 */
export const usePanel = <Element extends HTMLElement>(onClose: () => void): RefObject<Element | null> => {
  const panel = useRef<Element>(null);
  // A layout effect, because a later one is cleaned up when the panel and its focus are gone.
  useLayoutEffect(() => {
    const element = panel.current;
    const opener = document.activeElement;
    element?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      const isLost = focused === document.body || element?.contains(focused);
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // An open window or menu handles the key first.
      if (event.key === "Escape" && !event.defaultPrevented) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return panel;
};
