import { KeyedMutex } from "@tollgate/accounts/keyed-mutex";
import type { Option } from "@tollgate/contract/api/options";
import { parseConnectTemplates } from "@tollgate/contract/management/connect-templates";
import { parseDisplayRates } from "@tollgate/contract/management/display-rates";
import { parseErrorRules } from "@tollgate/contract/management/error-rules";
import { parseGroupUsableGroups, parseUsableGroups } from "@tollgate/contract/management/group";
import { parseGroupRouting } from "@tollgate/contract/management/group-routing";
import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { parseModelFallbacks } from "@tollgate/contract/management/model-fallbacks";
import {
  findPriceDateFault,
  parseCacheRatios,
  parseModelPrices,
} from "@tollgate/contract/management/model-price";
import { parsePermissionSets, type StoredPermissionSets } from "@tollgate/contract/management/permission-set";
import { findRuleDateFault, parsePriceRules } from "@tollgate/contract/management/price-rule";
import { parseGroupTimeLimits } from "@tollgate/contract/management/time-limits";
import type { JsonFormat } from "@tollgate/contract/options/option-entry";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import {
  declares,
  defaultTextOf,
  entryOf,
  isOfType,
  isOptionKey,
  OPTION_KEYS,
  OPTIONS,
  type OptionKey,
  type OptionKeyOf,
} from "@tollgate/contract/options/options";
import { parsePaymentOffers } from "@tollgate/contract/payments/payment-offers";
import type { PublishedOption } from "@tollgate/contract/records/price-draft-record";
import {
  NO_TERMS,
  TERMS_SUMMARY,
  type TermsSummary,
  termsSummary,
} from "@tollgate/contract/records/terms-record";
import { isZero } from "@tollgate/contract/values/decimal";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { parseGroupGroupRatios, parseRatioTable, type RatioTable } from "@tollgate/metering/ratio-table";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import { DEFAULT_TOOL_PRICES } from "@tollgate/vendors/catalogue/tool-prices";
import { Failure } from "../management-api/failure";
import { checkDisplayRates, checkPastRates } from "./display-currency";
import { DEFAULT_MODEL_RATIOS } from "./list-prices";

type SwitchKey = OptionKeyOf<{ type: "switch" }>;
type NumberKey = OptionKeyOf<{ type: "decimal" | "whole" | "quota" }>;
type RatiosKey = OptionKeyOf<{ type: "ratios" }>;

/** The defaults that the catalogue of options leaves to the vendors' files. */
const FROM_VENDORS: Readonly<
  Record<OptionKeyOf<{ default: "from-vendors" }>, Readonly<Record<string, number>>>
> = { ModelRatio: DEFAULT_MODEL_RATIOS, ToolPrice: DEFAULT_TOOL_PRICES };

/** Parsers of JSON options; each returns `fault`, the path, for an invalid text. */
const JSON_READERS: Readonly<Record<JsonFormat, (text: string) => object>> = {
  "model-prices": parseModelPrices,
  "cache-ratios": parseCacheRatios,
  "group-limits": parseGroupLimits,
  "group-routing": parseGroupRouting,
  "group-time-limits": parseGroupTimeLimits,
  "usable-groups": parseUsableGroups,
  "group-usable-groups": parseGroupUsableGroups,
  "group-group-ratios": parseGroupGroupRatios,
  "price-rules": parsePriceRules,
  "model-fallbacks": parseModelFallbacks,
  "payment-offers": parsePaymentOffers,
  "connect-templates": parseConnectTemplates,
  "display-rates": parseDisplayRates,
  "error-rules": parseErrorRules,
};

/** Faults that a text is refused for, unless the stored one has such a fault from before they were looked for. */
const DATE_FAULTS: Partial<Record<JsonFormat, (text: string) => { fault: string } | undefined>> = {
  "model-prices": findPriceDateFault,
  "price-rules": findRuleDateFault,
};

const isSwitch = (key: OptionKey): key is SwitchKey => isOfType(key, "switch");
const isNumber = (key: OptionKey): key is NumberKey =>
  isOfType(key, "decimal") || isOfType(key, "whole") || isOfType(key, "quota");
const isFromVendors = (key: OptionKey): key is keyof typeof FROM_VENDORS => key in FROM_VENDORS;

/** An option's value until a person saves another. */
export const defaultOf = (key: OptionKey): string =>
  isFromVendors(key) ? JSON.stringify(FROM_VENDORS[key]) : (defaultTextOf(key) ?? "");

/** Until the option is saved (contract section 1.1). */
const DEFAULT_SERVER_ADDRESS = "http://localhost:3000";

/** Key of the number of price changes. It is not a setting: it is counted, not chosen. */
const PRICE_VERSION = "PriceVersion";

/** Maximum number of retries of an edit when other nodes save the same option meanwhile. */
const MAX_TRIES = 5;

/** Key of the prices accepted from a list without review (server/prices/taken-prices.ts). */
const TAKEN_PRICES = "TakenPrices";

/** Key of root's sets of permissions (contract/management/permission-set.ts). */
const PERMISSION_SETS = "PermissionSets";

/** Entries that are stored with the options: they are neither shown nor set. */
const isNoSetting = (key: string): boolean =>
  [PRICE_VERSION, TAKEN_PRICES, TERMS_SUMMARY, PERMISSION_SETS].includes(key);

/** Whether a change of this option changes the price of requests. */
export const isPriceOption = (key: string): boolean => entryOf(key)?.isPrice === true;

// Line breaks and tabs belong to notices and Markdown; nothing else that is invisible does.
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

const checkSwitch = (key: OptionKey, value: string, textOf: (key: OptionKey) => string): void => {
  if (value !== "true" && value !== "false") throw new Failure("option-switch-invalid", { key });
  if (value === "true" && declares(key, "needs") && OPTIONS[key].needs.some((needed) => !textOf(needed)))
    throw new Failure(`option-needs-${key}`).at("value");
};

const checkNumber = (
  key: OptionKey,
  value: string,
  { type, min, max }: { type: string; min: number; max: number },
): void => {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  const isInBounds = number >= min && number <= max;
  if (!isInBounds || (type !== "decimal" && !Number.isSafeInteger(number)))
    throw new Failure("option-number-invalid", { key, min, max });
};

const checkRatios = (key: OptionKey, value: string, isPositive: boolean | undefined): void => {
  const table = parseRatioTable(value);
  const isUsable = table && !(isPositive && [...table.values()].some(isZero));
  if (!isUsable && isOfType(key, "ratios")) throw new Failure(`option-invalid-${key}`);
};

const checkJson = (key: OptionKey, format: JsonFormat, value: string, stored: string): void => {
  if (format === "display-rates") checkDisplayRates(value);
  const parsed = JSON_READERS[format](value);
  const findDateFault = DATE_FAULTS[format];
  const wrong = "fault" in parsed ? parsed : findDateFault?.(stored) ? undefined : findDateFault?.(value);
  if (wrong) throw new Failure("option-data-invalid", { key, place: String(wrong.fault) });
};

/**
 * Validates an option's value.
 * @param textOf the values of the others: a switch may need them.
 * @param stored the value until now.
 * @throws Failure for an invalid value.
 */
export const checkOption = (
  key: string,
  value: string,
  textOf: (key: OptionKey) => string,
  stored = "",
): void => {
  if (isNoSetting(key)) throw new Failure("invalid-parameter");
  if (CONTROL_CHARACTERS.test(value)) throw new Failure("option-text-invalid", { key });
  if (!isOptionKey(key)) return;
  const entry = entryOf(key);
  switch (entry.type) {
    case "switch":
      checkSwitch(key, value, textOf);
      break;
    case "decimal":
    case "whole":
    case "quota":
      checkNumber(key, value, entry);
      break;
    case "choice":
      if (!entry.choices.includes(value))
        throw new Failure("option-choice-invalid", { key, values: entry.choices.join(", ") });
      break;
    case "ratios":
      checkRatios(key, value, entry.isPositive);
      break;
    case "json":
      checkJson(key, entry.format, value, stored);
  }
};

/** The site's settings, kept in memory and written through. A change takes effect immediately. */
export class Options {
  private values: ReadonlyMap<string, string> = new Map();
  private readonly listeners: ((key: string) => void)[] = [];
  private readonly turns = new KeyedMutex<Options>();
  private readSets: { text: string; sets: StoredPermissionSets } = { text: "", sets: {} };

  private constructor(
    private readonly write: Pick<AccountChanges, "options">,
    private readonly now: () => number,
  ) {}

  /** @param now unix seconds. */
  static async load(
    read: Pick<AccountQueries, "options">,
    write: Pick<AccountChanges, "options">,
    now: () => number = () => Math.floor(Date.now() / 1000),
  ): Promise<Options> {
    const options = new Options(write, now);
    options.refresh(await read.options.all());
    return options;
  }

  /**
   * Applies the stored options, including other nodes' changes: all options of one moment, so that prices belong to
   * their version. They must not be older than any answered change of this process: queries and changes run in order.
   */
  refresh(stored: readonly Option[]): void {
    const values = new Map<string, string>();
    for (const key of OPTION_KEYS) values.set(key, defaultOf(key));
    for (const { key, value } of stored) values.set(key, value);
    // Readers of prices also read their version.
    const changed = [...values.keys()].filter(
      (key) => !isNoSetting(key) && values.get(key) !== this.values.get(key),
    );
    this.values = values;
    for (const key of changed) for (const listener of this.listeners) listener(key);
  }

  text(key: OptionKey): string {
    return this.values.get(key) ?? "";
  }

  isOn(key: SwitchKey): boolean {
    return this.values.get(key) === "true";
  }

  /** A number option's value; a value stored before the bounds were known falls back to the default. */
  number(key: NumberKey): number {
    const value = Number(this.values.get(key));
    return Number.isFinite(value) ? value : OPTIONS[key].default;
  }

  /** A table of ratios; a text stored before validation falls back to the default. */
  ratios(key: RatiosKey): RatioTable {
    return parseRatioTable(this.text(key)) ?? parseRatioTable(defaultOf(key)) ?? new Map();
  }

  /** Options in GET /api/status: by its own names, and a text only for text values. */
  publicValues(): Record<string, string | number | boolean> {
    const shown: Record<string, string | number | boolean> = {};
    for (const key of OPTION_KEYS) {
      const { status } = entryOf(key);
      if (status === undefined) continue;
      shown[status] = isSwitch(key) ? this.isOn(key) : isNumber(key) ? this.number(key) : this.text(key);
    }
    return shown;
  }

  /** Which prices hold: a number that grows with each change of them. */
  get priceVersion(): number {
    return Number(this.values.get(PRICE_VERSION) ?? 1);
  }

  /** The text of `putTakenPrices`; "" before. */
  get takenPrices(): string {
    return this.values.get(TAKEN_PRICES) ?? "";
  }

  /** Which terms hold (contract/api/terms.ts). */
  get terms(): TermsSummary {
    const text = this.values.get(TERMS_SUMMARY);
    return text === undefined ? NO_TERMS : termsSummary.parse(JSON.parse(text));
  }

  /** Whether users have something to accept: terms were published, and not withdrawn. */
  get hasTerms(): boolean {
    const { hasAgreement, hasPolicy } = this.terms;
    return hasAgreement || hasPolicy;
  }

  /** Stores the prices accepted from a list without review. */
  putTakenPrices(text: string): Promise<void> {
    return this.turns.run(this, async () =>
      this.refresh(await this.write.options.put(TAKEN_PRICES, text, false)),
    );
  }

  /** Root's sets of permissions, as they are stored. */
  permissionSets(): StoredPermissionSets {
    const text = this.values.get(PERMISSION_SETS) ?? "";
    if (this.readSets.text !== text) this.readSets = { text, sets: parsePermissionSets(text) };
    return this.readSets.sets;
  }

  /**
   * Changes root's sets of permissions, after all earlier changes, including other nodes'.
   * @param edit returns all sets; may throw, and nothing has changed then. Called again where another node was faster.
   */
  changePermissionSets(edit: (sets: StoredPermissionSets) => StoredPermissionSets): Promise<void> {
    return this.turns.run(this, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const value = this.values.get(PERMISSION_SETS) ?? "";
        const text = JSON.stringify(edit(this.permissionSets()));
        const expected = { value, fallback: "" };
        this.refresh(await this.write.options.put(PERMISSION_SETS, text, false, undefined, expected));
        if (this.values.get(PERMISSION_SETS) === text) return;
      }
      throw new Failure("option-changed", { key: PERMISSION_SETS });
    });
  }

  /** This site's address, for links in mails; without a trailing slash. */
  serverAddress(): string {
    return stripEnd(this.text("ServerAddress"), "/") || DEFAULT_SERVER_ADDRESS;
  }

  /** Everything that may be shown: no secret, whether it is set or not. */
  list(): { key: string; value: string }[] {
    const shown: { key: string; value: string }[] = [];
    for (const [key, value] of this.values) {
      if (!isSecretOption(key) && !isNoSetting(key)) shown.push({ key, value });
    }
    return shown;
  }

  /**
   * Saves an option, after all earlier changes: each change of the prices has its own version.
   * @param seen the value known to the caller: refused when another person, on any node, has saved another since.
   * @throws Failure for an invalid value; then nothing has changed.
   */
  put(key: string, value: string, seen?: string): Promise<void> {
    return this.turns.run(this, async () => {
      if (!(await this.save(key, value, seen))) throw new Failure("option-changed", { key });
    });
  }

  /**
   * Edits an option's value, after all earlier changes are saved, including other nodes'.
   * @param edit may throw, and nothing has changed then; called again where another node was faster.
   * @throws Failure for an invalid value.
   */
  change(key: OptionKey, edit: (value: string) => string): Promise<void> {
    return this.turns.run(this, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const before = this.text(key);
        if (await this.save(key, edit(before), before)) return;
      }
      throw new Failure("option-changed", { key });
    });
  }

  /**
   * Saves several price options at one moment, as one change of the prices.
   * @param edit returns their values, after all earlier changes are saved; may throw, and nothing has changed then.
   * @param write stores all of them or none, with the option that counts changes. @returns the stored options.
   */
  changePrices(
    edit: (textOf: (key: OptionKey) => string) => ReadonlyMap<OptionKey, string>,
    write: (options: PublishedOption[], counter: string) => Promise<readonly Option[]>,
  ): Promise<void> {
    return this.turns.run(this, async () => {
      const texts = edit((key) => this.text(key));
      const changed = [...texts].map(([key, value]) => ({
        key,
        value,
        before: this.text(key),
        fallback: defaultOf(key),
      }));
      this.refresh(await write(changed, PRICE_VERSION));
    });
  }

  /** @returns false where the option has another value than expected, which is then loaded. */
  private async save(key: string, value: string, seen?: string): Promise<boolean> {
    const before = this.values.get(key) ?? "";
    checkOption(key, value, (other) => this.text(other), before);
    const isDated = key === "DisplayCurrency";
    if (isDated) checkPastRates(before, value, this.now());
    const counted = isPriceOption(key) ? { key: PRICE_VERSION, before } : undefined;
    const fallback = isOptionKey(key) ? defaultOf(key) : "";
    // What was checked against the past must be what is replaced, also when another node was faster.
    const known = isDated ? (seen ?? before) : seen;
    const expected = known === undefined ? undefined : { value: known, fallback };
    this.refresh(await this.write.options.put(key, value, isSecretOption(key), counted, expected));
    return known === undefined || this.values.get(key) === value;
  }

  onChange(listener: (key: string) => void): void {
    this.listeners.push(listener);
  }
}
