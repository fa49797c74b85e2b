import { logPhraseSchema, PRICES_OF_PHRASES } from "@tollgate/contract/values/log-phrase";
import { DOLLARS } from "@tollgate/contract/values/shown-currency";
import { z } from "zod/mini";
import type { LogTexts } from "./catalogue";
import { inEachLanguage, type Language } from "./languages";

/*
 * Searches match the beginning of a line's text, but lines are stored as phrases. So a search is converted: the texts
 * of the reader's language show which phrases begin like this, and where their JSON has the rest of the search.
 */

/** A part of a phrase's text: words, or a field with the characters around its value in the JSON. */
interface Field {
  field: string;
  open: string;
  close: string;
  isText: boolean;
}
/** An amount or a price in the site's currency: its JSON has US dollars, which the text alone does not tell. */
interface Converted {
  converted: true;
}
type Piece = { words: string } | Field | Converted;

/** One text of a phrase. */
interface LogPhrase {
  /** `{"code":"redeemed"` */
  begin: string;
  /** In the order of the JSON. */
  fields: readonly string[];
  pieces: readonly Piece[];
}

/** More of a search than this is not looked at, and no more ways to read it than that. */
const MAX_CHARACTERS = 200;
const MAX_STEPS = 5000;
const MAX_BEGINNINGS = 100;

const TEXT = { open: '"', close: '"', isText: true };
const NUMBER = { open: "", close: "", isText: false };
const AMOUNT_KINDS = ["usd", "quota"] as const;
const AMOUNTS = {
  usd: { open: '{"usd":"', close: '"}', isText: true },
  quota: { open: '{"quota":', close: "}", isText: false },
};

/** "a {b} c" as "a ", b, " c". */
const cut = (text: string, piecesOf: (field: string) => readonly Piece[]): Piece[] =>
  text.split(/\{(\w+)\}/).flatMap((part, index): readonly Piece[] => {
    if (index % 2 === 1) return piecesOf(part);
    return part === "" ? [] : [{ words: part.toLowerCase() }];
  });

const phrasesOf = ({ phrases, amounts }: LogTexts, isConverted: boolean): LogPhrase[] =>
  logPhraseSchema.def.options.flatMap(({ shape }): LogPhrase[] => {
    const { code, ...rest } = shape;
    const [name] = code.def.values;
    if (name === undefined) return [];
    const schemas = new Map(Object.entries<z.ZodMiniType>(rest));
    const isAmount = (field: string): boolean => schemas.get(field) instanceof z.ZodMiniUnion;
    const isPrice = (field: string): boolean => PRICES_OF_PHRASES[name]?.includes(field) === true;
    const piecesOf = (field: string, kind: (typeof AMOUNT_KINDS)[number]): readonly Piece[] => {
      if (isAmount(field)) return cut(amounts[kind], () => [{ field, ...AMOUNTS[kind] }]);
      if (isPrice(field)) return [{ words: DOLLARS.symbol }, { field, ...TEXT }];
      return [{ field, ...(schemas.get(field) instanceof z.ZodMiniString ? TEXT : NUMBER) }];
    };
    const fields = [...schemas.keys()];
    const hasAmount = fields.some(isAmount);
    const kinds = hasAmount ? AMOUNT_KINDS : AMOUNT_KINDS.slice(0, 1);
    const pieces = kinds.map((kind) => cut(phrases[name], (field) => piecesOf(field, kind)));
    if ((hasAmount || fields.some(isPrice)) && isConverted)
      pieces.push(
        cut(phrases[name], (field) => {
          if (isPrice(field)) return [{ converted: true }];
          return isAmount(field) ? cut(amounts.money, () => [{ converted: true }]) : piecesOf(field, "usd");
        }),
      );
    return pieces.map((each) => ({ begin: `{"code":"${name}"`, fields, pieces: each }));
  });

/** A value as in the JSON; without its end when it is incomplete. */
const encodeValue = ({ open, close, isText }: Field, value: string, isWhole: boolean): string =>
  open + (isText ? JSON.stringify(value).slice(1, -1) : value) + (isWhole ? close : "");

/** The JSON of a phrase up to the first field that the search does not reach. */
const encodeBegun = (
  { begin, fields }: LogPhrase,
  known: ReadonlyMap<string, string>,
  field?: string,
): string => {
  let text = begin;
  for (const each of fields) {
    const value = known.get(each);
    if (value === undefined) break;
    text += `,"${each}":${value}`;
    if (each === field) break;
  }
  return text;
};

class Search {
  readonly beginnings = new Set<string>();
  private steps = 0;

  constructor(
    private readonly phrases: readonly LogPhrase[],
    private readonly separator: string,
  ) {}

  /** @param before the JSON so far. @param rest the part of the search still to match. */
  follow(before: string, rest: string): void {
    if (rest === "") this.add(before);
    else for (const phrase of this.phrases) this.walk(phrase, 0, before, rest, new Map());
  }

  private add(beginning: string): void {
    if (this.beginnings.size < MAX_BEGINNINGS) this.beginnings.add(beginning);
  }

  private walk(
    phrase: LogPhrase,
    index: number,
    before: string,
    rest: string,
    known: ReadonlyMap<string, string>,
  ): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) return;
    const piece = phrase.pieces[index];
    if (!piece) {
      const whole = `${before}${encodeBegun(phrase, known)}}`;
      if (rest.startsWith(this.separator)) this.follow(`${whole},`, rest.slice(this.separator.length));
      else if (this.separator.startsWith(rest)) this.add(rest === "" ? whole : `${whole},`);
    } else if (rest === "") {
      this.add(before + encodeBegun(phrase, known));
    } else if ("converted" in piece) {
      this.add(before + encodeBegun(phrase, known));
    } else if ("words" in piece) {
      const { words } = piece;
      if (rest.startsWith(words)) this.walk(phrase, index + 1, before, rest.slice(words.length), known);
      else if (words.startsWith(rest)) this.add(before + encodeBegun(phrase, known));
    } else {
      const longest = piece.isText ? rest.length : (/^\d*/.exec(rest)?.[0].length ?? 0);
      if (longest === rest.length)
        this.add(
          before +
            encodeBegun(
              phrase,
              new Map([...known, [piece.field, encodeValue(piece, rest, false)]]),
              piece.field,
            ),
        );
      for (let length = 1; length <= longest; length += 1) {
        const value = encodeValue(piece, rest.slice(0, length), true);
        this.walk(phrase, index + 1, before, rest.slice(length), new Map([...known, [piece.field, value]]));
      }
    }
  }
}

const PHRASES = inEachLanguage(({ log }) => ({
  phrases: phrasesOf(log, false),
  converted: phrasesOf(log, true),
  separator: log.separator.toLowerCase(),
}));

/**
 * Returns prefixes of the stored JSON of lines whose text begins with these words; for a case-insensitive comparison.
 * Where a text orders a phrase's fields unlike the JSON, the prefixes may match further lines.
 * @param isConverted whether lines may have amounts in another currency than the stored US dollars; from such an amount
 * on, the prefixes match all lines.
 */
export const findLogBeginnings = (language: Language, words: string, isConverted = false): string[] => {
  const { phrases, converted, separator } = PHRASES[language];
  const search = new Search(isConverted ? converted : phrases, separator);
  search.follow("[", words.slice(0, MAX_CHARACTERS).toLowerCase());
  return [...search.beginnings];
};
