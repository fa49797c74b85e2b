import { useSyncExternalStore } from "react";

const query = () => window.matchMedia("(max-width: 600px)");

const subscribe = (listener: () => void) => {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
};

/** True on a screen of 600 px or less, the specification's narrow screen. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
