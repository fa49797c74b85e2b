import type { NodeReport } from "@tollgate/contract/management/node";
import type { LivePlace } from "@tollgate/relay/limits/node-share";
import type { AccountQueries, ChangeFeed, ChargeStore } from "@tollgate/storage/accounts/ports";
import type { Stores } from "@tollgate/storage/stores";
import type { KnownNodes } from "../state/known-nodes";

/** What the server has of an engine; nothing else in it knows which one it is. */
export interface Engine {
  stores: Stores;
  /** Where charges become durable. */
  charges: ChargeStore;
  /** Which of the nodes that live this one is, as far as it knows; undefined where there never is another one. */
  livePlace: (() => LivePlace) | undefined;
  /** The processes that share the data. */
  nodes: KnownNodes;
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
  /** What this process tells of itself; what it has of the engine is added there. */
  about(): NodeReport;
  /** Told of what fails where nobody waits. */
  reportError(error: Error): void;
}
