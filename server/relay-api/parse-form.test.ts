import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { parseForm } from "./parse-form";

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

  it("takes what is written by hand: a preamble, blanks, a quoted boundary, names without quotes", () => {
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
    ["another type", "", "application/json", "multipart/form-data"],
    ["no boundary", "--x--", "multipart/form-data", "boundary"],
    ["a boundary that does not occur", "hello", undefined, "does not occur"],
    ["an end that is missing", '--x\nContent-Disposition: form-data; name="a"\n\nhello', undefined, "whole"],
    ["a header without an end", '--x\nContent-Disposition: form-data; name="a"', undefined, "does not end"],
    ["a part without a name", "--x\nContent-Type: text/plain\n\nhello\n--x--", undefined, "no name"],
    [
      "a field that stands twice",
      '--x\nContent-Disposition: form-data; name="n"\n\n1\n--x\nContent-Disposition: form-data; name="n"\n\n9\n--x--',
      undefined,
      "twice",
    ],
    ["nothing", "", undefined, "does not occur"],
  ])("refuses %s", (_, text, contentType, reason) => {
    expect(() => raw(text, contentType)).toThrow(RequestInvalid);
    expect(() => raw(text, contentType)).toThrow(reason);
  });

  const file = 'Content-Disposition: form-data; name="file"; filename="f"\n\nsound\n';
  const field = (disposition: string, value = "dear", more = "") =>
    `--x\nContent-Disposition: form-data; ${disposition}\n${more}\n${value}\n--x\n${file}--x--`;

  it.each([
    ["a name in another case", field('name="Model"'), "Model"],
    ["a name with the long s", field('name="\u017ftream"'), "ASCII"],
    ["an encoded name", field('name="%6dodel"'), "ASCII"],
    ["a name with a backslash", field('name="mo\\del"'), "ASCII"],
    ["a file as the model", field('name="model"; filename="m"'), "must not be a file"],
    [
      "a file as the model by its extended name",
      field("name=\"model\"; filename*=utf-8''m"),
      "must not be a file",
    ],
    ["a list as the model", field('name="model[]"'), "model[]"],
    ["two names in a part", field('name="cheap"; name="model"'), "twice"],
    ["an extended name", field("name=\"a\"; name*=utf-8''model"), "no name"],
    [
      "a name within a file's name, read by escapes",
      field('name="a"; filename="f\\"; name="model"; x="'),
      "parameters",
    ],
    ["a text as the file, too", field('name="file"'), "twice"],
    [
      "two dispositions",
      field('name="a"', "dear", 'Content-Disposition: form-data; name="model"\n'),
      "twice",
    ],
    ["a header over two lines", field('name="a";\n name="model"'), "header"],
    [
      "an encoded value",
      field('name="model"', "=64ear", "Content-Transfer-Encoding: quoted-printable\n"),
      "Encoding",
    ],
    [
      "a value in another charset",
      field('name="model"', "dear", "Content-Type: text/plain; charset=utf-16\n"),
      "UTF-8",
    ],
    ["a charset for all", field('name="_charset_"', "utf-16"), "UTF-8"],
    ["bytes that are no UTF-8", field('name="model"', "d\xffear"), "UTF-8"],
    [
      "a form within the form",
      field('name="a"', "", "Content-Type: multipart/mixed; boundary=y\n"),
      "form itself",
    ],
    ["a truth of other readers", field('name="stream"', "True"), "stream"],
    ["a boundary in the middle of a line", field('name="a"', "1 --x"), "within a part"],
    ["an end that is none", `${field('name="a"')}more`, "followed"],
    ["parts behind the end", `${field('name="a"')}\n${field('name="model"')}`, "behind its end"],
  ])("M3: refuses what can be read in two ways: %s", (_, text, reason) => {
    expect(() => raw(text)).toThrow(RequestInvalid);
    expect(() => raw(text)).toThrow(reason);
  });

  it("M3: refuses a boundary at the end of a line that not everybody ends there", () => {
    const text = field('name="a"').replaceAll("\n", "\r\n").replace("dear", 'dear\n--x\r\nname="model"');
    expect(() => parseForm(Buffer.from(text), "multipart/form-data; boundary=x")).toThrow("within a part");
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
    expect(() => raw(`${field("a", half)}${field("b", half)}${field("c", 1)}--x--`)).toThrow("1048576 bytes");
  });

  it("refuses a form of very many parts", () => {
    const part = (index: number) => `--x\nContent-Disposition: form-data; name="f${index}"\n\n1\n`;
    const parts = Array.from({ length: 300 }, (_, index) => part(index)).join("");
    expect(() => raw(`${parts}--x--`)).toThrow("200 parts");
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
