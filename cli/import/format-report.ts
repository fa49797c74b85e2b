import { formatTable } from "../output";
import { fillIn, type Language, type Text } from "./language";
import type { Series } from "./origin";
import { REMARK_TEXTS, type RemarkEffect } from "./remarks";
import type { ImportReport } from "./report";
import type { ReportedRemark } from "./table-remarks";

const SERIES: Readonly<Record<Series, string>> = {
  "one-api-0.5": "one-api 0.5",
  "one-api-0.6": "one-api 0.6",
  "new-api": "new-api",
};

const EFFECTS: Readonly<Record<RemarkEffect, Text>> = {
  changed: { en: "changed", zh: "已修改" },
  "left-out": { en: "left out", zh: "未导入" },
  noted: { en: "note", zh: "提示" },
};

const TEXTS = {
  from: { en: "From {source} ({program}{version})", zh: "来源：{source}（{program}{version}）" },
  into: { en: "Into {target}", zh: "目标：{target}" },
  columns: { en: "table,read,taken,changed,left out", zh: "表,读取,导入,修改,未导入" },
  more: { en: "… and {count} more", zh: "……另有 {count} 行" },
  moreInReport: {
    en: "… and {count} more: --report <file> lists them",
    zh: "……另有 {count} 行：用 --report <文件> 列出",
  },
  quota: {
    en: "Balances: {before} in the source, {leftOut} of users who are left out, {changed} by changes, {after} here.",
    zh: "余额合计：来源 {before}，未导入用户 {leftOut}，修改 {changed}，导入后 {after}。",
  },
  unknownTable: {
    en: "The table {table} ({rows} rows) is not known, and was not read.",
    zh: "未知的表 {table}（{rows} 行），未读取。",
  },
  unknownColumn: {
    en: "The column {table}.{column} (filled in {rows} rows) is not known, and was not read.",
    zh: "未知的列 {table}.{column}（{rows} 行有内容），未读取。",
  },
  passedOver: {
    en: "Not taken over, because nothing here needs it or it cannot be moved: {tables}.",
    zh: "无需导入或无法迁移的表：{tables}。",
  },
  models: {
    en: "{keys} enabled keys of enabled users were compared: {count} see other models than before.",
    zh: "已比较 {keys} 个启用的令牌：{count} 个可见模型与之前不同。",
  },
  modelsOf: {
    en: "  keys {keys}: missing {missing}; new {added}",
    zh: "  令牌 {keys}：缺少 {missing}；新增 {added}",
  },
  prices: {
    en: "{lines} lines of the log were priced again: {count} models differ by more than 1 %.",
    zh: "已按新价格重算 {lines} 行日志：{count} 个模型的差异超过 1%。",
  },
  pricesOf: {
    en: "  {model}: {lines} lines, {before} then, {after} now (line {example})",
    zh: "  {model}：{lines} 行，原 {before}，现 {after}（例如第 {example} 行）",
  },
  noPrice: {
    en: "  {model}: {lines} lines; it has no price here",
    zh: "  {model}：{lines} 行，此处没有价格",
  },
  saysTooLittle: {
    en: "  {model}: {lines} lines say too little to be priced again",
    zh: "  {model}：{lines} 行的信息不足以重新计价",
  },
  dry: {
    en: "Nothing was written. Add --apply to do it.",
    zh: "尚未写入任何内容。加上 --apply 执行导入。",
  },
  done: {
    en: "All of it was written. Start the gateway, and look at it with tollgate doctor.",
    zh: "已全部写入。请启动网关，并用 tollgate doctor 检查。",
  },
} as const satisfies Readonly<Record<string, Text>>;

/** How many rows of which the same is said are listed on a terminal, and how many ids in one line. */
const SHOWN_ROWS = 5;
const SHOWN_IDS = 20;
/** How many names of models a line has at most. */
const SHOWN_MODELS = 10;

interface Style {
  language: Language;
  /** Everything that is known, for a file; else what a terminal has room for. */
  isWhole: boolean;
}

const listOf = (items: readonly (string | number)[], shown: number): string =>
  items.length === 0 ? "–" : `${items.slice(0, shown).join(", ")}${items.length > shown ? " …" : ""}`;

const formatMore = (count: number, { language, isWhole }: Style): string =>
  `    ${fillIn(TEXTS[isWhole ? "more" : "moreInReport"][language], { count })}`;

const formatRemark = (
  table: string,
  { effect, code, count, rows }: ReportedRemark,
  style: Style,
): string[] => {
  const { language, isWhole } = style;
  const text = REMARK_TEXTS[code][language];
  const head = `${table}, ${EFFECTS[effect][language]}, ${count}`;
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
  const say = (key: keyof typeof TEXTS, values: Readonly<Record<string, string | number>>): string =>
    fillIn(TEXTS[key][language], values);
  return [
    say("models", {
      keys: models.keys,
      count: models.differences.reduce((sum, { keys }) => sum + keys.length, 0),
    }),
    ...models.differences.slice(0, most).map(({ keys, missing, added }) =>
      say("modelsOf", {
        keys: listOf(keys, most),
        missing: listOf(missing, most),
        added: listOf(added, most),
      }),
    ),
    say("prices", { lines: prices.lines, count: prices.differences.length }),
    ...prices.differences.slice(0, most).map((difference) => say("pricesOf", difference)),
    ...prices.unknown
      .slice(0, most)
      .map(({ model, lines, reason }) =>
        say(reason === "no-price" ? "noPrice" : "saysTooLittle", { model, lines }),
      ),
  ];
};

/**
 * Says what an import did, or would do.
 * @returns its lines.
 */
export const formatReport = (report: ImportReport, style: Style): string[] => {
  const { language } = style;
  const say = (key: keyof typeof TEXTS, values: Readonly<Record<string, string | number>> = {}): string =>
    fillIn(TEXTS[key][language], values);
  const { origin, tables, unknown, passedOver } = report;
  const version = origin.version === undefined || origin.version === "" ? "" : ` ${origin.version}`;
  const filled = passedOver.filter(({ rows }) => rows > 0);
  return [
    say("from", { source: report.source, program: SERIES[origin.series], version }),
    say("into", { target: report.target }),
    "",
    ...formatTable([
      TEXTS.columns[language].split(","),
      ...tables.map(({ table, read, taken, changed, leftOut }) => [table, read, taken, changed, leftOut]),
    ]),
    "",
    ...tables.flatMap(({ table, remarks }) =>
      remarks.flatMap((remark) => formatRemark(table, remark, style)),
    ),
    ...unknown.tables.map((each) => say("unknownTable", each)),
    ...unknown.columns.map((each) => say("unknownColumn", each)),
    ...(filled.length === 0
      ? []
      : [say("passedOver", { tables: filled.map(({ table, rows }) => `${table} (${rows})`).join(", ") })]),
    say("quota", report.quota),
    ...formatProof(report.proof, style),
    "",
    say(report.isApplied ? "done" : "dry"),
  ];
};
