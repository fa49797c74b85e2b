import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { buildCall } from "@tollgate/relay/pipeline/build-call";
import { buildOperationCall } from "@tollgate/relay/pipeline/build-operation-call";
import { resolveTarget } from "@tollgate/relay/routing/upstream-target";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { readChat } from "./read-chat";
import { readOperation } from "./read-operation";
import { refusalOf } from "./refusal-of";
import { createRouter } from "./router";

/*
 * M3: the gateway checks and charges the same values that the upstream reads. Random bodies are read by the gateway and
 * sent on; an accepted body is read again from the sent bytes, as parsers of several kinds would read it, and all must
 * agree on every field that affects a check or a price.
 */

const ownName = (model: string) => ({ model, alias: undefined });

/** Every failure names it; SEED=<number> repeats a run. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const RUNS = caseCount(3000);

const createChoice = (seed: number) => {
  const random = createRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return { below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T };
};

// --- a parser that keeps everything ---

type Pairs = { pairs: [string, Node][] };
type Node = string | number | boolean | null | Node[] | Pairs;

/** JSON with all names in order, doubled ones too. */
const parseAll = (text: string): Node => {
  let at = 0;
  const skip = () => {
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  };
  const value = (): Node => {
    skip();
    if (text[at] === "{") {
      at += 1;
      const pairs: [string, Node][] = [];
      for (skip(); text[at] !== "}"; skip()) {
        if (text[at] === ",") at += 1;
        skip();
        const name = scalar() as string;
        skip();
        at += 1;
        pairs.push([name, value()]);
      }
      at += 1;
      return { pairs };
    }
    if (text[at] === "[") {
      at += 1;
      const items: Node[] = [];
      for (skip(); text[at] !== "]"; skip()) {
        if (text[at] === ",") at += 1;
        items.push(value());
      }
      at += 1;
      return items;
    }
    return scalar();
  };
  const scalar = (): Node => {
    const [token = ""] = /^(?:"(?:[^"\\]|\\.)*"|[^\s,\]}:]+)/s.exec(text.slice(at, at + 100_000)) ?? [];
    at += token.length;
    return JSON.parse(token) as Node;
  };
  return value();
};

/** How a parser finds a name among those of an object. */
type Lookup = (pairs: readonly [string, Node][], name: string) => Node | undefined;

const asciiFold = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/** Unicode's simple folding, as Go has it: the long s and the Kelvin sign besides. */
const simpleFold = (name: string): string =>
  asciiFold(name).replaceAll("\u017f", "s").replaceAll("\u212a", "k");
const first =
  (fold: (name: string) => string): Lookup =>
  (pairs, name) =>
    pairs.find(([other]) => fold(other) === fold(name))?.[1];
const last =
  (fold: (name: string) => string): Lookup =>
  (pairs, name) =>
    pairs.findLast(([other]) => fold(other) === fold(name))?.[1];
const exact = (name: string): string => name;
/** Names that protobuf's JSON treats as one. */
const camelFold = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const LOOKUPS: Record<string, Lookup> = {
  "first of two": first(exact),
  "last of two": last(exact),
  "first, blind to ASCII case": first(asciiFold),
  "last, blind to ASCII case": last(asciiFold),
  "first, folding Unicode": first(simpleFold),
  "last, folding Unicode": last(simpleFold),
};
const GOOGLE_LOOKUPS: Record<string, Lookup> = {
  ...LOOKUPS,
  "first in either spelling": first(camelFold),
  "last in either spelling": last(camelFold),
};

/** A field by its path; numbers are places in lists. */
const at = (node: Node | undefined, path: readonly (string | number)[], lookup: Lookup): Node | undefined => {
  let here = node;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    if (Array.isArray(here)) here = typeof step === "number" ? here[step] : undefined;
    else here = typeof step === "string" ? lookup(here.pairs, step) : undefined;
  }
  return here ?? undefined;
};

const plain = (node: Node | undefined): unknown => {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(plain);
  return Object.fromEntries(node.pairs.map(([name, value]) => [name, plain(value)]));
};

// --- random bodies ---

const LONG_S = "\u017f";
const KELVIN = "\u212a";

/** The same name as a person could write it to be read by one and not by another. */
const disguise = (name: string, { below, pick }: ReturnType<typeof createChoice>): string => {
  const place = below(name.length);
  const letter = name[place] ?? "";
  const put = (text: string): string => name.slice(0, place) + text + name.slice(place + 1);
  switch (below(9)) {
    case 0:
      return put(letter.toUpperCase());
    case 1:
      return name.toUpperCase();
    case 2:
      return name.replace("s", LONG_S);
    case 3:
      return name.replace("k", KELVIN);
    case 4:
      return put(`\\u00${letter.charCodeAt(0).toString(16)}`);
    case 5:
      return put(`\\u00${letter.toUpperCase().charCodeAt(0).toString(16)}`);
    case 6:
      return name.replace(/_([a-z])/, (_, next: string) => next.toUpperCase());
    case 7:
      return `${name}\\u0000`;
    default:
      return pick([`${name} `, ` ${name}`, `\ufeff${name}`, `${name}[]`, `x_${name}`]);
  }
};

type Fields = [string, string][];

/** JSON of an object; now and then a field stands twice, or under a name in disguise. */
const write = (fields: Fields, random: ReturnType<typeof createChoice>): string => {
  const { below, pick } = random;
  const written = fields.map(([name, value]) => `"${name}":${value}`);
  if (below(2) === 0) {
    const [name, value] = pick(fields);
    const other = pick([value, "1", "9999", '"dear"', "true", "false", "null", "{}", "[]"]);
    const again = `"${below(3) === 0 ? name : disguise(name, random)}":${other}`;
    if (below(2) === 0) written.splice(below(written.length + 1), 0, again);
    else written[written.findIndex((field) => field.startsWith(`"${name}"`))] = again;
  }
  const blank = pick(["", " ", "\n"]);
  return `{${blank}${written.join(`,${blank}`)}${blank}}`;
};

const bytesOf = (body: unknown): Buffer =>
  typeof body === "string"
    ? Buffer.from(body)
    : Array.isArray(body)
      ? Buffer.concat(body as Uint8Array[])
      : Buffer.from(body as Uint8Array);

/** Runs a step that may be refused; any other error is a fault of the gateway. */
const accepted = <T>(read: () => T, where: string): T | undefined => {
  try {
    return read();
  } catch (error) {
    expect(refusalOf(error), `${where}: ${String(error)}`).toBeDefined();
    return undefined;
  }
};

interface Shape {
  path: string;
  /** A channel that speaks the same protocol: the client's own bytes pass. */
  channelType: number;
  body(random: ReturnType<typeof createChoice>): string;
  /** Every field that is checked, held or charged. */
  fields: readonly (readonly (string | number)[])[];
  lookups: Record<string, Lookup>;
}

const bool = ({ pick }: ReturnType<typeof createChoice>): string => pick(["true", "false"]);

const SHAPES: Record<string, Shape> = {
  chat: {
    path: "/v1/chat/completions",
    channelType: 1,
    body: (random) =>
      write(
        [
          ["model", '"cheap"'],
          [
            "messages",
            `[${write(
              [
                ["role", '"user"'],
                ["content", '"hi"'],
              ],
              random,
            )}]`,
          ],
          ["stream", bool(random)],
          ["max_tokens", "5"],
          ["max_completion_tokens", "5"],
          ["n", "1"],
          ["stream_options", write([["include_usage", bool(random)]], random)],
        ],
        random,
      ),
    fields: [
      ["model"],
      ["stream"],
      ["max_tokens"],
      ["max_completion_tokens"],
      ["n"],
      ["messages", 0, "role"],
      ["messages", 0, "content"],
      ["stream_options", "include_usage"],
    ],
    lookups: LOOKUPS,
  },
  messages: {
    path: "/v1/messages",
    channelType: 14,
    body: (random) =>
      write(
        [
          ["model", '"cheap"'],
          [
            "messages",
            `[${write(
              [
                ["role", '"user"'],
                ["content", '"hi"'],
              ],
              random,
            )}]`,
          ],
          ["system", '"be kind"'],
          ["stream", bool(random)],
          ["max_tokens", "5"],
          [
            "thinking",
            write(
              [
                ["type", '"enabled"'],
                ["budget_tokens", "1024"],
              ],
              random,
            ),
          ],
        ],
        random,
      ),
    fields: [
      ["model"],
      ["stream"],
      ["max_tokens"],
      ["system"],
      ["messages", 0, "content"],
      ["thinking", "type"],
      ["thinking", "budget_tokens"],
    ],
    lookups: LOOKUPS,
  },
  responses: {
    path: "/v1/responses",
    channelType: 1,
    body: (random) =>
      write(
        [
          ["model", '"cheap"'],
          ["input", '"hi"'],
          ["instructions", '"be kind"'],
          ["stream", bool(random)],
          ["store", bool(random)],
          ["background", "false"],
          ["max_output_tokens", "5"],
          ["reasoning", write([["effort", '"low"']], random)],
        ],
        random,
      ),
    fields: [
      ["model"],
      ["input"],
      ["instructions"],
      ["stream"],
      ["background"],
      ["max_output_tokens"],
      ["reasoning", "effort"],
    ],
    lookups: LOOKUPS,
  },
  gemini: {
    path: "/v1beta/models/cheap:generateContent",
    channelType: 24,
    body: (random) =>
      write(
        [
          [
            "contents",
            `[${write(
              [
                ["role", '"user"'],
                ["parts", `[${write([["text", '"hi"']], random)}]`],
              ],
              random,
            )}]`,
          ],
          ["model", '"models/cheap"'],
          [
            random.pick(["generationConfig", "generation_config"]),
            write(
              [
                [random.pick(["maxOutputTokens", "max_output_tokens"]), "5"],
                ["candidateCount", "1"],
                ["thinkingConfig", write([["thinkingBudget", "0"]], random)],
              ],
              random,
            ),
          ],
        ],
        random,
      ),
    fields: [
      ["model"],
      ["contents", 0, "parts", 0, "text"],
      ["generationConfig", "maxOutputTokens"],
      ["generation_config", "maxOutputTokens"],
      ["generationConfig", "max_output_tokens"],
      ["generation_config", "max_output_tokens"],
      ["generationConfig", "candidateCount"],
      ["generationConfig", "thinkingConfig", "thinkingBudget"],
    ],
    lookups: GOOGLE_LOOKUPS,
  },
};

const either = (path: readonly (string | number)[]): (string | number)[] =>
  path.map((step) => (typeof step === "string" ? camelFold(step) : step));

describe("M3: one reading of JSON", () => {
  it.each(Object.entries(SHAPES))(
    `%s: all parsers agree with the gateway's reading`,
    { timeout: 60_000 },
    (name, shape) => {
      const random = createChoice(SEED);
      const found = createRouter(CLIENT_APIS)("POST", shape.path, "");
      if (found?.asked.kind !== "chat") throw new Error(`${shape.path} is no chat`);
      const route = { client: found.api.protocol, address: found.asked.address };
      const entry = resolveTarget(
        entryOf({ type: shape.channelType, models: ["cheap"] }),
        route.client.name,
        "cheap",
      );
      const isGoogle = shape.lookups === GOOGLE_LOOKUPS;
      let acceptedCount = 0;
      let passedCount = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const text = shape.body(random);
        const where = `SEED=${SEED} ${name}: ${text}`;
        const rawBody = Buffer.from(text);
        const mapped = random.pick(["cheap", "mapped"]);
        const sent = accepted(() => {
          const body = readChat(rawBody, route) as Record<string, unknown>;
          const summary = route.client.summarizeRequest(body, route.address);
          return { body, call: buildCall(route.client, entry, rawBody, body, mapped, summary) };
        }, where);
        if (!sent) continue;
        acceptedCount += 1;
        if (sent.call.body === rawBody) passedCount += 1;
        const read = parseAll(text);
        const upstream = parseAll(bytesOf(sent.call.body).toString());
        for (const path of shape.fields) {
          const own = at(read, isGoogle ? either(path) : path, isGoogle ? last(camelFold) : last(exact));
          const isModel = path[0] === "model" && !isGoogle;
          // The gateway asks for the usage of every stream itself, and names the model after the channel's mapping.
          const isAsked = path[0] === "stream_options" && sent.body.stream === true;
          const expected = isModel ? mapped : isAsked ? true : plain(own);
          for (const [kind, lookup] of Object.entries(shape.lookups)) {
            // A parser that tells spellings apart may miss a field; it must not find another value.
            const found = plain(at(upstream, path, lookup));
            if (isGoogle && found === undefined) continue;
            expect(found, `${where}\n${path.join(".")} for ${kind}`).toEqual(expected);
          }
        }
      }
      // A gateway that refuses everything, or writes everything again, would pass, too.
      expect(acceptedCount).toBeGreaterThan(RUNS / 20);
      expect(passedCount).toBeGreaterThan(RUNS / 100);
    },
  );
});

// --- forms ---

interface Field {
  name: string;
  value: string;
}

/** How loosely a reader of forms takes names; all of them leave files out. */
const formReaders: Record<string, (fields: readonly Field[], name: string) => string | undefined> = {
  "first of two": (fields, name) => fields.find((field) => field.name === name)?.value,
  "last of two": (fields, name) => fields.findLast((field) => field.name === name)?.value,
  "blind to case": (fields, name) => fields.findLast((field) => simpleFold(field.name) === name)?.value,
  "that takes lists for fields": (fields, name) =>
    fields.findLast((field) => field.name.replace(/\[.*$/, "") === name)?.value,
};

/** Parts as a reader finds them that knows no more than lines: any file is a field to it. */
const readParts = (bytes: Buffer): Field[] =>
  bytes
    .toString("latin1")
    .split(/(?:^|\r?\n)--b(?:\r\n|--)/)
    .filter((part) => part.includes("\r\n\r\n"))
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      const names = [...part.slice(0, end).matchAll(/[; ]name\*?=(?:utf-8'')?"?([^";\r\n]*)/gi)];
      return { name: decodeURIComponent(names.at(-1)?.[1] ?? ""), value: part.slice(end + 4) };
    });

describe("M3: one reading of forms", () => {
  it("all readers find the model, the number and the size that the gateway read", () => {
    const random = createChoice(SEED);
    const { below, pick } = random;
    const entry = entryOf({ models: ["cheap"] });
    const operation = OPERATIONS["images/edits"];
    const part = (disposition: string, value: string, more = ""): string =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`;
    let acceptedCount = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const fields = [
        part('name="model"', "cheap"),
        part('name="n"', "1"),
        part('name="size"', "256x256"),
        part('name="prompt"', "a cat"),
        part('name="image"; filename="f"', "bytes", "Content-Type: image/png\r\n"),
      ];
      if (below(4) > 0) {
        const name = pick(["model", "n", "size", "prompt"]);
        const value = pick(["dear", "9", "1024x1024"]);
        const other = disguise(name, random).replaceAll("\\u00", "%").replace("%00", "");
        const again = pick([
          part(`name="${other}"`, value),
          part(`name="${name}"`, value),
          part(`name="${name}"; filename="f"`, value),
          part(`name="${name}"; filename*=utf-8''f`, value),
          part(`name="x"; name="${name}"`, value),
          part(`name="x"; name*=utf-8''${name}`, value),
          part(`filename="x; name=${name}"; name="image"`, value),
          part('name="y"', `1\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`),
          part('name="user"', value),
          part(`name="${name}[]"`, value),
        ]);
        fields.splice(below(fields.length + 1), 0, again);
      }
      const text = `${fields.join("")}--b--\r\n`;
      const where = `SEED=${SEED}: ${JSON.stringify(text)}`;
      const rawBody = Buffer.from(text);
      const contentType = "multipart/form-data; boundary=b";
      const mapped = pick(["cheap", "mapped"]);
      const sent = accepted(() => {
        const read = readOperation({ operation, model: undefined }, rawBody, contentType, ownName);
        const request = { operation, input: read.input, rawBody, form: read.form, isStream: false };
        const call = buildOperationCall(entry, request, mapped);
        if ("then" in call) throw new Error("a form that passes unchanged is written at once");
        return { read, bytes: bytesOf(call.body) };
      }, where);
      if (!sent) continue;
      acceptedCount += 1;
      expect(sent.read.model, where).toBe("cheap");
      // A field name inside a file's name is not a field; line-based parsers do not know that.
      if (text.includes('filename="x; name')) continue;
      const parts = readParts(sent.bytes);
      for (const name of ["model", "n", "size", "prompt"]) {
        const expected = name === "model" ? mapped : sent.read.input.fields[name];
        for (const [kind, read] of Object.entries(formReaders))
          expect(read(parts, name), `${where}\n${name} for a reader ${kind}`).toBe(expected);
      }
    }
    expect(acceptedCount).toBeGreaterThan(RUNS / 20);
  });
});
