/** One sample of a metrics text. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** A metric with all of its samples. */
export interface ReadMetric {
  kind: string;
  help: string;
  samples: Sample[];
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y;

const unescaped = (text: string): string =>
  text.replaceAll(/\\(["\\n])/g, (_, character: string) => (character === "n" ? "\n" : character));

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no labels: ${text}`);
    if (name in labels) throw new Error(`a label twice: ${text}`);
    labels[name] = unescaped(value);
  }
  return labels;
};

const SUFFIX = /_(?:bucket|sum|count)$/;

/**
 * Parses a text of Prometheus' format more strictly than its own parser: each metric has one head, followed by its
 * samples, and no series occurs twice.
 * @throws Error that shows the line.
 */
export const readExposition = (text: string): Map<string, ReadMetric> => {
  const metrics = new Map<string, ReadMetric>();
  const seen = new Set<string>();
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line feed");
  let current: { name: string; metric: ReadMetric } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP (\S+) (.+)$/.exec(line);
    if (help) {
      const [, name = "", words = ""] = help;
      if (metrics.has(name)) throw new Error(`a metric twice: ${line}`);
      const metric: ReadMetric = { kind: "", help: words, samples: [] };
      current = { name, metric };
      metrics.set(name, metric);
      continue;
    }
    const kind = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (kind) {
      if (!current || kind[1] !== current.name) throw new Error(`a type without its help: ${line}`);
      current.metric.kind = kind[2] ?? "";
      continue;
    }
    const [, name, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name === undefined || !current) throw new Error(`no sample: ${line}`);
    const base = current.metric.kind === "histogram" ? name.replace(SUFFIX, "") : name;
    if (base !== current.name) throw new Error(`a sample below another metric: ${line}`);
    const sample: Sample = { name, labels: readLabels(labels), value: Number(value) };
    if (Number.isNaN(sample.value)) throw new Error(`no number: ${line}`);
    const series = JSON.stringify([name, Object.entries(sample.labels).sort()]);
    if (seen.has(series)) throw new Error(`a series twice: ${line}`);
    seen.add(series);
    current.metric.samples.push(sample);
  }
  return metrics;
};

/** The sum of the samples of a metric that have these labels. */
export const sumOf = (
  metrics: ReadonlyMap<string, ReadMetric>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number => {
  let sum = 0;
  for (const sample of metrics.get(name)?.samples ?? [])
    if (Object.entries(labels).every(([label, value]) => sample.labels[label] === value)) sum += sample.value;
  return sum;
};
