import { RATE_BOUNDS } from "../management/display-rates";
import { ROUTING_STRATEGIES, type RoutingStrategy } from "../management/group-routing";
import { LIMITS } from "../management/limits";
import {
  FALLBACK_CAUSES,
  type FallbackCause,
  MAX_FALLBACKS,
  USUAL_CAUSES,
} from "../management/model-fallbacks";
import { MAX_TIME_LIMIT_SECONDS, TIME_LIMITS } from "../management/time-limits";
import { CURRENCY_CODES, type Currency } from "../payments/currency-codes";
import { PRICE_PARTS } from "../values/token-prices";
import type { JsonFormat, RatioNames } from "./option-entry";

/*
 * Row shapes of the JSON options, and of JSON in other forms of the console. The console shows each of them as a table; a new
 * JSON option gets its table from a line here.
 * An entry is the value of one name, or an item of a list.
 */

/** Each has a text `jsonTable.column.<id>`. */
export type ColumnId =
  | RatioNames
  | (typeof PRICE_PARTS)[number]
  | keyof typeof LIMITS
  | `perUser.${keyof typeof LIMITS}`
  | keyof typeof TIME_LIMITS
  | "alias"
  | "models"
  | "on"
  | "strategy"
  | "description"
  | "userGroup"
  | "offer"
  | "ratio"
  | "usdPerThousand"
  | "usd"
  | "bonus"
  | "from"
  | "factor"
  | "read"
  | "write5m"
  | "write1h"
  | "validFrom"
  | "fromDay"
  | "currency"
  | "rate"
  | "program"
  | "link"
  | "text";

/** Each has a text `jsonTable.choice.<choice>`, except currencies, whose names browsers know. */
export type TableChoice = RoutingStrategy | FallbackCause | Currency | "added" | "removed";

interface Column {
  id: ColumnId;
  isRequired?: true;
  /** No two rows have the same texts in all unique columns and names. */
  isUnique?: true;
}

interface TypedColumn {
  /** The console offers the names of models and groups, and room for several lines. */
  kind: "text" | "day" | "lines" | "model" | "group";
}

interface NumberColumn {
  /** A quota is shown with its worth. */
  kind: "number" | "whole" | "quota";
  max?: number;
  isPositive?: true;
  /** The JSON may have the number as a string as well. */
  isTextAllowed?: true;
}

interface ChoiceColumn {
  kind: "choice";
  choices: readonly TableChoice[];
  /** The choice stands before the entry's name, as the first of these; the others mean the same. */
  prefixes?: Readonly<Partial<Record<TableChoice, readonly string[]>>>;
}

interface ListColumn {
  kind: "models";
  maxItems: number;
}

interface ChoicesColumn {
  kind: "choices";
  choices: readonly TableChoice[];
  /** Meaning of an entry that does not have the property. */
  standard: readonly TableChoice[];
}

interface ColumnPosition {
  /** The column is the entry's name; the second such column names the entries inside an entry. */
  isName?: true;
  /** Properties that lead to the value in the entry; absent where the entry itself is the value. */
  at?: readonly string[];
  /** The entry may also be this value alone. */
  isShort?: true;
}

export type OptionColumn = Column &
  ColumnPosition &
  (TypedColumn | NumberColumn | ChoiceColumn | ListColumn | ChoicesColumn);

export interface OptionTablePart {
  /** Property of the option's object that has these rows, with the text `jsonTable.part.<id>`; absent where all are rows. */
  id?: "packages" | "discounts" | "groups";
  columns: readonly OptionColumn[];
  /** An entry may be a list of entries: rows with the same name. */
  isRepeatable?: true;
}

export type OptionTable = readonly OptionTablePart[];

const model = { id: "model", kind: "model", isName: true } as const;
const group = { id: "group", kind: "group", isName: true } as const;
const userGroup = { id: "userGroup", kind: "group", isName: true } as const;
const factor = { id: "factor", kind: "number", at: ["factor"], isRequired: true, isPositive: true } as const;
const amountAt = <Id extends ColumnId>(id: Id) =>
  ({ id, kind: "number", at: [id], isTextAllowed: true, max: 1e9 }) as const;

const MAX_USD = 1_000_000;
const priceColumns: readonly OptionColumn[] = [
  { id: "validFrom", kind: "text", at: ["from"], isUnique: true },
  ...PRICE_PARTS.map((id): OptionColumn => ({ id, kind: "number", at: [id], max: MAX_USD })),
];
const MAX_CACHE_FACTOR = 100;

const isLimit = (id: string): id is keyof typeof LIMITS => id in LIMITS;
const LIMIT_NAMES = Object.keys(LIMITS).filter(isLimit);
const isTimeLimit = (id: string): id is keyof typeof TIME_LIMITS => id in TIME_LIMITS;
const limitKind = (id: keyof typeof LIMITS) => (id.endsWith("Quota") ? "quota" : "whole");

/** Formats without a table are edited as JSON, or on a page of their own. */
export const OPTION_TABLES: Readonly<Partial<Record<JsonFormat, OptionTable>>> = {
  "model-fallbacks": [
    {
      columns: [
        model,
        { id: "models", kind: "models", at: ["models"], isShort: true, maxItems: MAX_FALLBACKS },
        { id: "on", kind: "choices", at: ["on"], choices: FALLBACK_CAUSES, standard: USUAL_CAUSES },
      ],
    },
  ],
  "group-routing": [{ columns: [group, { id: "strategy", kind: "choice", choices: ROUTING_STRATEGIES }] }],
  "group-time-limits": [
    {
      columns: [
        group,
        ...Object.keys(TIME_LIMITS)
          .filter(isTimeLimit)
          .map(
            (id): OptionColumn => ({
              id,
              kind: "whole",
              at: [TIME_LIMITS[id].name],
              isPositive: true,
              max: MAX_TIME_LIMIT_SECONDS,
            }),
          ),
      ],
    },
  ],
  "connect-templates": [
    {
      columns: [
        { id: "program", kind: "text", isName: true },
        { id: "link", kind: "text", at: ["link"] },
        { id: "text", kind: "lines", at: ["text"] },
      ],
    },
  ],
  "display-rates": [
    {
      columns: [
        { id: "fromDay", kind: "day", at: ["from"], isRequired: true, isUnique: true },
        { id: "currency", kind: "choice", at: ["currency"], choices: CURRENCY_CODES },
        {
          id: "rate",
          kind: "number",
          at: ["rate"],
          isRequired: true,
          isPositive: true,
          isTextAllowed: true,
          max: Number(RATE_BOUNDS.max),
        },
      ],
    },
  ],
  "usable-groups": [{ columns: [group, { id: "description", kind: "text" }] }],
  "group-usable-groups": [
    {
      columns: [
        userGroup,
        {
          id: "offer",
          kind: "choice",
          choices: ["added", "removed"],
          prefixes: { added: ["", "+:"], removed: ["-:"] },
        },
        group,
        { id: "description", kind: "text" },
      ],
    },
  ],
  "group-group-ratios": [{ columns: [userGroup, group, { id: "ratio", kind: "number", isRequired: true }] }],
  "payment-offers": [
    {
      id: "packages",
      columns: [
        { ...amountAt("usd"), isRequired: true, isUnique: true, isPositive: true },
        amountAt("bonus"),
      ],
    },
    {
      id: "discounts",
      columns: [
        { ...amountAt("from"), isRequired: true, isUnique: true },
        { ...factor, isTextAllowed: true },
      ],
    },
    { id: "groups", columns: [group, { ...factor, at: [], isTextAllowed: true }] },
  ],
  "cache-ratios": [
    {
      columns: [
        model,
        { id: "read", kind: "number", at: ["read"], isShort: true, max: MAX_CACHE_FACTOR },
        { id: "write5m", kind: "number", at: ["write5m"], max: MAX_CACHE_FACTOR },
        { id: "write1h", kind: "number", at: ["write1h"], max: MAX_CACHE_FACTOR },
      ],
    },
  ],
  "group-limits": [
    {
      columns: [
        group,
        ...LIMIT_NAMES.map((id): OptionColumn => ({ id, kind: limitKind(id), at: [LIMITS[id].name] })),
        ...LIMIT_NAMES.map(
          (id): OptionColumn => ({
            id: `perUser.${id}`,
            kind: limitKind(id),
            at: ["per_user", LIMITS[id].name],
          }),
        ),
      ],
    },
  ],
  "model-prices": [{ isRepeatable: true, columns: [model, ...priceColumns] }],
};

/** Prices of one model: an entry, or a list of such. */
export const MODEL_PRICE_TABLE: OptionTable = [{ isRepeatable: true, columns: priceColumns }];

/** Names of models for the keys of a user (management/model-aliases.ts). */
export const MODEL_ALIAS_TABLE: OptionTable = [
  {
    columns: [
      { id: "alias", kind: "text", isName: true },
      { id: "model", kind: "model", isRequired: true },
    ],
  },
];

/** Table of an option of the type `ratios`. */
export const ratioTable = (names: RatioNames, isPositive: boolean | undefined): OptionTable => [
  {
    columns: [
      { id: names, kind: names === "model" ? "model" : "text", isName: true },
      {
        id: names === "tool" ? "usdPerThousand" : "ratio",
        kind: "number",
        isRequired: true,
        ...(isPositive ? { isPositive } : {}),
      },
    ],
  },
];
