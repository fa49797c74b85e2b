import { useSyncExternalStore } from "react";
import { readStored, subscribeStored, writeStored } from "./local-store";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const prefersDark = () => window.matchMedia("(prefers-color-scheme: dark)");

const storedTheme = (): Theme => THEMES.find((theme) => theme === readStored("theme")) ?? "system";

const applyTheme = (): void => {
  const theme = storedTheme();
  const isDark = theme === "dark" || (theme === "system" && prefersDark().matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
};

/** Follows the system's colour scheme and changes made in other tabs, for the life of the page. */
export const followTheme = (): void => {
  prefersDark().addEventListener("change", applyTheme);
  subscribeStored(applyTheme);
};

/** The chosen theme and its setter; the choice is kept in local storage. */
export const useTheme = (): [Theme, (theme: Theme) => void] => [
  useSyncExternalStore(subscribeStored, storedTheme),
  (theme) => writeStored("theme", theme === "system" ? undefined : theme),
];
