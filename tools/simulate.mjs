// @ts-check
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";

/*
 * Simulates installations of several nodes (metering/leases/testing/): every event is drawn from a seed, and after each all
 * promises about money are examined.
 *
 *   npm run simulate -- --steps 50000000     so many events, over as many installations as that takes
 *   npm run simulate -- --first 17           beginning with this seed; otherwise with one that the clock says
 *   npm run simulate -- --seed 17            one installation again, with everything that happens in it
 *   npm run simulate -- --mutation "no epoch check"     with a fault put in on purpose
 */

const STEPS = 10_000_000;

/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(join(ROOT, "dist/simulation", `${name}.js`)).href);

/** @param {string | undefined} text @param {number} byDefault */
const readNumber = (text, byDefault) => {
  const number = text === undefined ? byDefault : Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Failure(`${text} is no number of seeds or steps.`);
  return number;
};

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      steps: { type: "string" },
      first: { type: "string" },
      seed: { type: "string" },
      mutation: { type: "string" },
    },
  });
  await install();
  await build(["simulation"]);
  const { simulate } = await load("simulate");
  const { MUTATIONS } = await load("mutations");
  const parts = values.mutation === undefined ? undefined : MUTATIONS[values.mutation];
  if (values.mutation !== undefined && !parts)
    throw new Failure(`There is no such mutation; there are: ${Object.keys(MUTATIONS).join(", ")}.`);

  const isReplay = values.seed !== undefined;
  const first = isReplay ? readNumber(values.seed, 0) : readNumber(values.first, Date.now() % 1_000_000_000);
  const startedAt = performance.now();
  const { steps, worlds, met, broken } = simulate(
    first,
    isReplay ? 1 : readNumber(values.steps, STEPS),
    parts,
    isReplay ? console.log : undefined,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const [what, times] of Object.entries(met))
    console.log(`${what.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).padEnd(24)} ${times}`);
  console.log(
    `${steps} steps in ${worlds} installations, seeds ${first} to ${first + worlds - 1}, ${seconds.toFixed(1)} s, ${Math.round(steps / seconds)} steps a second.`,
  );
  if (broken)
    throw new Failure(
      `${broken.message}\nOnce more, step by step: npm run simulate -- --seed ${broken.seed}`,
    );
  console.log("Every promise was kept.");
});
