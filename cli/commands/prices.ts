import { readFile } from "node:fs/promises";
import { listMissingPrices, previewPrices, takePrices } from "@tollgate/contract/api/prices";
import {
  MAX_ACCEPTED,
  PRICE_SOURCES,
  type PriceDifference,
  type PriceRow,
  type PriceSource,
} from "@tollgate/contract/management/price-sync";
import type { CommandContext, DefineCommand, ExitCode } from "../command";
import { callEndpoint, type OperatorApi } from "../operator/operator-api";
import { withOperator } from "../operator/with-operator";
import { resolvePath } from "../resolve-path";

interface Asked {
  source: PriceSource;
  url?: string;
  document?: string;
}

const NAMED_SOURCES: readonly string[] = PRICE_SOURCES.filter(
  (each) => each !== "url" && each !== "document",
);

const isNamed = (text: string): text is PriceSource => NAMED_SOURCES.includes(text);

/** A source by its name, an address, or a file. */
const readSource = async (environment: NodeJS.ProcessEnv, from: string): Promise<Asked> => {
  if (isNamed(from)) return { source: from };
  if (/^https?:\/\//.test(from)) return { source: "url", url: from };
  return { source: "document", document: await readFile(resolvePath(environment, from), "utf8") };
};

const usd = (value: number | undefined): string => (value === undefined ? "-" : String(value));

const formatDifference = ({
  part,
  above_tokens,
  old,
  next,
  percent,
}: PriceDifference): (string | number)[] => [
  above_tokens === 0 ? part : `${part} above ${above_tokens}`,
  usd(old),
  usd(next),
  percent === undefined ? "" : `${percent > 0 ? "+" : ""}${percent} %`,
];

const stateOf = ({ state, fault, is_locked }: PriceRow): string =>
  [fault ? `refused: ${fault}` : state, ...(is_locked ? ["locked"] : [])].join(", ");

const linesOf = (row: PriceRow): (string | number)[][] => {
  const differences = row.differences.map(formatDifference);
  const lines = differences.length === 0 ? [["", "", "", ""]] : differences;
  return lines.map((line, index) => (index === 0 ? [row.model, stateOf(row), ...line] : ["", "", ...line]));
};

const acceptAll = async (
  api: OperatorApi,
  source: PriceSource,
  version: number,
  rows: readonly PriceRow[],
): Promise<number> => {
  let price_version = version;
  for (let from = 0; from < rows.length; from += MAX_ACCEPTED) {
    const prices = Object.fromEntries(
      rows.slice(from, from + MAX_ACCEPTED).map(({ model, price }) => [model, price]),
    );
    ({ price_version } = await callEndpoint(api, takePrices, { body: { source, price_version, prices } }));
  }
  return rows.length;
};

const sync = async (
  { environment, output }: CommandContext,
  { from, yes, onlyOffered }: { from: string; yes?: boolean; onlyOffered?: boolean },
): Promise<ExitCode> => {
  const asked = await readSource(environment, from);
  return withOperator(environment, async (api): Promise<ExitCode> => {
    const { price_version, rows } = await callEndpoint(api, previewPrices, {
      body: { ...asked, only_offered: onlyOffered === true },
    });
    const told = rows.filter(({ state }) => state !== "same");
    const acceptable = rows.filter(({ price, is_locked }) => price !== undefined && !is_locked);
    if (told.length > 0)
      output.table([["model", "state", "part", "old USD", "new USD", "change"], ...told.flatMap(linesOf)]);
    output.print(
      `${rows.length} models compared: ${acceptable.length} prices can be accepted, ${rows.length - told.length} are the same.`,
    );
    const accepted = yes === true ? await acceptAll(api, asked.source, price_version, acceptable) : 0;
    if (accepted > 0) output.print(`${accepted} prices were accepted and hold now.`);
    else if (acceptable.length > 0) output.print("Nothing was changed: add --yes to accept them.");
    output.result({ accepted, rows: told });
    return 0;
  });
};

const formatMissing = async ({ environment, output }: CommandContext): Promise<ExitCode> => {
  const { models, more_models } = await withOperator(environment, (api) =>
    callEndpoint(api, listMissingPrices, {}),
  );
  if (models.length === 0) output.print("Every offered model has a price.");
  else
    output.table([
      ["model", "reason", "catalogue", "channels"],
      ...models.map(({ model, reason, price, channels, more_channels }) => [
        model,
        reason,
        price ? "has a price" : "-",
        [
          ...channels.map(({ id, name }) => `${id} ${name}`),
          ...(more_channels === undefined ? [] : [`${more_channels} more`]),
        ].join(", "),
      ]),
    ]);
  if (more_models !== undefined)
    output.print(`${more_models} more models have no price; they are listed once these have one.`);
  output.result(models);
  return 0;
};

/** Compares prices with published lists, and says which are missing. */
export const definePrices: DefineCommand = (program, { run }) => {
  const prices = program
    .command("prices")
    .description("compare prices with published lists, and find missing ones");

  prices
    .command("sync")
    .description("compare the prices with a list; changes nothing without --yes")
    .requiredOption(
      "--from <source>",
      `${NAMED_SOURCES.join(", ")}, the address of another gateway or of such a list, or a file with one`,
    )
    .option("--only-offered", "of the list only what channels in use offer, and what has a price of its own")
    .option("--yes", "accept all that are new or differ, but for locked ones")
    .action((options: { from: string; yes?: boolean; onlyOffered?: boolean }) =>
      run((context) => sync(context, options)),
    );

  prices
    .command("missing")
    .description("the offered models that requests are refused for, because they have no price")
    .action(() => run(formatMissing));
};
