import { type StatementWire, statementQuotas } from "@tollgate/contract/api/statements";
import { LEDGER_CAUSES, type LedgerCause } from "@tollgate/contract/records/ledger-entry";
import {
  type AmountScale,
  columnPlaces,
  quotaText,
  readCurrency,
  signedQuotaText,
} from "@tollgate/contract/values/shown-amount";
import { DOLLARS, withSymbol } from "@tollgate/contract/values/shown-currency";
import type { StatementWords } from "../locales/catalogue";
import { fillText } from "../locales/fill-text";
import { type HasGlyph, printableText } from "./printable-text";

/** Longer names are cut. */
const MAX_NAME_LENGTH = 200;
/** Models or API keys of one statement; the rest is one line, and the other formats list it. 1,000 lines take 25 pages. */
const MAX_LINES = 1000;

/** Everything that a printed statement is made from. */
export interface StatementContent {
  statement: StatementWire;
  /** The site's name. */
  site: string;
  /** Of the texts, as a tag of BCP 47. */
  language: string;
  words: StatementWords;
  causes: Readonly<Record<LedgerCause, string>>;
  /** Points per US dollar; undefined on a site that shows points. */
  quotaPerUnit: number | undefined;
  /** The clock's offset from UTC at the end of the month. */
  endOffsetMinutes: number;
  /** Unix seconds. */
  madeAt: number;
}

export interface PaperRow {
  label: string;
  count: string;
  amount: string;
  isSum: boolean;
}

/** The texts of a printed statement, in their order. */
export interface StatementPaper {
  site: string;
  heading: string;
  /** User, company title and tax number. */
  owner: string[];
  /** Period, currency and rate. */
  period: string[];
  remarks: string[];
  blocks: { title: string; rows: PaperRow[] }[];
  made: string;
  pageText(page: number, pages: number): string;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Unix seconds by a clock, as the console shows them, with its offset: "2026-10-01 00:00:00 UTC+08:00". */
const timeText = (seconds: number, offsetMinutes: number): string => {
  const size = Math.abs(offsetMinutes);
  const name =
    size === 0 ? "" : `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  const time = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, -5).replace("T", " ");
  return `${time} UTC${name}`;
};

const isCause = (cause: string): cause is LedgerCause => LEDGER_CAUSES.some((each) => each === cause);

/** The amounts' currency, by its code where the font does not have its symbol. */
const scaleOf = (
  { statement, quotaPerUnit }: StatementContent,
  hasGlyph: HasGlyph,
): AmountScale | undefined => {
  if (quotaPerUnit === undefined) return undefined;
  const shown = readCurrency(statement) ?? DOLLARS;
  const isPrintable = [...shown.symbol].every((character) => hasGlyph(character.codePointAt(0) ?? 0));
  return { quotaPerUnit, shown: isPrintable ? shown : { ...shown, symbol: shown.currency } };
};

/** The texts of a statement on paper, with the lines of the console's page. */
export const layOutStatement = (content: StatementContent, hasGlyph: HasGlyph): StatementPaper => {
  const { statement, words, causes, madeAt, endOffsetMinutes } = content;
  const { opening, closing, movements, charged, models, tokens, title } = statement;
  const clean = (text: string): string => printableText(text, MAX_NAME_LENGTH, hasGlyph);
  const scale = scaleOf(content, hasGlyph);
  const places = scale && columnPlaces(statementQuotas(statement), scale);
  const amountOf = (quota: number | null): string =>
    quota === null ? words.unknown : quotaText(quota, scale, places);
  const times = (count: number): string => fillText(words.times, { count });
  const requestsOf = (lines: StatementWire["models"]): number =>
    lines.reduce((sum, { requests }) => sum + requests, 0);
  const sum = (label: string, quota: number | null): PaperRow => ({
    ...{ label, count: "", amount: amountOf(quota) },
    isSum: true,
  });
  const row = (label: string, count: number, amount: string): PaperRow => ({
    ...{ label, count: times(count), amount },
    isSum: false,
  });
  const usedBlock = (heading: string, lines: StatementWire["models"]) => {
    const rest = lines.slice(MAX_LINES);
    const restQuota = rest.reduce((all, { quota }) => all + quota, 0);
    return {
      title: heading,
      rows: [
        ...lines
          .slice(0, MAX_LINES)
          .map(({ key, name, requests, quota }) =>
            row(clean(name === "" ? `#${key}` : name), requests, amountOf(quota)),
          ),
        ...(rest.length > 0
          ? [row(fillText(words.more, { count: rest.length }), requestsOf(rest), amountOf(restQuota))]
          : []),
        sum(words.sum, charged),
      ],
    };
  };
  const taxNumber = title && clean(title.tax_number);
  return {
    site: clean(content.site),
    heading: fillText(words.of, { month: statement.month }),
    owner: [
      `${clean(statement.username)} #${statement.user_id}`,
      ...(title ? [clean(title.name)] : []),
      ...(taxNumber ? [fillText(words.taxNumber, { number: taxNumber })] : []),
    ],
    period: [
      `${timeText(statement.from, statement.offset_minutes)} –`,
      timeText(statement.end - 1, endOffsetMinutes),
      ...(scale && scale.shown.currency !== DOLLARS.currency
        ? [
            fillText(words.rate, {
              amount: withSymbol(scale.shown.rate, scale.shown),
              currency: scale.shown.currency,
              points: scale.quotaPerUnit.toLocaleString("en-US"),
            }),
          ]
        : []),
    ],
    remarks: [
      ...(opening === null ? [words.before] : []),
      ...(statement.is_partial
        ? [fillText(words.partial, { time: timeText(statement.from, statement.offset_minutes) })]
        : []),
    ],
    blocks: [
      {
        title: words.balance,
        rows: [
          sum(words.opening, opening),
          ...movements.map(({ cause, entries, quota }) =>
            row(
              isCause(cause) ? causes[cause] : clean(cause),
              entries,
              signedQuotaText(quota, scale, places),
            ),
          ),
          row(
            words.charged,
            requestsOf(models),
            charged === 0 ? amountOf(0) : signedQuotaText(0 - charged, scale, places),
          ),
          sum(words.closing, closing),
        ],
      },
      ...(models.length > 0 ? [usedBlock(words.byModel, models)] : []),
      ...(tokens.length > 0 ? [usedBlock(words.byToken, tokens)] : []),
    ],
    made: fillText(words.made, { time: timeText(madeAt, endOffsetMinutes) }),
    pageText: (page, pages) => fillText(words.page, { page, pages }),
  };
};
