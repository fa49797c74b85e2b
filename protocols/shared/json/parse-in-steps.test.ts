import { describe, expect, it } from "vitest";
import { type Parsed, parseInSteps, STEP_BYTES } from "./parse-in-steps";
import { JSON_BOUNDS } from "./scan-json";

const TEXTS = {
  letters: "word ",
  characters: "中文字 ",
  "characters outside of the first plane": "a😀",
  "escapes side by side": "\\n\\\\",
  "escapes far from each other": `\\n${"word ".repeat(100)}`,
};
/** What a step may look at beyond its bytes, until it sees that it is time to stop. */
const OVERSHOOT = 8192;

const long = (text: string, before = ""): Buffer => {
  const bounded = Math.min((2.5 * STEP_BYTES) / Buffer.byteLength(text), JSON_BOUNDS.maxEscapes / 2);
  return Buffer.from(`${before}{"a":[1,"${text.repeat(bounded)}",{"b":null}]}`);
};

/** Does all steps, and says how many bytes the dearest of them read one by one, or made a text of. */
const run = (body: Buffer): { parsed: Parsed; steps: number; mostBytes: number } => {
  let bytes = 0;
  const counted = new Proxy(body, {
    get(target, field) {
      if (field === "toString")
        return (encoding: "utf8", from: number, to: number): string => {
          bytes += to - from;
          return target.toString(encoding, from, to);
        };
      const value = Reflect.get(target, field, target) as unknown;
      if (typeof value === "function") return value.bind(target) as unknown;
      if (typeof value === "number" && field !== "length") bytes += 1;
      return value;
    },
  });
  const reading = parseInSteps(counted);
  let mostBytes = 0;
  for (let steps = 1; ; steps += 1) {
    bytes = 0;
    const step = reading.next();
    mostBytes = Math.max(mostBytes, bytes);
    if (step.done) return { parsed: step.value, steps, mostBytes };
  }
};

describe("parsing in steps", () => {
  it.each(Object.entries(TEXTS))("of a text of %s reads no more in one step than it may", (_, text) => {
    expect(STEP_BYTES).toBeLessThanOrEqual(4_000_000);
    const body = long(text);
    const { parsed, steps, mostBytes } = run(body);
    expect(parsed).toEqual({ value: JSON.parse(body.toString()) });
    expect(mostBytes).toBeLessThan(STEP_BYTES + OVERSHOOT);
    // Looking, decoding, joining, parsing, and what is made of it: each has turns of its own.
    expect(steps).toBeGreaterThanOrEqual(Math.ceil(body.length / STEP_BYTES) + 4);
  });

  it("cuts no character", () => {
    for (let blanks = 0; blanks < 4; blanks += 1) {
      const body = long("😀", " ".repeat(blanks));
      const { parsed } = run(body);
      expect(parsed).toEqual({ value: JSON.parse(body.toString()) });
    }
    // Bytes that are no UTF-8 are replaced as they are at once.
    const broken = Buffer.concat([long("中"), Buffer.alloc(10)]);
    for (let at = 2; at < 12; at += 1) broken[STEP_BYTES - at] = 0x80 + at;
    broken.fill(" ", broken.length - 10);
    expect(run(broken).parsed).toEqual({ value: JSON.parse(broken.toString()) });
  });

  it("ends with the step that finds a fault", () => {
    const body = Buffer.from(`[${"{},".repeat(3_000_000)}{}]`);
    const { parsed, steps } = run(body);
    expect(parsed).toMatchObject({ fault: { kind: "too-much", what: "values" } });
    expect(steps).toBe(1);
  });

  it("throws the parser's errors", () => {
    for (const text of ["", `["${"a".repeat(STEP_BYTES)}`])
      expect(() => run(Buffer.from(text))).toThrow(SyntaxError);
  });
});
