import { useSyncExternalStore } from "react";

/** A hook that says whether a media query holds. */
const mediaHook = (query: string): (() => boolean) => {
  const subscribe = (listener: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
};

const NARROW = "(max-width: 600px)";

/** True on a screen of 600 px or less, the specification's narrow screen. */
export const useNarrow = mediaHook(NARROW);

/** True where a form above a list would leave no room for the list: on a phone, and on a screen that is zoomed to 200 %. */
export const useCramped = mediaHook(`${NARROW}, (max-height: 560px)`);

/** True on a screen that has room for columns which are of use, but not needed. */
export const useWide = mediaHook("(min-width: 1500px)");
