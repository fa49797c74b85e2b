import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** The last address of each list, by its path. */
const lastSeen = new Map<string, string>();

/** Stores the address of the shown list: its page, order and search. */
export const useRememberList = (): void => {
  const { pathname, href } = useLocation();
  // An effect, because the memory outlives the page.
  useEffect(() => {
    lastSeen.set(pathname, href);
  }, [pathname, href]);
};

/** Navigates to a list: to its last state, or to its start, where a new row appears, optionally with the row's name. */
export const useBackToList = (path: string): ((to?: "as-left" | "start", newRow?: string) => void) => {
  const navigate = useNavigate();
  return (to = "as-left", newRow = undefined) =>
    void navigate({
      href: (to === "as-left" ? lastSeen.get(path) : undefined) ?? path,
      // The form of a new row is saved: leaving it loses nothing.
      ignoreBlocker: to === "start",
      ...(newRow === undefined ? {} : { state: { newRow } }),
    });
};
