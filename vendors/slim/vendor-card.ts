import type { OtherField, VendorCategory, VendorColor } from "../define-vendor";
import type { BalanceUnits } from "./balance-unit";

/*
 * The console's data about vendors. Its pages load no vendor's file: prices, routes and error codes would weigh more than
 * they do. Its build writes down what cards.ts and forms.ts make of those files (console/vite.config.ts).
 */

/** Fields for a list of channels. */
export interface VendorCard {
  type: number;
  name: string;
  color: VendorColor;
  balance?: BalanceUnits;
}

/** Fields for the channel form. */
export interface VendorForm {
  category: VendorCategory;
  /** "" when the channel must have its own. */
  baseUrl: string;
  baseUrlField?: { label?: string; example: string };
  /** Pattern of its keys, if few others match it: the text of a regular expression. */
  keyShape?: string;
  /** Names of a key's parts, in order. */
  keyFormat?: string;
  /** The key is a document of several lines. */
  keyDocument?: "service-account";
  other?: OtherField;
  models?: readonly string[];
}
