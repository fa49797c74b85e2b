import { parseGroupLimits } from "@tollgate/contract/control/limits";
import { parseCacheRatios, parseModelPrices } from "@tollgate/contract/control/model-price";
import { isZero } from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT } from "@tollgate/contract/values/quota";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { PRODUCT_NAME } from "@tollgate/contract/version";
import { DEFAULT_GROUP_RATIOS } from "@tollgate/metering/default-group-ratios";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import type { Remote } from "@tollgate/storage/client";
import type { Reads, Writes } from "@tollgate/storage/storage";
import { DEFAULT_TOOL_PRICES } from "@tollgate/vendors/catalogue/tool-prices";
import { Failure } from "../control/failure";
import type { MessageKey } from "../messages";
import { DEFAULT_MODEL_RATIOS } from "./list-prices";

interface SwitchOption {
  kind: "switch";
  default: boolean;
  /** Options that must be filled before it can be switched on, and what to say when they are not. */
  needs?: { keys: string[]; message: MessageKey };
}

interface NumberOption {
  kind: "number";
  default: number;
  min: number;
  max: number;
  isWhole: boolean;
}

interface TextOption {
  kind: "text";
  default: string;
  /** Stored sealed and never sent back. */
  isSecret?: boolean;
}

interface RatioOption {
  kind: "ratios";
  default: Readonly<Record<string, number>>;
  message: MessageKey;
  /** 0 would give away what costs something. */
  isPositive?: boolean;
}

interface ChoiceOption {
  kind: "choice";
  default: string;
  values: readonly string[];
}

/** JSON that is more than a table of numbers. */
interface DataOption {
  kind: "data";
  default: string;
  /** @returns where the text is wrong, undefined when it can be used. */
  findFault(text: string): string | undefined;
}

type OptionSpec = SwitchOption | NumberOption | TextOption | RatioOption | ChoiceOption | DataOption;

const on: SwitchOption = { kind: "switch", default: true };
const off: SwitchOption = { kind: "switch", default: false };
const text = (value = ""): TextOption => ({ kind: "text", default: value });
const secret: TextOption = { kind: "text", default: "", isSecret: true };
const whole = (value: number, max = Number.MAX_SAFE_INTEGER, min = 0): NumberOption => ({
  kind: "number",
  default: value,
  min,
  max,
  isWhole: true,
});

const data = (parse: (text: string) => object): DataOption => ({
  kind: "data",
  default: "{}",
  findFault(value) {
    const parsed = parse(value);
    return "fault" in parsed ? String(parsed.fault) : undefined;
  },
});

/** Until the option is saved (contract section 1.1). */
const DEFAULT_SERVER_ADDRESS = "http://localhost:3000";

const DEFAULT_DOMAINS =
  "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com";

/** Every option of the specification (section 3) with the contract's default (section 3.3). */
const SPECS = {
  PasswordLoginEnabled: on,
  PasswordRegisterEnabled: on,
  RegisterEnabled: on,
  EmailVerificationEnabled: off,
  GitHubOAuthEnabled: {
    kind: "switch",
    default: false,
    needs: { keys: ["GitHubClientId", "GitHubClientSecret"], message: "option-needs-github" },
  },
  WeChatAuthEnabled: {
    kind: "switch",
    default: false,
    needs: { keys: ["WeChatServerAddress"], message: "option-needs-wechat" },
  },
  TurnstileCheckEnabled: {
    kind: "switch",
    default: false,
    needs: { keys: ["TurnstileSiteKey", "TurnstileSecretKey"], message: "option-needs-turnstile" },
  },
  EmailDomainRestrictionEnabled: {
    kind: "switch",
    default: false,
    needs: { keys: ["EmailDomainWhitelist"], message: "option-needs-whitelist" },
  },
  AutomaticDisableChannelEnabled: off,
  AutomaticEnableChannelEnabled: on,
  ApproximateTokenEnabled: off,
  LogConsumeEnabled: on,
  DisplayInCurrencyEnabled: on,
  DisplayTokenStatEnabled: on,
  EmailDomainWhitelist: text(DEFAULT_DOMAINS),
  SMTPServer: text(),
  SMTPPort: whole(587, 65_535, 1),
  SMTPAccount: text(),
  SMTPFrom: text(),
  SMTPToken: secret,
  ServerAddress: text(),
  GitHubClientId: text(),
  GitHubClientSecret: secret,
  WeChatServerAddress: text(),
  WeChatServerToken: secret,
  WeChatAccountQRCodeImageURL: text(),
  TurnstileSiteKey: text(),
  TurnstileSecretKey: secret,
  Notice: text(),
  About: text(),
  Footer: text(),
  SystemName: text(PRODUCT_NAME),
  Logo: text(),
  HomePageContent: text(),
  TopUpLink: text(),
  ChatLink: text(),
  QuotaPerUnit: { kind: "number", default: DEFAULT_QUOTA_PER_UNIT, min: 1, max: 1e12, isWhole: false },
  RetryTimes: whole(0, 10),
  /** How many days log lines and receipts are kept; 0 keeps them for ever. */
  LogRetentionDays: whole(0, 36_500),
  /** Whether what requests and answers say is kept (docs/reference/bodies.md). */
  BodyLogEnabled: off,
  /** How many days; never for ever. */
  BodyRetentionDays: whole(7, 3650, 1),
  /** How much of one request and of one answer is kept. */
  BodyMaxKilobytes: whole(256, 10_240, 1),
  /** How much is kept altogether, before the oldest go. */
  BodyStoreMegabytes: whole(1024, 1_000_000, 1),
  ChannelDisableThreshold: { kind: "number", default: 5, min: 0, max: 86_400, isWhole: false },
  QuotaRemindThreshold: whole(1000),
  QuotaForNewUser: whole(0),
  QuotaForInviter: whole(0),
  QuotaForInvitee: whole(0),
  PreConsumedQuota: whole(500),
  ModelRatio: { kind: "ratios", default: DEFAULT_MODEL_RATIOS, message: "option-model-ratio-invalid" },
  /** What a completion token costs in prompt tokens, where it is not the catalogue's or the contract's ratio. */
  CompletionRatio: { kind: "ratios", default: {}, message: "option-completion-ratio-invalid" },
  GroupRatio: { kind: "ratios", default: DEFAULT_GROUP_RATIOS, message: "option-group-ratio-invalid" },
  /** The ratio of a model that ModelRatio does not name; "" refuses such models. */
  FallbackModelRatio: text(),
  /** What a client pays that leaves in the middle of a stream (docs/reference/interruptions.md). */
  InterruptionPolicy: { kind: "choice", default: "received", values: ["received", "drain"] },
  /** How long such a stream is read on under the policy "drain". */
  InterruptionDrainSeconds: whole(30, 600, 1),
  /** Prices in money, by date, in tiers or per call; they go before ModelRatio (docs/reference/prices.md). */
  ModelPrice: data(parseModelPrices),
  /** How many times the price a tier of service costs; those that are not named do not reach an upstream. */
  ServiceTierRatio: {
    kind: "ratios",
    default: {},
    message: "option-service-tier-ratio-invalid",
    isPositive: true,
  },
  /** USD for a thousand calls of tools that vendors run; those that are not named are not offered. */
  ToolPrice: { kind: "ratios", default: DEFAULT_TOOL_PRICES, message: "option-tool-price-invalid" },
  /** Cached tokens as factors of the input price, where they differ from the vendors' own. */
  CacheRatio: data(parseCacheRatios),
  /** Off: cached tokens cost what any input costs, as with one-api. */
  CacheBillingEnabled: on,
  /** Limits per group, and for each user of one (docs/reference/limits.md). */
  GroupLimits: data(parseGroupLimits),
} as const satisfies Record<string, OptionSpec>;

export type OptionKey = keyof typeof SPECS;

const specOf = (key: string): OptionSpec | undefined => (SPECS as Record<string, OptionSpec>)[key];

/** Where the number of price changes is kept. No setting: it is counted, not chosen. */
const PRICE_VERSION = "PriceVersion";

const PRICE_OPTIONS: ReadonlySet<string> = new Set([
  "ModelRatio",
  "CompletionRatio",
  "GroupRatio",
  "FallbackModelRatio",
  "ModelPrice",
  "CacheRatio",
  "CacheBillingEnabled",
  "ServiceTierRatio",
  "ToolPrice",
  "QuotaPerUnit",
]);

/** Whether a change of this option changes what requests cost. */
export const isPriceOption = (key: string): boolean => PRICE_OPTIONS.has(key);

const encodeDefault = (spec: OptionSpec): string =>
  spec.kind === "ratios" ? JSON.stringify(spec.default) : String(spec.default);

// Line breaks and tabs belong to notices and Markdown; nothing else that is invisible does.
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

/** The site's settings, kept in memory and written through. A change takes effect at once. */
export class Options {
  private readonly values = new Map<string, string>();
  private readonly listeners: ((key: string) => void)[] = [];

  private constructor(private readonly write: Remote<Writes>) {
    for (const [key, spec] of Object.entries(SPECS)) this.values.set(key, encodeDefault(spec));
  }

  static async load(read: Remote<Reads>, write: Remote<Writes>): Promise<Options> {
    const options = new Options(write);
    for (const { key, value } of await read.options.all()) options.values.set(key, value);
    return options;
  }

  text(key: OptionKey): string {
    return this.values.get(key) ?? "";
  }

  isOn(key: OptionKey): boolean {
    return this.values.get(key) === "true";
  }

  /** A number option's value; what was stored before the bounds were known falls back to the default. */
  number(key: OptionKey): number {
    const value = Number(this.values.get(key));
    const spec = specOf(key);
    return Number.isFinite(value) ? value : spec?.kind === "number" ? spec.default : 0;
  }

  /** Which prices hold: a number that grows with each change of them. */
  get priceVersion(): number {
    return Number(this.values.get(PRICE_VERSION) ?? 1);
  }

  /** Where people reach this site, for links in mails; without a slash at its end. */
  serverAddress(): string {
    return stripEnd(this.text("ServerAddress"), "/") || DEFAULT_SERVER_ADDRESS;
  }

  /** Everything that may be shown: no secret, whether it is set or not. */
  list(): { key: string; value: string }[] {
    const shown: { key: string; value: string }[] = [];
    for (const [key, value] of this.values) {
      if (!this.isSecret(key) && key !== PRICE_VERSION) shown.push({ key, value });
    }
    return shown;
  }

  /** Whether this version knows the option; what others may hold, nobody here can say. */
  isKnown(key: string): boolean {
    return specOf(key) !== undefined;
  }

  /** @throws Failure when the value cannot be used; then nothing has changed. */
  async put(key: string, value: string): Promise<void> {
    this.check(key, value);
    if (isPriceOption(key) && value !== this.values.get(key)) {
      // First: a version too many means nothing, one too few would name two prices alike.
      const version = String(this.priceVersion + 1);
      this.values.set(PRICE_VERSION, version);
      await this.write.options.put(PRICE_VERSION, version, false);
    }
    await this.write.options.put(key, value, this.isSecret(key));
    this.values.set(key, value);
    for (const listener of this.listeners) listener(key);
  }

  onChange(listener: (key: string) => void): void {
    this.listeners.push(listener);
  }

  /** Options that other versions know are secret by the contract's rule: names ending in Token or Secret (section 1.5). */
  isSecret(key: string): boolean {
    const spec = specOf(key);
    return spec ? spec.kind === "text" && spec.isSecret === true : /(?:Token|Secret|SecretKey)$/.test(key);
  }

  private check(key: string, value: string): void {
    const spec = specOf(key);
    if (key === PRICE_VERSION) throw new Failure("invalid-parameter");
    if (CONTROL_CHARACTERS.test(value)) throw new Failure("option-text-invalid", { key });
    switch (spec?.kind) {
      case "switch":
        if (value !== "true" && value !== "false") throw new Failure("option-switch-invalid", { key });
        if (value === "true" && spec.needs?.keys.some((needed) => (this.values.get(needed) ?? "") === "")) {
          throw new Failure(spec.needs.message);
        }
        break;
      case "number": {
        const number = value.trim() === "" ? Number.NaN : Number(value);
        const isInBounds = number >= spec.min && number <= spec.max;
        if (!isInBounds || (spec.isWhole && !Number.isSafeInteger(number))) {
          throw new Failure("option-number-invalid", { key, min: spec.min, max: spec.max });
        }
        break;
      }
      case "choice":
        if (!spec.values.includes(value)) {
          throw new Failure("option-choice-invalid", { key, values: spec.values.join(", ") });
        }
        break;
      case "ratios": {
        const table = parseRatioTable(value);
        if (!table || (spec.isPositive && [...table.values()].some(isZero))) throw new Failure(spec.message);
        break;
      }
      case "data": {
        const place = spec.findFault(value);
        if (place !== undefined) throw new Failure("option-data-invalid", { key, place });
        break;
      }
      default:
        break;
    }
  }
}
