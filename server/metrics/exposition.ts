/*
 * The text format of Prometheus, version 0.0.4, as scrapers read it
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */

/** Content-Type of the text. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Kind of a metric: a value that only grows, one that goes up and down, or a distribution of values. */
export type MetricKind = "counter" | "gauge" | "histogram";

/** A metric; all of its samples follow its head. */
export interface Metric {
  /** In base units: `_seconds`, `_bytes`; `_total` for values that only grow. */
  readonly name: string;
  readonly kind: MetricKind;
  /** One English sentence. */
  readonly help: string;
}

export type Labels = Readonly<Record<string, string | number>>;

/** Longest written name of a model or a channel. */
const MAX_CHARACTERS = 200;

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

/**
 * A label's value. The format allows control characters other than a line feed, but they break displays; a lone
 * surrogate has no bytes in UTF-8.
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
