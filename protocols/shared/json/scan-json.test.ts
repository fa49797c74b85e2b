import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { REQUEST_NAMES } from "../request/request-names";
import { parseJson } from "./safe-json";
import { isTooDeep, JSON_BOUNDS, type JsonFault, JsonScan, MAX_JSON_DEPTH, scanJson } from "./scan-json";

const scan = (text: string, names: "snake" | "google" | undefined = "snake"): JsonFault | undefined =>
  scanJson(Buffer.from(text), JSON_BOUNDS, names && REQUEST_NAMES[names]);

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("the depth of a JSON text", () => {
  it("may reach the bound and no more", () => {
    expect(scan(nested(MAX_JSON_DEPTH))).toBeUndefined();
    expect(scan(nested(MAX_JSON_DEPTH + 1))).toEqual({ kind: "too-deep", max: MAX_JSON_DEPTH });
    expect(isTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(isTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
    expect(parseJson(nested(MAX_JSON_DEPTH + 1))).toBeUndefined();
  });

  it("is not counted inside of strings, however they are escaped", () => {
    for (const before of [
      "",
      "\\\\",
      '\\"',
      "a".repeat(47),
      "a".repeat(46),
      `${"a".repeat(47)}\\"`,
      '\\"'.repeat(40),
    ]) {
      const text = JSON.stringify([`${before}`]).replace('"]', `${"[".repeat(500)}"]`);
      expect(() => JSON.parse(text)).not.toThrow();
      expect(scan(text)).toBeUndefined();
      expect(isTooDeep(text)).toBe(false);
      const tail = text.replace(/\]$/, `,${nested(500)}]`);
      expect(scan(tail)?.kind).toBe("too-deep");
      expect(isTooDeep(tail)).toBe(true);
    }
  });

  it("ends the look at the first byte too many: nothing is read after it", () => {
    const bytes = Buffer.alloc(31_000_000, "[");
    let reads = 0;
    const counted = new Proxy(bytes, {
      get(target, field) {
        reads += 1;
        return Reflect.get(target, field, target) as unknown;
      },
    });
    expect(scanJson(counted)?.kind).toBe("too-deep");
    expect(reads).toBeLessThan(10 * MAX_JSON_DEPTH);
  });
});

describe("the number of values", () => {
  const bounds = {
    maxDepth: 8,
    maxValues: 10,
    maxContainers: 6,
    maxNames: 3,
    maxShapes: 3,
    maxEscapes: 2,
    maxLooseBytes: 40,
  };
  it("counts lists, objects, plain values and names", () => {
    expect(scanJson(Buffer.from("[0,1,2,3,4,5,6,7]"), bounds)).toBeUndefined();
    expect(scanJson(Buffer.from("[0,1,2,3,4,5,6,7,8,9,10]"), bounds)?.kind).toBe("too-much");
    expect(scanJson(Buffer.from("[{},{},{},{},{},{}]"), bounds)?.kind).toBe("too-much");
    expect(scanJson(Buffer.from('{"a":1,"b":2,"c":3,"d":4}'), bounds)?.kind).toBe("too-much");
    const roomy = { ...bounds, maxValues: 100 };
    expect(scanJson(Buffer.from("[{},[],{},[],{},1,2,3]"), roomy)).toBeUndefined();
    expect(scanJson(Buffer.from("[{},[],{},[],{},{}]"), roomy)?.kind).toBe("too-much");
    expect(
      scanJson(Buffer.from('[{"a":1},{"b":1},{"c":1},{"a":1}]'), { ...bounds, maxNames: 9 }),
    ).toBeUndefined();
    expect(scanJson(Buffer.from('[{"a":1,"b":1},{"b":1,"a":1}]'), { ...bounds, maxNames: 9 })).toMatchObject({
      what: "shapes",
    });
    // Names that a later check refuses are counted, too.
    expect(scanJson(Buffer.from('{"a":1,"a":1,"a":1,"a":1}'), { ...bounds, maxNames: 9 })).toMatchObject({
      what: "shapes",
    });
    expect(scanJson(Buffer.from('["\\n","\\n\\n"]'), bounds)).toMatchObject({ what: "escapes" });
    expect(scanJson(Buffer.from(`[1${" ".repeat(60)}]`), bounds)).toMatchObject({ what: "loose bytes" });
    expect(scanJson(Buffer.from('{"a":",,,,,,,,,,,,[[[[[[[[[[["}'), bounds)).toBeUndefined();
  });
});

describe("names that two readers could read differently", () => {
  it.each([
    ['{"model":"a","model":"b"}', "name-twice"],
    ['{"model":"a","Model":"b"}', "name-misspelled"],
    ['{"Max_Tokens":5}', "name-misspelled"],
    ['{"\u017ftream":true}', "name-misspelled"],
    ['{"\\u017ftream":true}', "name-misspelled"],
    ['{"\u212aey":1,"key":2}', "name-twice"],
    ['{"model":"a","\\u006dodel":"b"}', "name-twice"],
    ['{"\\u006dodel":"b"}', undefined],
    ['{"\\u004dodel":"b"}', "name-misspelled"],
    ['{"\uff4dodel":"b"}', "name-misspelled"],
    ['{"model\\u0000x":"b"}', "name-broken"],
    ['{"mod\\ud800el":"b"}', "name-broken"],
  ])("%s: %s", (text, kind) => {
    expect(scan(text)?.kind).toBe(kind);
  });

  it.each([
    ['{"generationConfig":{},"generation_config":{}}', "name-twice"],
    ['{"generationconfig":{}}', "name-misspelled"],
    ['{"generation_config":{"max_output_tokens":5}}', undefined],
    ['{"generationConfig":{"maxOutput_tokens":5}}', "name-misspelled"],
    ['{"generationConfig":{"maxOutputTokens":5,"max_output_tokens":9}}', "name-twice"],
    ['{"contents":[{"parts":[{"functionCall":{"name":"f","args":{"a_b":1,"aB":2}}}]}]}', undefined],
  ])("in Google's spelling, %s: %s", (text, kind) => {
    expect(scan(text, "google")?.kind).toBe(kind);
  });

  it("are refused when they are marks without end, which take seconds to put into their order", () => {
    const runs = [
      "\u0315".repeat(5_000_000),
      "\u0315".repeat(10_000) + "\u0316".repeat(10_000),
      "\uff9e\u0315".repeat(10_000),
    ];
    const workedMs = startCpuClock();
    for (const run of [...runs, "\\u0315\\u0316".repeat(10_000)])
      for (const text of [`{"a${run}":1}`, `{"metadata":{"a${run}":1}}`])
        expect(scan(text)?.kind).toBe("name-broken");
    expect(scan(`{"${"a\u0315\u0316\u0301".repeat(10_000)}":1}`)).toBeUndefined();
    expect(workedMs()).toBeLessThan(1000);
  });

  it("finds them among many names, too", () => {
    const names = Array.from({ length: 200 }, (_, i) => `"name_${i}":1`);
    expect(scan(`{${names.join(",")}}`)).toBeUndefined();
    expect(scan(`{${names.join(",")},"Name_3":1}`)?.kind).toBe("name-twice");
    expect(scan(`{${names.join(",")},"name_199":1}`)?.kind).toBe("name-twice");
  });

  it("takes names for different that only share a hash", () => {
    // 31 · 98 + 33 = 31 · 97 + 64.
    expect(scan('{"b!":1,"a@":2}')).toBeUndefined();
    const many = Array.from({ length: 20 }, (_, i) => `"name_${i}":1`);
    expect(scan(`{"b!":1,${many.join(",")},"a@":2}`)).toBeUndefined();
    expect(scan(`{"b!":1,${many.join(",")},"a@":2,"b!":3}`)?.kind).toBe("name-twice");
  });
});

describe("looks at several texts at once", () => {
  it("do not mix their names", () => {
    const first = Buffer.from('{"a":1,"b":{"c":1},"d":[{"e":1}],"a":2}');
    const second = Buffer.from('{"x":{"y":1,"z":[1]},"a":1,"e":2}');
    for (const size of [1, 5, 30]) {
      const one = new JsonScan(first, JSON_BOUNDS, REQUEST_NAMES.snake);
      const other = new JsonScan(second, JSON_BOUNDS, REQUEST_NAMES.snake);
      let fault: JsonFault | undefined;
      while (!one.isDone || !other.isDone) {
        if (!one.isDone && !fault) fault = one.read(size);
        if (!other.isDone) expect(other.read(size)).toBeUndefined();
        // A third one comes and goes meanwhile.
        expect(scan('{"a":{"b":[{"c":1}]},"d":1}')).toBeUndefined();
        if (fault && other.isDone) break;
      }
      expect(fault).toEqual({ kind: "name-twice", name: "a", other: "a" });
    }
  });
});

describe("a look in several steps", () => {
  const BOUNDS = {
    maxDepth: 8,
    maxValues: 40,
    maxContainers: 40,
    maxNames: 12,
    maxShapes: 5,
    maxEscapes: 70,
    maxLooseBytes: 400,
  };
  const TEXTS = [
    '{"model":"cheap","messages":[{"role":"user","content":"a \\"word\\" \\\\"}],"stream":true}',
    `{"a":"${"long ".repeat(2000)}","b":{"c":[1,2,{"d":null}]}}`,
    `{"a":"${"far ".repeat(200)}\\n${"far ".repeat(200)}\\n"}`,
    `["${"\\n".repeat(60)}"]`,
    `["${"\\n".repeat(80)}"]`,
    '{"model":1,"Model":2}',
    '{"model":1,"mode\\u006c":2}',
    '{"mod\\u0000el":1}',
    nested(9),
    `[${"1,".repeat(60)}1]`,
    `{${Array.from({ length: 13 }, (_, i) => `"n${i}":1`).join(",")}}`,
    `[${Array.from({ length: 6 }, (_, i) => `{"n${i}":1}`).join(",")}]`,
    `[${" ".repeat(500)}]`,
    '["without an end',
    '{"model":"x',
    "",
  ];

  it("finds the same as one look", () => {
    for (const text of TEXTS)
      for (const size of [1, 2, 3, 7, 50, 1000, 5000]) {
        const bytes = Buffer.from(text);
        const steps = new JsonScan(bytes, BOUNDS, REQUEST_NAMES.snake);
        let fault: JsonFault | undefined;
        while (!steps.isDone && fault === undefined) fault = steps.read(size);
        expect(fault, `${text.slice(0, 60)} by ${size}`).toEqual(
          scanJson(bytes, BOUNDS, REQUEST_NAMES.snake),
        );
      }
  });
});
