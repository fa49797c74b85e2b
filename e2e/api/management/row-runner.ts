import { type Credentials, callApi } from "./client";
import { checkAnswer, type OpenApiDocument } from "./openapi-check";

/**
 * One HTTP case as data: who calls what, and everything that must be true afterwards. `{name}` in the path and the body
 * is replaced by the world's value of that name.
 */
export interface Row {
  /** What the row shows, where the call alone does not say it. */
  title?: string;
  /** One of the world's callers. */
  who: string;
  method: string;
  path: string;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** 200 unless said otherwise. */
  status?: number;
  /** The envelope's `success`; undefined for an answer that is no envelope. */
  success?: boolean;
  /** What the message must contain. A call that succeeds says nothing unless the row says so. */
  says?: string | RegExp;
  /** The envelope's data; an object needs to have at least these members. */
  data?: unknown;
  /** Texts that the answer must contain. */
  shows?: readonly string[];
  /** Texts that must not appear in the answer. */
  hides?: readonly string[];
  /** What the call may change, and has to: names of the world's snapshots. Everything else must stay as it was. */
  changes?: readonly string[];
}

/** Where rows run. */
export interface RowWorld {
  /** Base address of the server. */
  url: string;
  /** How each caller presents itself, asked again for each row. */
  callers: Record<string, () => Credentials | Promise<Credentials>>;
  names: Record<string, string | number>;
  document: OpenApiDocument;
  /** Everything that a call could change, by name, as text. */
  snapshot(): Record<string, string>;
  /** Never in any answer. */
  secrets: readonly string[];
}

/** Inner matters of the server, which no answer may tell. */
const INNARDS =
  /SQLITE|constraint failed|\bat [\w.<>]+ \(|\.[jt]s:\d+|node_modules|FST_ERR|ECONN|ENOENT|\$argon2|\$2[aby]\$/;

const fill = (text: string, names: RowWorld["names"]): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(names[name] ?? whole));

/** A text that is nothing but a placeholder becomes the value itself, so that ids stay numbers. */
const fillDeep = (value: unknown, names: RowWorld["names"]): unknown => {
  if (typeof value === "string") {
    const only = /^\{(\w+)\}$/.exec(value)?.[1];
    return only !== undefined && names[only] !== undefined ? names[only] : fill(value, names);
  }
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillDeep(member, names)]));
};

const includes = (actual: unknown, expected: unknown): boolean => {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => includes(actual[index], item))
    );
  }
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
  return Object.entries(expected).every(([name, member]) =>
    includes((actual as Record<string, unknown>)[name], member),
  );
};

const checkMessage = (row: Row, body: Record<string, unknown>): string[] => {
  const { message } = body;
  if (row.success === undefined) return [];
  if (body.success !== row.success) return [`success is ${body.success}: ${JSON.stringify(message)}`];
  if (typeof message !== "string") return ["message is no text"];
  if (row.says === undefined) {
    if (row.success) return message === "" ? [] : [`a call that succeeds says ${JSON.stringify(message)}`];
    return message === "" ? ["a refusal says nothing"] : [];
  }
  const isSaid = typeof row.says === "string" ? message.includes(row.says) : row.says.test(message);
  return isSaid ? [] : [`the message is ${JSON.stringify(message)}, without ${row.says}`];
};

/** What a row is called in a test report. */
export const titleOf = ({ title, who, method, path, body }: Row): string => {
  const shown = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  return `${who}: ${method} ${path.slice(0, 100)}${title === undefined ? shown.slice(0, 80) : ` – ${title}`}`;
};

/** Each row twice: without and with a slash at the end of its path. */
export const inBothSlashForms = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => {
    const [path = "", query] = row.path.split("?");
    const plain = path.replace(/\/$/, "");
    const tail = query === undefined ? "" : `?${query}`;
    return [
      { ...row, path: plain + tail },
      { ...row, path: `${plain}/${tail}` },
    ];
  });

/**
 * Makes a row's call and checks everything that it says.
 * @returns one sentence for everything that is not so; none when the row holds.
 */
export const runRow = async (world: RowWorld, row: Row): Promise<string[]> => {
  const who = world.callers[row.who];
  if (!who) throw new Error(`the world has no caller "${row.who}"`);
  const credentials = await who();
  const path = fill(row.path, world.names);
  const unfilled = /\{\w+\}/.exec(path)?.[0];
  if (unfilled !== undefined) throw new Error(`the world has no value for ${unfilled}`);
  const body = fillDeep(row.body, world.names);
  const before = world.snapshot();
  const answer = await callApi(world.url, row.method, path, body, credentials, row.headers);
  const after = world.snapshot();

  const complaints: string[] = [];
  const { status, text } = answer;
  if (status !== (row.status ?? 200)) complaints.push(`the status is ${status}: ${text}`);
  if (Object.keys(answer.body).length === 0) {
    complaints.push(`the answer is no JSON object: ${text.slice(0, 200)}`);
  } else {
    complaints.push(...checkMessage(row, answer.body));
    complaints.push(...checkAnswer(world.document, row.method, path, status, answer.body));
    if (row.success === false && answer.body.data !== undefined) complaints.push("a refusal has data");
    if ("data" in row && !includes(answer.body.data, fillDeep(row.data, world.names))) {
      complaints.push(`data is ${JSON.stringify(answer.body.data)}`);
    }
  }
  if (!answer.headers.has("x-oneapi-request-id")) complaints.push("the answer has no request id");
  for (const shown of row.shows ?? []) {
    if (!text.includes(fill(shown, world.names))) complaints.push(`the answer lacks ${shown}: ${text}`);
  }
  for (const secret of [...world.secrets, ...(row.hides ?? [])]) {
    if (text.includes(secret)) complaints.push(`the answer tells ${secret}`);
  }
  const innards = INNARDS.exec(text)?.[0];
  if (innards !== undefined) complaints.push(`the answer tells of the inside: ${innards}`);
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  const expected = [...(row.changes ?? [])].sort().join(", ");
  const actual = changed.sort().join(", ");
  if (actual !== expected) {
    complaints.push(`changed: ${actual || "nothing"}; expected: ${expected || "nothing"}`);
  }
  return complaints;
};
