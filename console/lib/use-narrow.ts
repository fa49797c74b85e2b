import { useSyncExternalStore } from "react";

/** A hook that returns whether a media query matches. */
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

/** True if a form above a list would leave no room for the list: on a phone, and at 200 % zoom. */
export const useCramped = mediaHook(`${NARROW}, (max-height: 560px)`);

/** True on a screen with room for useful but optional columns. */
export const useWide = mediaHook("(min-width: 1600px)");
