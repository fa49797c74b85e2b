import { deepStrictEqual } from "node:assert/strict";
import { type ApiAnswer, type ApiCall, callApi } from "./api-client";

/** What an answer must be; everything left out is not looked at. */
export interface ExpectedAnswer {
  status?: number;
  /** `success` of an /api envelope. */
  success?: boolean;
  /** Text in `message`, or in `error.message` of a /v1 answer. */
  message?: string | RegExp;
  /** Texts that the whole body contains. */
  contains?: readonly string[];
  /** Texts that appear nowhere in the body or the headers. */
  lacks?: readonly string[];
  /** Fields that the JSON body has, with these values. */
  fields?: Record<string, unknown>;
}

/** One HTTP case: who does what, and what must come of it. */
export interface HttpRow {
  name: string;
  /** A key of the runner's callers. */
  as: string;
  method: string;
  path: string;
  /** An object travels as JSON, text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  expect: ExpectedAnswer;
  /** True for a row that is meant to change something; every other row must leave the snapshot as it was. */
  changes?: boolean;
}

export interface RowContext {
  /** Base address. */
  url: string;
  /** Who a row may come from. */
  callers: Record<string, ApiCall>;
  /** What must stay as it is, unless a row says that it changes something. */
  snapshot?: () => Promise<unknown>;
}

const messageOf = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return "";
  const { message, error } = body as { message?: unknown; error?: { message?: unknown } };
  return String(message ?? error?.message ?? "");
};

/** Every way in which an answer is not what the row expects; empty when it is. */
export const listDeviations = (answer: ApiAnswer, expected: ExpectedAnswer): string[] => {
  const found: string[] = [];
  const { status, success, message, contains = [], lacks = [], fields = {} } = expected;
  if (status !== undefined && answer.status !== status) found.push(`status ${answer.status}, not ${status}`);
  if (success !== undefined && answer.body?.success !== success) {
    found.push(`success ${answer.body?.success}, not ${success}`);
  }
  const told = messageOf(answer.body);
  if (typeof message === "string" && !told.includes(message)) found.push(`message without "${message}"`);
  if (message instanceof RegExp && !message.test(told)) found.push(`message not like ${message}`);
  for (const text of contains) if (!answer.text.includes(text)) found.push(`body without "${text}"`);
  const everything = `${answer.text}\n${[...answer.headers].join("\n")}`;
  for (const text of lacks) if (everything.includes(text)) found.push(`"${text}" shows`);
  for (const [name, value] of Object.entries(fields)) {
    const actual = JSON.stringify(answer.body?.[name]);
    if (actual !== JSON.stringify(value)) found.push(`${name} ${actual}, not ${JSON.stringify(value)}`);
  }
  return found;
};

/**
 * Runs one row.
 * @throws Error that shows the answer when it deviates, or what changed although nothing should have.
 */
export const runHttpRow = async (
  row: HttpRow,
  { url, callers, snapshot }: RowContext,
): Promise<ApiAnswer> => {
  const caller = callers[row.as];
  if (caller === undefined)
    throw new Error(`No caller "${row.as}"; known: ${Object.keys(callers).join(", ")}`);
  const before = row.changes ? undefined : await snapshot?.();
  const answer = await callApi(row.method, url + row.path, row.body, {
    ...caller,
    headers: { ...caller.headers, ...row.headers },
  });
  const deviations = listDeviations(answer, row.expect);
  if (deviations.length > 0) {
    throw new Error(
      `${row.method} ${row.path} as ${row.as}: ${deviations.join("; ")}\n${answer.status} ${answer.text.slice(0, 2000)}`,
    );
  }
  if (!row.changes && snapshot !== undefined) {
    deepStrictEqual(await snapshot(), before, `${row.method} ${row.path} as ${row.as} changed something`);
  }
  return answer;
};
