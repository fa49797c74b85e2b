import type { ProtocolName } from "@tollgate/contract/relay/protocol";

/** How a vendor's key travels. */
export type AuthStyle = "bearer" | "x-api-key" | "x-goog-api-key";

/** Under which heading the channel form lists a vendor (specification section 3, channel types). */
export type VendorCategory = "model" | "custom" | "knowledge-base" | "relay";

/** What a channel's balance counts in (specification section 9); undefined where no balance is known. */
export type BalanceUnit = "usd" | "cny" | "cny-per-10000" | "quota";

/** Everything that makes one channel type differ from another: data only. */
export interface Vendor {
  /** The channel type's number on the wire. */
  type: number;
  name: { zh: string; en: string };
  category: VendorCategory;
  /** Colour of its badge, a name from the console's palette. */
  color:
    | "green"
    | "olive"
    | "blue"
    | "purple"
    | "violet"
    | "orange"
    | "teal"
    | "black"
    | "pink"
    | "red"
    | "grey"
    | "brown";
  /** undefined while the gateway cannot relay to it: such a channel is refused when it is saved. */
  protocol: ProtocolName | undefined;
  /** Where it answers unless the channel says otherwise; "" where the channel must say it. */
  baseUrl: string;
  auth: AuthStyle;
  /** Headers that every request to it carries. */
  headers?: Record<string, string>;
  /** See presetModelsOf, where those of most vendors stand. */
  presetModels?: readonly string[];
  balanceUnit?: BalanceUnit;
  /** What the parts of a key are called, in order, where it has several joined by `|` (or `-`). */
  keyFormat?: string;
  /** What the channel's `other` field means, and the value that the console starts with. */
  other?: {
    meaning: "api-version" | "model-version" | "knowledge-base-id" | "private-address";
    default?: string;
  };
}
