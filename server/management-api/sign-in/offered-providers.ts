import type { OfferedProvider } from "@tollgate/contract/api/status";
import type { SignInProviderQueries } from "@tollgate/contract/records/sign-in-provider-record";

/** How old the list may be, in milliseconds: other nodes change providers as well. */
const FRESH_MS = 5_000;

/** The providers that the sign-in page offers: in memory, because every visitor asks for them. */
export interface OfferedProviders {
  /** Returns what is known, and reads it again where it is old. */
  list(): readonly OfferedProvider[];
  /** Reads them again, after a change. */
  refresh(): Promise<void>;
}

/** @param onError called when they cannot be read; what is known stays. */
export const createOfferedProviders = (
  queries: Pick<SignInProviderQueries, "all">,
  nowMs: () => number,
  onError: (error: unknown) => void,
): OfferedProviders => {
  let offered: readonly OfferedProvider[] = [];
  let readAtMs = 0;
  const refresh = async (): Promise<void> => {
    readAtMs = nowMs();
    const all = await queries.all();
    offered = all.filter(({ isEnabled }) => isEnabled).map(({ slug, name }) => ({ slug, name }));
  };
  return {
    list() {
      if (Math.abs(nowMs() - readAtMs) > FRESH_MS) refresh().catch(onError);
      return offered;
    },
    refresh,
  };
};
