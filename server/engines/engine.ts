import type { LivePlace } from "@tollgate/relay/limits/node-share";
import type { AccountQueries, ChangeFeed, ChargeStore } from "@tollgate/storage/accounts/ports";
import type { Stores } from "@tollgate/storage/stores";

/** What the server has of an engine; nothing else in it knows which one it is. */
export interface Engine {
  stores: Stores;
  /** Where charges become durable. */
  charges: ChargeStore;
  /** Which of the nodes that live this one is, as far as it knows; undefined where there never is another one. */
  livePlace: (() => LivePlace) | undefined;
  /** What is shared with other nodes; undefined where there are none. */
  shared: SharedStores | undefined;
}

/** What a node needs to keep in memory what other nodes change. */
export interface SharedStores {
  feed: ChangeFeed;
  /** Queries that are answered in the order of this node's own changes. */
  readInOrder: AccountQueries;
}

/** What an engine is opened with. */
export interface EngineSettings {
  masterKey: Uint8Array;
  /** Told of what fails where nobody waits. */
  reportError(error: Error): void;
}
