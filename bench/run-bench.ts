import { loadavg } from "node:os";
import { coldStart } from "./parts/cold-start";
import { hostileBodies } from "./parts/hostile-bodies";
import { installationSize } from "./parts/installation-size";
import { largeBodies } from "./parts/large-bodies";
import { listPages, logPages, postgresListPages, postgresLogPages } from "./parts/log-pages";
import { logQuery } from "./parts/log-query";
import { memory } from "./parts/memory";
import { nodes } from "./parts/nodes";
import type { Part } from "./parts/part";
import { relayCost } from "./parts/relay-cost";
import { print } from "./print";
import { type PartName, readSettings, type Settings } from "./settings";
import { formatVerdict, holds, type Verdict } from "./verdicts";

/*
 * `npm run bench`: runs the requested parts in sequence, and then prints which budgets hold. Needs Linux: CPU times and
 * memory come from /proc.
 */

const PARTS: Record<PartName, { title: string; measure: Part }> = {
  cpu: { title: "CPU per request and added latency", measure: relayCost },
  memory: { title: "Resident memory", measure: memory },
  bodies: { title: "1,500 clients with bodies of 150 KB", measure: largeBodies },
  query: { title: "Latency beside the heaviest query of the log", measure: logQuery },
  start: { title: "Cold start", measure: coldStart },
  size: { title: "An installation of 10,000 channels and 200,000 keys", measure: installationSize },
  hostile: { title: "Requests that are expensive to read", measure: hostileBodies },
  logs: { title: "Pages and totals of the log", measure: logPages },
  "logs-postgres": { title: "Pages and totals of the log on PostgreSQL", measure: postgresLogPages },
  lists: { title: "Lists of a large installation", measure: listPages },
  "lists-postgres": { title: "Lists of a large installation on PostgreSQL", measure: postgresListPages },
  nodes: { title: "Several nodes on PostgreSQL", measure: nodes },
};

/** Bars that are held to elsewhere. */
const ELSEWHERE = [
  "Weight of the console's first load: held by the build, which fails above console/weight-budget.json.",
  "Charges after kill -9 under load: held by npm test (e2e/api/relay/kill.test.ts).",
];

/** @throws Error for a command line that means nothing. */
const read = (): Settings => {
  try {
    return readSettings(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
};

// Ends the children, too.
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

const settings = read();
print(`Node ${process.version}; load of the machine before the start: ${loadavg()[0]?.toFixed(2)}.`);
if (settings.isQuick)
  print("A quick run: it shows that the bench works; its figures are not for publishing.");
const verdicts: Verdict[] = [];
for (const name of settings.parts) {
  const { title, measure } = PARTS[name];
  print(`\n== ${title} (${name})\n`);
  verdicts.push(...(await measure(settings)));
}
print("\n== The budgets (bench/budgets.json)\n");
for (const verdict of verdicts) print(`  ${formatVerdict(verdict)}`);
for (const line of ELSEWHERE) print(`  ${line}`);
process.exit(settings.isStrict && !verdicts.every(holds) ? 1 : 0);
