import { readText } from "../../lib/address-values";

export const PLAYGROUND_TABS = ["chat", "image", "speech", "embedding"] as const;
export type PlaygroundTab = (typeof PLAYGROUND_TABS)[number];

/** The page's state in the address. */
export interface PlaygroundSearch {
  tab?: PlaygroundTab | undefined;
  /** The model to begin with. */
  model?: string | undefined;
}

export const readPlaygroundSearch = (search: Record<string, unknown>): PlaygroundSearch => ({
  tab: PLAYGROUND_TABS.find((tab) => tab === search.tab),
  model: readText(search.model),
});
