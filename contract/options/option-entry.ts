/** The tabs of the settings page. */
export type OptionTab = "operation" | "system" | "other";

/**
 * Who may change an option: administrators; root alone; or root with a sign-in, where an access token is not enough,
 * because a person who decides it can sign in as any user.
 */
export type ChangedBy = "admin" | "root" | "root-session";

interface AnyOption {
  /** The card of the settings page that it stands in; the order in the catalogue is the order on the card. */
  section: string;
  changedBy: ChangedBy;
  /** One-api's contract does not have it: the console shows it only where the server it calls knows it. */
  isExtra?: true;
  /** A change of it changes the cost of requests, and counts as a new version of the prices. */
  isPrice?: true;
  /** The field of GET /api/status that tells it to all callers. */
  status?: string;
  /** There is a text `optionHint.<name>` in the console's locales. */
  hasHint?: true;
  /** There is a text `optionPlaceholder.<name>` in the console's locales. */
  hasPlaceholder?: true;
}

/** "true" or "false"; the console saves it the moment it is turned. */
interface SwitchOption extends AnyOption {
  type: "switch";
  default: boolean;
  /** Options that must be filled before it can be switched on; the server says so with `option-needs-<name>`. */
  needs?: readonly string[];
  /** The console asks before it is turned off, or on, with the texts `optionQuestion.<name>`. */
  asksBefore?: "off" | "on";
}

/** A number with bounds, both of which are allowed. "whole" and "quota" take whole numbers; a quota is shown with its worth. */
interface NumberOption extends AnyOption {
  type: "decimal" | "whole" | "quota";
  default: number;
  min: number;
  max: number;
}

/** A line, an area of many lines, or domains with commas between them. */
interface TextOption extends AnyOption {
  type: "text" | "area" | "domains";
  default: string;
}

/** An address; "" for none. */
interface AddressOption extends AnyOption {
  type: "url";
  default: string;
  /** The console draws this picture: a page of HTTPS takes no unencrypted address. */
  isPicture?: true;
}

/** Stored sealed and never sent back: not in a list, not in the audit log. */
interface SecretOption extends AnyOption {
  type: "secret";
  default: "";
}

/** One of a few words. */
interface ChoiceOption extends AnyOption {
  type: "choice";
  default: string;
  choices: readonly string[];
}

/** Things that ratios are set for. */
export type RatioNames = "model" | "group" | "tier" | "tool";

/** A JSON object from names to numbers from 0 up; other values are refused with `option-invalid-<name>`. */
interface RatiosOption extends AnyOption {
  type: "ratios";
  names: RatioNames;
  /** "from-vendors": the server takes it from the vendors' files. */
  default: Readonly<Record<string, number>> | "from-vendors";
  /** 0 is refused, because it would give away goods that cost money. */
  isPositive?: true;
}

/** Format of a JSON option's text. The server has a reader for each; `option-tables.ts` has their rows. */
export type JsonFormat =
  | "model-prices"
  | "cache-ratios"
  | "group-limits"
  | "group-routing"
  | "group-time-limits"
  | "usable-groups"
  | "group-usable-groups"
  | "group-group-ratios"
  | "price-rules"
  | "model-fallbacks"
  | "payment-offers"
  | "connect-templates"
  | "display-rates"
  | "error-rules";

/** JSON that is more than a table of numbers. */
interface JsonOption extends AnyOption {
  type: "json";
  /** An empty object, or an empty list where the format is a list. */
  default: "{}" | "[]";
  format: JsonFormat;
}

/** Everything that is to be known about one option of the site. */
export type OptionEntry =
  | SwitchOption
  | NumberOption
  | TextOption
  | AddressOption
  | SecretOption
  | ChoiceOption
  | RatiosOption
  | JsonOption;
