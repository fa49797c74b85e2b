import type { NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import type {
  ImportedChannel,
  ImportedOption,
  ImportedToken,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import type { Origin } from "./origin";
import type { Remark, RemarkCode, RemarkEffect, RemarkValues } from "./remarks";
import type { ChannelRow, LogRow, OptionRow, TokenRow, UserRow } from "./source-rows";

/** Adds a remark about an option. */
export type Say = (id: string, effect: RemarkEffect, code: RemarkCode, values?: RemarkValues) => void;

/** What rows of the source become, and what is to be said of it. */
export interface MappedChannels {
  records: ImportedChannel[];
  remarks: Remark[];
}

/** What a model costs that the source sells at several prices under several names: only one can hold here. */
export type PriceDecision = "dearest" | "cheapest";

/** Offered models without a price are refused, or charged at the ratio that the source's code has for unknown models. */
export type MissingPriceDecision = "refuse" | "fallback";

export interface OptionsContext {
  /** For names that a mapping gives a model, by which new-api prices. */
  channels: readonly ChannelRow[];
  /** Groups of the users that are taken over: each needs a ratio. */
  groups: ReadonlySet<string>;
  /** What the running source answers on `/api/pricing`, `/api/ratio_config` or `/api/option/`, where a person asked it. */
  pricing?: string | undefined;
  /** The dearest while undecided. */
  priceDecision?: PriceDecision | undefined;
  missingPrices?: MissingPriceDecision | undefined;
}

export interface MappedOptions {
  options: ImportedOption[];
  /** Announcements, which are an option of the source. */
  announcements: NewAnnouncement[];
  remarks: Remark[];
  /** Quota of a US dollar, as the source counts it. */
  quotaPerUnit: number;
}

/** Both sides of a move. */
export interface Move {
  origin: Origin;
  before: {
    users: readonly Pick<UserRow, "id" | "group">[];
    tokens: readonly Pick<
      TokenRow,
      "id" | "user_id" | "models" | "model_limits_enabled" | "model_limits" | "group"
    >[];
    channels: readonly ChannelRow[];
    options: readonly OptionRow[];
    /** The newest lines of requests (LOG_CONSUME), at most PROVED_LINES. */
    lines: readonly LogRow[];
  };
  after: {
    users: readonly Pick<ImportedUser, "id" | "group" | "status">[];
    tokens: readonly Pick<ImportedToken, "id" | "userId" | "status" | "models" | "group">[];
    channels: readonly ImportedChannel[];
    options: readonly ImportedOption[];
  };
}

/** How many lines are priced again. */
export const PROVED_LINES = 5000;

export interface Proof {
  models: {
    /** Enabled keys of enabled users. */
    keys: number;
    /** Those that saw other models before: by group and what is missing or new, with the ids of the keys. */
    differences: readonly { keys: readonly number[]; missing: readonly string[]; added: readonly string[] }[];
  };
  prices: {
    lines: number;
    /** Models of which a line would be charged more than 1 % differently. */
    differences: readonly {
      model: string;
      lines: number;
      /** What they were charged, and what they would be. */
      before: number;
      after: number;
      /** The id of one of them. */
      example: number;
    }[];
    /** Lines that cannot be priced again, by model: no price, or the line says too little. */
    unknown: readonly { model: string; lines: number; reason: "no-price" | "says-too-little" }[];
  };
}
