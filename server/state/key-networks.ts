import type { KeyNetwork } from "@tollgate/contract/records/key-network";
import { networkOf } from "../http/read-address";

/** Networks of one key, and keys, between two reports; further ones are not counted. */
const MAX_NETWORKS = 100;
const MAX_KEYS = 10_000;

/** Counts, in memory, the requests of each key from each network, until a job stores them. */
export class KeyNetworks {
  private seen = new Map<number, Map<string, number>>();

  /** @param isWatched whether the site compares networks: otherwise nothing is kept. */
  constructor(private readonly isWatched: () => boolean) {}

  /** Called for every request of a known key. @param address the client's; "" where it is unknown. */
  note(keyId: number, address: string): void {
    if (address === "" || !this.isWatched()) return;
    let networks = this.seen.get(keyId);
    if (!networks) {
      if (this.seen.size >= MAX_KEYS) return;
      networks = new Map();
      this.seen.set(keyId, networks);
    }
    const network = networkOf(address);
    const before = networks.get(network);
    if (before !== undefined || networks.size < MAX_NETWORKS) networks.set(network, (before ?? 0) + 1);
  }

  /** What was counted since the last call. */
  take(): KeyNetwork[] {
    const { seen } = this;
    this.seen = new Map();
    return [...seen].flatMap(([keyId, networks]) =>
      [...networks].map(([network, requests]): KeyNetwork => ({ keyId, network, requests })),
    );
  }
}
