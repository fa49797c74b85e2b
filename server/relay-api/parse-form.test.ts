import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { parseForm } from "./parse-form";

const refusal = (fault: object) =>
  expect.objectContaining({ name: "RequestInvalid", fault, code: "invalid_form" });

/** A form as a platform's own writer makes it. */
const write = async (fill: (form: FormData) => void) => {
  const form = new FormData();
  fill(form);
  const response = new Response(form);
  return {
    body: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get("content-type") ?? "",
  };
};

const raw = (text: string, contentType = "multipart/form-data; boundary=x") =>
  parseForm(Buffer.from(text.replaceAll("\n", "\r\n"), "latin1"), contentType);

describe("parseForm", () => {
  it("reads fields and files, and views the files in place", async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);
    const { body, contentType } = await write((form) => {
      form.set("model", "whisper-1");
      form.set("file", new File([bytes], '长 "a".wav', { type: "audio/wav" }));
      form.set("prompt", "你好\r\nworld");
      form.set("empty", "");
    });
    const { input, shape } = parseForm(body, contentType);
    expect({ ...input.fields }).toEqual({ model: "whisper-1", prompt: "你好\r\nworld", empty: "" });
    const [upload] = input.uploads;
    expect(upload?.field).toBe("file");
    expect(Buffer.from(upload!.bytes).equals(bytes)).toBe(true);
    expect(upload!.bytes.buffer).toBe(body.buffer);
    expect(body.toString("utf8", shape.model!.start, shape.model!.end)).toBe("whisper-1");
  });

  it("accepts forms written by hand: a preamble, blanks, a quoted boundary, names without quotes", () => {
    const text =
      'preamble\n--a b  \ncontent-disposition: form-data; name=model\n\nm\n--a b\nContent-Disposition: form-data; filename="f"; name="file"\n\nf\n--a b--\nepilogue';
    const { input, shape } = raw(text, 'multipart/form-data; charset=utf-8; boundary="a b"');
    expect(input.fields.model).toBe("m");
    expect(input.uploads[0]).toMatchObject({ field: "file", filename: "f" });
    expect(shape.boundary).toBe("a b");
  });

  it("is not fooled by names that objects have", () => {
    const { input } = raw('--x\nContent-Disposition: form-data; name="__proto__"\n\n1\n--x--');
    expect(Object.getPrototypeOf(input.fields)).toBeNull();
    expect(input.fields.toString).toBeUndefined();
  });

  it.each([
    ["another type", "", "application/json", { code: "not-a-form" }],
    ["no boundary", "--x--", "multipart/form-data", { code: "form-boundary-unnamed" }],
    ["a boundary that does not occur", "hello", undefined, { code: "form-boundary-absent" }],
    [
      "an end that is missing",
      '--x\nContent-Disposition: form-data; name="a"\n\nhello',
      undefined,
      { code: "form-incomplete" },
    ],
    [
      "a header without an end",
      '--x\nContent-Disposition: form-data; name="a"',
      undefined,
      { code: "form-header-unreadable" },
    ],
    [
      "a part without a name",
      "--x\nContent-Type: text/plain\n\nhello\n--x--",
      undefined,
      { code: "form-part-unnamed" },
    ],
    [
      "a field that stands twice",
      '--x\nContent-Disposition: form-data; name="n"\n\n1\n--x\nContent-Disposition: form-data; name="n"\n\n9\n--x--',
      undefined,
      { code: "form-field-twice", name: "n" },
    ],
    ["nothing", "", undefined, { code: "form-boundary-absent" }],
  ])("refuses %s", (_, text, contentType, fault) => {
    expect(() => raw(text, contentType)).toThrow(refusal(fault));
  });

  const file = 'Content-Disposition: form-data; name="file"; filename="f"\n\nsound\n';
  const field = (disposition: string, value = "dear", more = "") =>
    `--x\nContent-Disposition: form-data; ${disposition}\n${more}\n${value}\n--x\n${file}--x--`;

  it.each([
    [
      "a name in another case",
      field('name="Model"'),
      { code: "form-field-misnamed", name: "Model", other: "model" },
    ],
    ["a name with the long s", field('name="\u017ftream"'), { code: "form-name-not-ascii" }],
    ["an encoded name", field('name="%6dodel"'), { code: "form-name-not-ascii" }],
    ["a name with a backslash", field('name="mo\\del"'), { code: "form-name-not-ascii" }],
    [
      "a file as the model",
      field('name="model"; filename="m"'),
      { code: "form-field-is-file", name: "model" },
    ],
    [
      "a file as the model by its extended name",
      field("name=\"model\"; filename*=utf-8''m"),
      { code: "form-field-is-file", name: "model" },
    ],
    [
      "a list as the model",
      field('name="model[]"'),
      { code: "form-field-misnamed", name: "model[]", other: "model" },
    ],
    ["two names in a part", field('name="cheap"; name="model"'), { code: "form-header-twice", name: "name" }],
    ["an extended name", field("name=\"a\"; name*=utf-8''model"), { code: "form-part-unnamed" }],
    [
      "a name within a file's name, read by escapes",
      field('name="a"; filename="f\\"; name="model"; x="'),
      { code: "form-header-unreadable" },
    ],
    ["a text as the file, too", field('name="file"'), { code: "form-field-twice", name: "file" }],
    [
      "two dispositions",
      field('name="a"', "dear", 'Content-Disposition: form-data; name="model"\n'),
      { code: "form-header-twice", name: "content-disposition" },
    ],
    ["a header over two lines", field('name="a";\n name="model"'), { code: "form-header-unreadable" }],
    [
      "an encoded value",
      field('name="model"', "=64ear", "Content-Transfer-Encoding: quoted-printable\n"),
      { code: "form-part-encoded" },
    ],
    [
      "a value in another charset",
      field('name="model"', "dear", "Content-Type: text/plain; charset=utf-16\n"),
      { code: "form-field-not-utf8", name: "model" },
    ],
    [
      "a charset for all",
      field('name="_charset_"', "utf-16"),
      { code: "form-field-not-utf8", name: "_charset_" },
    ],
    [
      "bytes that are no UTF-8",
      field('name="model"', "d\xffear"),
      { code: "form-field-not-utf8", name: "model" },
    ],
    [
      "a form within the form",
      field('name="a"', "", "Content-Type: multipart/mixed; boundary=y\n"),
      { code: "form-part-nested" },
    ],
    [
      "a truth of other readers",
      field('name="stream"', "True"),
      { code: "wrong-type", field: "stream", expected: "true-or-false" },
    ],
    ["a boundary in the middle of a line", field('name="a"', "1 --x"), { code: "form-boundary-misplaced" }],
    ["an end that is none", `${field('name="a"')}more`, { code: "form-boundary-misplaced" }],
    [
      "parts behind the end",
      `${field('name="a"')}\n${field('name="model"')}`,
      { code: "form-boundary-misplaced" },
    ],
  ])("M3: refuses an ambiguous form: %s", (_, text, fault) => {
    expect(() => raw(text)).toThrow(refusal(fault));
  });

  it("M3: refuses a boundary after a line ending that readers treat differently", () => {
    const text = field('name="a"').replaceAll("\n", "\r\n").replace("dear", 'dear\n--x\r\nname="model"');
    expect(() => parseForm(Buffer.from(text), "multipart/form-data; boundary=x")).toThrow(
      "form-boundary-misplaced",
    );
  });

  it.each([
    ["two boundaries", "multipart/form-data; boundary=x; boundary=y"],
    ["two boundaries in different case", "multipart/form-data; Boundary=y; boundary=x"],
    ["a boundary within another parameter", 'multipart/form-data; a="; boundary=x'],
  ])("M3: refuses %s", (_, contentType) => {
    expect(() => raw(field('name="a"'), contentType)).toThrow(RequestInvalid);
  });

  it("finds no name within a file's name", () => {
    const { input } = raw(field('filename="f; name=model"; name="picture"'));
    expect(input.uploads[0]).toMatchObject({ field: "picture", filename: "f; name=model" });
    expect(input.fields.model).toBeUndefined();
  });

  it("takes several pictures", () => {
    const picture = '--x\nContent-Disposition: form-data; name="image"; filename="f"\n\nbytes\n';
    expect(raw(`${picture}${picture}--x--`).input.uploads).toHaveLength(2);
  });

  it("takes lists", () => {
    const field = (value: string) =>
      `--x\nContent-Disposition: form-data; name="timestamp_granularities[]"\n\n${value}\n`;
    expect(() => raw(`${field("word")}${field("segment")}--x--`)).not.toThrow();
  });

  it("refuses fields of more than a megabyte together: a file may be larger, a text is none", () => {
    const field = (name: string, size: number) =>
      `--x\ncontent-disposition: form-data; name="${name}"\n\n${"a".repeat(size)}\n`;
    const half = 512 * 1024;
    expect(raw(`${field("a", half)}${field("b", half)}--x--`).input.fields).toHaveProperty("b");
    expect(() => raw(`${field("a", half)}${field("b", half)}${field("c", 1)}--x--`)).toThrow(
      refusal({ code: "form-fields-too-large", max: 1_048_576 }),
    );
  });

  it("refuses a form of very many parts", () => {
    const part = (index: number) => `--x\nContent-Disposition: form-data; name="f${index}"\n\n1\n`;
    const parts = Array.from({ length: 300 }, (_, index) => part(index)).join("");
    expect(() => raw(`${parts}--x--`)).toThrow(refusal({ code: "form-too-many-parts", max: 200 }));
  });

  it("survives every cut of a good form", async () => {
    const { body, contentType } = await write((form) => {
      form.set("model", "m");
      form.set("file", new File(["bytes"], "f"));
    });
    const end = body.lastIndexOf("--");
    for (let length = 0; length < end; length += 1) {
      expect(() => parseForm(body.subarray(0, length), contentType)).toThrow(RequestInvalid);
    }
  });
});
