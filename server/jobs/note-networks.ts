import type { KeyNetworkChanges } from "@tollgate/storage/accounts/site-ports";
import { DAY_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { KeyNetworks } from "../state/key-networks";
import type { Job } from "./start-job";

const EVERY_MS = 60_000;

/** A network that a key has not used for this long is new to it again. */
const KEPT_DAYS = 30;

/**
 * Stores the networks from which keys were used on this node, and forgets old ones.
 * @param now unix seconds.
 */
export const notingNetworks = (
  networks: Pick<KeyNetworks, "take">,
  write: KeyNetworkChanges,
  now: () => number,
): Job => ({
  name: "noting-networks",
  everyMs: EVERY_MS,
  async run() {
    const hour = hourOf(now());
    const used = networks.take();
    if (used.length > 0) await write.note(used, hour);
    await write.removeUnused(hour - KEPT_DAYS * DAY_SECONDS);
  },
});
