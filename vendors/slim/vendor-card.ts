import type { BalanceUnit, OtherField, VendorCategory, VendorColor, VendorName } from "../define-vendor";

/*
 * What the console knows of a vendor. It loads no vendor's file: prices, routes and error codes would weigh more than the
 * pages. cards.ts and forms.ts are written from those files by slim.test.ts, which fails when they say something else.
 */

/** What a list of channels shows. */
export interface VendorCard {
  type: number;
  /** One text for both languages, or one each. */
  name: string | VendorName;
  color: VendorColor;
  balanceUnit?: BalanceUnit;
}

/** What the channel form asks for. */
export interface VendorForm {
  category: VendorCategory;
  /** "" where the channel must have one of its own. */
  baseUrl: string;
  baseUrlField?: { label?: string; example: string };
  /** What its keys look like, where few others' look so: the text of a regular expression. */
  keyShape?: string;
  /** What the parts of a key are called, in order. */
  keyFormat?: string;
  /** The key is a document of several lines. */
  keyDocument?: "service-account";
  other?: OtherField;
  models?: readonly string[];
}
