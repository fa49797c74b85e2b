/*
 * The text format of Prometheus, version 0.0.4: what a scraper reads
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */

/** What the text is told to be. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What a number counts: what only grows, what goes up and down, or how values are spread. */
export type MetricKind = "counter" | "gauge" | "histogram";

/** A metric: all of its samples stand together, below what it is. */
export interface Metric {
  /** In base units: `_seconds`, `_bytes`; `_total` for what only grows. */
  readonly name: string;
  readonly kind: MetricKind;
  /** One English sentence. */
  readonly help: string;
}

export type Labels = Readonly<Record<string, string | number>>;

/** The longest name of a model or a channel that is told. */
const MAX_CHARACTERS = 200;

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

/**
 * A label's value. Other control characters than a line feed are allowed by the format and break whatever shows them; half of a
 * surrogate pair has no bytes in UTF-8.
 */
const writeValue = (value: string): string => {
  const cut = value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
  const wellFormed = Buffer.from(cut).toString();
  return wellFormed.replaceAll(/[\\"\p{Cc}]/gu, (character) => ESCAPES[character] ?? "\uFFFD");
};

/** @returns `a="1",b="2"` */
export const writeLabels = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${writeValue(String(value))}"`)
    .join(",");

/** The two lines above the samples of a metric. */
export const writeHead = ({ name, kind, help }: Metric): string =>
  `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${kind}\n`;

/** @param labels as `writeLabels` gives them, "" for none. */
export const writeSample = (name: string, labels: string, value: number): string =>
  labels === "" ? `${name} ${value}\n` : `${name}{${labels}} ${value}\n`;

/** A metric without labels. */
export const writeOne = (metric: Metric, value: number): string =>
  writeHead(metric) + writeSample(metric.name, "", value);
