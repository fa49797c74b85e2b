import type { NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import type {
  ImportedApiKey,
  ImportedChannel,
  ImportedOption,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import type { Origin } from "./origin";
import type { Remark, RemarkCode, RemarkEffect, RemarkValues } from "./remarks";
import type { ApiKeyRow, ChannelRow, LogRow, OptionRow, UserRow } from "./source-rows";

/** Maximum length of an option's value (putOptionBodySchema). */
export const LONGEST_VALUE = 1_000_000;

/** Adds a remark about an option. */
export type AddRemark = (id: string, effect: RemarkEffect, code: RemarkCode, values?: RemarkValues) => void;

/** Mapped rows of the source, and their remarks. */
export interface MappedChannels {
  records: ImportedChannel[];
  remarks: Remark[];
}

/**
 * Choice of a model's price where the source sells it at several prices under several names: only one can be kept here.
 */
export type PriceDecision = "dearest" | "cheapest";

/** Offered models without a price are refused, or charged at the ratio that the source's code has for unknown models. */
export type MissingPriceDecision = "refuse" | "fallback";

export interface OptionsContext {
  /** For names that a mapping gives a model, by which new-api prices. */
  channels: readonly ChannelRow[];
  /** Groups of the users that are taken over: each needs a ratio. */
  groups: ReadonlySet<string>;
  /** The running source's answer to `/api/pricing`, `/api/ratio_config` or `/api/option/`, if the operator saved it. */
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
      ApiKeyRow,
      "id" | "user_id" | "models" | "model_limits_enabled" | "model_limits" | "group"
    >[];
    channels: readonly ChannelRow[];
    options: readonly OptionRow[];
    /** The newest lines of requests (LOG_CONSUME), at most PROVED_LINES. */
    lines: readonly LogRow[];
  };
  after: {
    users: readonly Pick<ImportedUser, "id" | "group" | "status">[];
    tokens: readonly Pick<ImportedApiKey, "id" | "userId" | "status" | "models" | "group">[];
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
    /** Keys that had other models before: by group and the missing or new models, with the ids of the keys. */
    differences: readonly { keys: readonly number[]; missing: readonly string[]; added: readonly string[] }[];
  };
  prices: {
    lines: number;
    /** Models of which a line would be charged more than 1 % differently. */
    differences: readonly {
      model: string;
      lines: number;
      /** Their charge in the source, and here. */
      before: number;
      after: number;
      /** The id of one of them. */
      example: number;
    }[];
    /** Lines that cannot be priced again, by model: no price, or the line says too little. */
    unknown: readonly { model: string; lines: number; reason: "no-price" | "says-too-little" }[];
  };
}
