import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { readConfig } from "@tollgate/server/config";
import { Option } from "commander";
import type { CommandContext, DefineCommand, ExitCode } from "../command";
import { readLanguage } from "../import/language";
import type { SubscriptionDecision } from "../import/map-plans";
import type { MissingPriceDecision, PriceDecision } from "../import/mapped";
import { readWhole } from "../read-arguments";
import { resolvePath } from "../resolve-path";

interface ImportOptions {
  from: string;
  logsFrom?: string;
  apply?: boolean;
  subscriptions: SubscriptionDecision;
  unlimitedSubscriptions?: number;
  missingPrices?: MissingPriceDecision;
  pricing?: string;
  priceConflicts?: PriceDecision;
  report?: string;
}

/** A path is seen from where the person is; an address stays as it is. */
const resolveSource = (environment: NodeJS.ProcessEnv, text: string): string =>
  /@|:/.test(text) ? text : resolvePath(environment, text);

const importData = async (
  { environment, output }: CommandContext,
  options: ImportOptions,
): Promise<ExitCode> => {
  const { from, logsFrom, apply = false, pricing, report: file } = options;
  const language = readLanguage(environment);
  const { openSource } = await import("@tollgate/storage/sources/open-source");
  const { openTarget } = await import("../import/open-target");
  const { runImport } = await import("../import/run-import");
  const { formatRefusal } = await import("../import/format-refusal");
  const { formatReport } = await import("../import/format-report");
  const config = readConfig(environment);
  const told = pricing === undefined ? undefined : readFileSync(resolvePath(environment, pricing), "utf8");
  const path = file === undefined ? undefined : resolvePath(environment, file);
  // Where it cannot be written it is better known before than after.
  if (path !== undefined) closeSync(openSync(path, "a", 0o600));
  try {
    const main = await openSource(resolveSource(environment, from));
    try {
      const log = logsFrom === undefined ? main : await openSource(resolveSource(environment, logsFrom));
      try {
        const report = await runImport({
          sources: { main, log },
          target: openTarget(config, (table, rows) => output.progress(`→ ${table}: ${rows}`)),
          isApplied: apply,
          plans: {
            subscriptions: options.subscriptions,
            unlimitedQuota: options.unlimitedSubscriptions,
          },
          pricing: told,
          priceDecision: options.priceConflicts,
          missingPrices: options.missingPrices,
          now: toUnixSeconds(Date.now()),
          onRead: (table, rows) => output.progress(`${table}: ${rows}`),
        });
        for (const line of formatReport(report, { language, isWhole: false })) output.print(line);
        if (path !== undefined) {
          const text = path.endsWith(".json")
            ? JSON.stringify(report, null, 2)
            : formatReport(report, { language, isWhole: true }).join("\n");
          writeFileSync(path, `${text}\n`, { mode: 0o600 });
        }
        output.result(report);
        return 0;
      } finally {
        if (log !== main) await log.close();
      }
    } finally {
      await main.close();
    }
  } catch (error) {
    throw new Error(formatRefusal(error, language));
  }
};

/** Moves in from one-api or new-api. */
export const defineImport: DefineCommand = (program, { run }) => {
  program
    .command("import")
    .description(
      "move in from one-api 0.5, one-api 0.6 or new-api; says what would happen, and writes nothing without --apply",
    )
    .requiredOption("--from <file or DSN>", "its SQLite file, or its SQL_DSN (mysql://…, postgres://…)")
    .option("--logs-from <file or DSN>", "its LOG_SQL_DSN, where its log is in another database")
    .option("--apply", "write it into the empty folder or database that DATA_DIR or DATABASE_URL names")
    .addOption(
      new Option("--subscriptions <decision>", "take running subscriptions over as plans, or leave them out")
        .choices(["plans", "drop"])
        .default("plans"),
    )
    .option(
      "--unlimited-subscriptions <quota>",
      "quota of a period for subscriptions without a limit; 0 leaves them out",
      readWhole,
    )
    .addOption(
      new Option(
        "--missing-prices <decision>",
        "refuse offered models without a price, or charge the source's ratio for unknown models",
      ).choices(["refuse", "fallback"]),
    )
    .addOption(
      new Option(
        "--price-conflicts <decision>",
        "which price holds where the source sells one model at several",
      ).choices(["dearest", "cheapest"]),
    )
    .option("--pricing <file>", "what the running source answers on /api/pricing or /api/option/")
    .option("--report <file>", "write the whole report there, every odd row by its id; as JSON for *.json")
    .action((options: ImportOptions) => run((context) => importData(context, options)));
};
