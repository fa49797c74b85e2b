import { readFileSync, statSync } from "node:fs";
import { PLAN_BEYONDS, PLAN_RESETS, PLAN_TIMES } from "@tollgate/contract/api/plans";
import { buyingRulesSchema } from "@tollgate/contract/management/buying-price";
import { channelCalendarSchema } from "@tollgate/contract/management/channel-calendar";
import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { LIMITS } from "@tollgate/contract/management/limits";
import { modelMappingSchema } from "@tollgate/contract/management/model-mapping";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import type { OptionKey } from "@tollgate/contract/options/options";
import { limitNames, type NamedLimitsOf } from "@tollgate/contract/resource/limits";
import { NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import * as z from "zod/mini";
import type { Configuration, FileChannel, FilePlan } from "./configuration";
import { isFileOption, writeOptionText } from "./option-value";

/** Larger than any configuration: 300 channels take 200 KB. */
const MAX_BYTES = 20_000_000;

/** The only form that there is so far. */
export const FILE_VERSION = 1;

/** Fault of a file, with its line. */
export class FileFault extends Error {}

/** A file that was read and understood. */
export interface ConfigurationFile {
  configuration: Configuration;
  /** @throws FileFault that names the file and the line. */
  refuse(path: readonly (string | number)[], message: string): never;
}

// The server's own checks decide which texts a field may hold: a file of a gateway must be readable as it was written.
const text = z.string();
const names = z.array(text);
const secretSchema = z.union([text, z.strictObject({ sealed: text }), z.strictObject({ env: text })]);

const limit = z._default(z.int().check(z.nonnegative()), 0);

const limitSchemas = <L extends Parameters<typeof limitNames>[0]>(limits: L) =>
  Object.fromEntries(limitNames(limits).map((name) => [name, limit])) as Record<
    keyof NamedLimitsOf<L>,
    typeof limit
  >;

const channelSchema = z.strictObject({
  name: text.check(z.minLength(1)),
  type: z.int(),
  enabled: z._default(z.boolean(), true),
  base_url: z._default(text, ""),
  other: z._default(text, ""),
  models: names,
  groups: z._default(names, [DEFAULT_GROUP]),
  model_mapping: z._default(modelMappingSchema, {}),
  priority: z._default(z.int(), 0),
  weight: z._default(z.int(), 0),
  buying_prices: z.optional(buyingRulesSchema),
  tag: z._default(text, ""),
  test_model: z._default(text, ""),
  skip_tests: z._default(z.boolean(), false),
  calendar: z._default(channelCalendarSchema, {}),
  ...limitSchemas(CHANNEL_LIMITS),
  proxy: z.optional(secretSchema),
  overrides: z.optional(z.record(z.string(), z.unknown())),
  key: z.optional(secretSchema),
});

const userSchema = z.strictObject({
  username: text.check(z.minLength(1)),
  display_name: z._default(text, ""),
  role: z._default(z.enum(["user", "admin", "root"]), "user"),
  enabled: z._default(z.boolean(), true),
  group: z._default(text.check(z.minLength(1)), DEFAULT_GROUP),
  ...limitSchemas(LIMITS),
});

const planSchema = z.strictObject({
  title: text.check(z.minLength(1)),
  description: z._default(text, NEW_PLAN.description),
  price: limit,
  duration_unit: z._default(z.enum(PLAN_TIMES), NEW_PLAN.durationUnit),
  duration_count: z._default(z.int(), NEW_PLAN.durationCount),
  quota: limit,
  reset: z._default(z.enum(PLAN_RESETS), NEW_PLAN.reset),
  group: z._default(text, NEW_PLAN.group),
  beyond: z._default(z.enum(PLAN_BEYONDS), NEW_PLAN.beyond),
  max_per_user: limit,
  sort_order: z._default(z.int(), NEW_PLAN.sortOrder),
  enabled: z._default(z.boolean(), NEW_PLAN.isEnabled),
  ...limitSchemas(LIMITS),
});

/** The names that a plan of a file may have. */
export const PLAN_FIELDS = Object.keys(planSchema.shape) as (keyof FilePlan)[];

/** The names that a channel of a file may have. */
export const CHANNEL_FIELDS: readonly string[] = Object.keys(channelSchema.shape);

const fileSchema = z.strictObject({
  version: z.literal(FILE_VERSION),
  options: z.optional(z.record(z.string(), z.unknown())),
  channels: z.optional(z.array(channelSchema)),
  users: z.optional(z.array(userSchema)),
  plans: z.optional(z.array(planSchema)),
});

/** Returns the line of a path, or of its nearest existing parent. */
const lineOf = (root: Node | null, lines: LineCounter, path: readonly (string | number)[]): number => {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    let found: unknown;
    if (isSeq(node)) {
      found = node.items[Number(step)];
      node = found;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      found = pair?.key;
      node = pair?.value;
    }
    if (!isNode(found) || !found.range) break;
    [offset] = found.range;
  }
  return lines.linePos(offset).line;
};

const formatIssue = (issue: z.core.$ZodIssue): { path: (string | number)[]; message: string } => {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  switch (issue.code) {
    case "unrecognized_keys": {
      const [unknown = ""] = issue.keys;
      return { path: [...path, unknown], message: `there is no field ${JSON.stringify(unknown)}` };
    }
    case "invalid_type":
      return { path, message: `${pathText(path)} must be ${withArticle(issue.expected)}` };
    case "too_small":
      return { path, message: `${pathText(path)} must not be empty` };
    default:
      return { path, message: `${pathText(path)} cannot be what it is` };
  }
};

const withArticle = (type: string): string =>
  type === "int"
    ? "a whole number"
    : type === "array"
      ? "a list"
      : /^[aeiou]/.test(type)
        ? `an ${type}`
        : `a ${type}`;

const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (so, step) => (typeof step === "number" ? `${so}[${step}]` : so === "" ? step : `${so}.${step}`),
    "",
  ) || "the file";

/**
 * Reads a configuration from a text in YAML or JSON, which is YAML as well.
 * @param name of the text in messages.
 * @throws FileFault with the line of the fault.
 */
export const parseConfiguration = (name: string, content: string): ConfigurationFile => {
  const lines = new LineCounter();
  const fail = (line: number, message: string): never => {
    throw new FileFault(`${name}:${line}: ${message}.`);
  };
  let parsed: unknown;
  let root: Node | null = null;
  try {
    const document = parseDocument(content, {
      lineCounter: lines,
      prettyErrors: false,
      schema: "core",
      uniqueKeys: true,
    });
    const [error] = document.errors;
    // The reader makes an error of its own of a stack that is full.
    if (error && /call stack/i.test(error.message)) throw new RangeError(error.message);
    if (error) fail(lines.linePos(error.pos[0]).line, error.message.replace(/\.$/, ""));
    root = document.contents;
    // Aliases save typing, and let a small file grow without bound.
    parsed = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof FileFault) throw error;
    fail(
      1,
      error instanceof RangeError
        ? "it is nested too deeply"
        : "it cannot be read; aliases (*name) are not taken",
    );
  }
  const refuse = (path: readonly (string | number)[], message: string): never =>
    fail(lineOf(root, lines, path), message);
  const read = fileSchema.safeParse(parsed);
  if (!read.success) {
    const [issue] = read.error.issues;
    const { path, message } = issue ? formatIssue(issue) : { path: [], message: "it cannot be read" };
    return refuse(path, message);
  }
  const options = new Map<OptionKey, unknown>();
  for (const [key, value] of Object.entries(read.data.options ?? {})) {
    if (!isFileOption(key)) return refuse(["options", key], `there is no option ${JSON.stringify(key)}`);
    const isUsable = isSecretOption(key)
      ? secretSchema.safeParse(value).success
      : writeOptionText(key, value) !== undefined;
    if (!isUsable) return refuse(["options", key], `the option ${key} cannot have a value of this type`);
    options.set(key, value);
  }
  const channels = read.data.channels?.map(
    ({ proxy, key, buying_prices, overrides, ...channel }): FileChannel => ({
      ...channel,
      buying_prices,
      overrides,
      proxy,
      key,
    }),
  );
  return {
    configuration: { options, channels, users: read.data.users, plans: read.data.plans },
    refuse,
  };
};

/**
 * @param name of the file in messages. @param path of the file.
 * @throws FileFault, also when the file is missing.
 */
export const readConfigurationFile = (name: string, path: string): ConfigurationFile => {
  let content: string;
  try {
    if (statSync(path).size > MAX_BYTES)
      throw new FileFault(`${name} is larger than a configuration can be.`);
    content = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "no file"}.`);
  }
  return parseConfiguration(name, content);
};
