import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { METRICS } from "./catalogue";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const textOf = (file: string): string => readFileSync(join(DEPLOY, file), "utf8");

const DASHBOARD = textOf("grafana/tollgate.json");
const ALERTS = textOf("prometheus/alerts.yaml");

/** The queries of a dashboard, and of its variables. */
const dashboardQueries = (): string[] =>
  [...DASHBOARD.matchAll(/"(?:expr|query)": ("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = '""']) => JSON.parse(text) as string)
    .filter((text) => text.includes("_"));

const alertQueries = (): string[] =>
  [...ALERTS.matchAll(/^ +expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)/gm)].map(
    ([, block, line]) => block ?? line ?? "",
  );

/** Labels that Prometheus adds to each series. */
const ADDED = ["instance", "job"];

const DECLARED = new Map<string, readonly string[]>();
for (const { name, kind, labels } of Object.values(METRICS)) {
  if (kind !== "histogram") DECLARED.set(name, labels);
  else {
    DECLARED.set(`${name}_bucket`, [...labels, "le"]);
    for (const suffix of ["_sum", "_count"]) DECLARED.set(name + suffix, labels);
  }
}

const METRIC = /\b(?:tollgate|process|nodejs)_\w+/g;

/** Names in a query that no metric has, and labels that its metric lacks. */
const strangersIn = (query: string): string[] => {
  const strangers: string[] = [];
  const named = query.match(METRIC) ?? [];
  for (const name of named) if (!DECLARED.has(name)) strangers.push(name);
  for (const [, name = "", matchers = ""] of query.matchAll(
    /\b((?:tollgate|process|nodejs)_\w+)\{((?:[^}"]|"[^"]*")*)\}/g,
  ))
    for (const [, label = ""] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g))
      if (![...ADDED, ...(DECLARED.get(name) ?? [])].includes(label)) strangers.push(`${name} ${label}`);
  const known = new Set([...ADDED, ...named.flatMap((name) => DECLARED.get(name) ?? [])]);
  for (const [, labels = ""] of query.matchAll(/\b(?:by|on|group_left|without)\s*\(([^)]*)\)/g))
    for (const label of labels.split(",").map((each) => each.trim()))
      if (label !== "" && !known.has(label)) strangers.push(label);
  for (const [, name = "", label = ""] of query.matchAll(/label_values\((\w+), (\w+)\)/g))
    if (![...ADDED, ...(DECLARED.get(name) ?? [])].includes(label)) strangers.push(`${name} ${label}`);
  return strangers;
};

describe("the dashboard and the alert rules", () => {
  it("ask for metrics and labels that there are", () => {
    const queries = [...dashboardQueries(), ...alertQueries()];
    expect(dashboardQueries().length).toBeGreaterThan(50);
    expect(alertQueries().length).toBe(ALERTS.match(/- alert:/g)?.length);
    expect(queries.flatMap(strangersIn)).toEqual([]);
  });

  it.each([
    ["a metric", "rate(tollgate_requests[5m])", ["tollgate_requests"]],
    ["a label", 'sum(tollgate_channels{state="enabled"})', ["tollgate_channels state"]],
    ["a grouping", "sum by (node) (tollgate_holds)", ["node"]],
    ["a variable", "label_values(tollgate_ready, model)", ["tollgate_ready model"]],
  ])("do not pass with %s that there is not", (_, query, strangers) => {
    expect(strangersIn(query)).toEqual(strangers);
  });

  it("show every metric", () => {
    const shown = new Set([DASHBOARD, ALERTS].flatMap((text) => text.match(METRIC) ?? []));
    const bases = new Set([...shown].map((name) => name.replace(/_bucket$/, "")));
    expect(Object.values(METRICS).flatMap(({ name }) => (bases.has(name) ? [] : [name]))).toEqual([]);
  });

  it("have panels that do not lie over each other, each with its own number", () => {
    const { panels } = JSON.parse(DASHBOARD) as {
      panels: { id: number; title: string; gridPos: { x: number; y: number; w: number; h: number } }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
