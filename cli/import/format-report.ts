import { formatTable } from "../output";
import { fillIn, type Language } from "./language";
import type { Series } from "./origin";
import type { ImportReport } from "./report";
import type { ReportedRemark } from "./table-remarks";
import { IMPORT_TEXTS, type ImportTexts } from "./texts";

const SERIES: Readonly<Record<Series, string>> = {
  "one-api-0.5": "one-api 0.5",
  "one-api-0.6": "one-api 0.6",
  "new-api": "new-api",
};

/** How many rows of which the same is said are listed on a terminal, and how many ids in one line. */
const SHOWN_ROWS = 5;
const SHOWN_IDS = 20;
/** How many names of models a line has at most. */
const SHOWN_MODELS = 10;

interface Style {
  language: Language;
  /** All details, for a file; otherwise as many as a terminal has room for. */
  isWhole: boolean;
}

const textsIn =
  (language: Language) =>
  (key: keyof ImportTexts["report"], values: Readonly<Record<string, string | number>> = {}): string =>
    fillIn(IMPORT_TEXTS[language].report[key], values);

const listOf = (items: readonly (string | number)[], shown: number): string =>
  items.length === 0 ? "–" : `${items.slice(0, shown).join(", ")}${items.length > shown ? " …" : ""}`;

const formatMore = (count: number, { language, isWhole }: Style): string =>
  `    ${fillIn(IMPORT_TEXTS[language].report[isWhole ? "more" : "moreInReport"], { count })}`;

const formatRemark = (
  table: string,
  { effect, code, count, rows }: ReportedRemark,
  style: Style,
): string[] => {
  const { language, isWhole } = style;
  const { effects, remarks } = IMPORT_TEXTS[language];
  const text = remarks[code];
  const head = `${table}, ${effects[effect]}, ${count}`;
  if (!text.includes("{")) {
    const shown = isWhole ? rows : rows.slice(0, SHOWN_IDS);
    const lines = [`  ${head}: ${text}: ${shown.map(({ id }) => fillIn("{id}", { id })).join(", ")}`];
    return count > shown.length ? [...lines, formatMore(count - shown.length, style)] : lines;
  }
  const shown = isWhole ? rows : rows.slice(0, SHOWN_ROWS);
  const lines = [
    `  ${head}:`,
    ...shown.map(({ id, values }) => `    ${fillIn("{id}", { id })}: ${fillIn(text, values)}`),
  ];
  return count > shown.length ? [...lines, formatMore(count - shown.length, style)] : lines;
};

const formatProof = ({ models, prices }: ImportReport["proof"], { language, isWhole }: Style): string[] => {
  const most = isWhole ? Number.POSITIVE_INFINITY : SHOWN_MODELS;
  const textOf = textsIn(language);
  return [
    textOf("models", {
      keys: models.keys,
      count: models.differences.reduce((sum, { keys }) => sum + keys.length, 0),
    }),
    ...models.differences.slice(0, most).map(({ keys, missing, added }) =>
      textOf("modelsOf", {
        keys: listOf(keys, most),
        missing: listOf(missing, most),
        added: listOf(added, most),
      }),
    ),
    textOf("prices", { lines: prices.lines, count: prices.differences.length }),
    ...prices.differences.slice(0, most).map((difference) => textOf("pricesOf", difference)),
    ...prices.unknown
      .slice(0, most)
      .map(({ model, lines, reason }) =>
        textOf(reason === "no-price" ? "noPrice" : "saysTooLittle", { model, lines }),
      ),
  ];
};

/**
 * Formats the report of an import, or of a trial run.
 * @returns its lines.
 */
export const formatReport = (report: ImportReport, style: Style): string[] => {
  const { language } = style;
  const textOf = textsIn(language);
  const { origin, tables, unknown, passedOver } = report;
  const version = origin.version === undefined || origin.version === "" ? "" : ` ${origin.version}`;
  const filled = passedOver.filter(({ rows }) => rows > 0);
  return [
    textOf("from", { source: report.source, program: SERIES[origin.series], version }),
    textOf("into", { target: report.target }),
    "",
    ...formatTable([
      IMPORT_TEXTS[language].report.columns.split(","),
      ...tables.map(({ table, read, taken, changed, leftOut }) => [table, read, taken, changed, leftOut]),
    ]),
    "",
    ...tables.flatMap(({ table, remarks }) =>
      remarks.flatMap((remark) => formatRemark(table, remark, style)),
    ),
    ...unknown.tables.map((each) => textOf("unknownTable", each)),
    ...unknown.columns.map((each) => textOf("unknownColumn", each)),
    ...(filled.length === 0
      ? []
      : [textOf("passedOver", { tables: filled.map(({ table, rows }) => `${table} (${rows})`).join(", ") })]),
    textOf("quota", report.quota),
    ...formatProof(report.proof, style),
    "",
    textOf(report.isApplied ? "done" : "dry"),
  ];
};
