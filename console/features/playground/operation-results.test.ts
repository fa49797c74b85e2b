import { expect, it } from "vitest";
import { addFiles, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS } from "./attachments";
import { modelsFor } from "./models-query";
import { normOf, readPictures, readVector, soundType } from "./operation-results";
import { shortenTexts } from "./shorten-texts";

it("pictures are content, or addresses of the web", () => {
  const data = [
    { b64_json: "iVBORw0KGgo=" },
    { b64_json: '"><script>' },
    { url: "https://host.example/a.png" },
    { url: "javascript:alert(1)" },
    { url: "data:image/png;base64,AAAA" },
  ];
  expect(readPictures(JSON.stringify({ data }))).toEqual([
    { data: "iVBORw0KGgo=" },
    { address: "https://host.example/a.png" },
    { data: "AAAA" },
  ]);
  for (const text of ["{", '{"data":[]}', '{"data":[{"url":"file:///etc/passwd"}]}'])
    expect(() => readPictures(text)).toThrow();
});

it("vectors have a length", () => {
  expect(normOf(readVector('{"data":[{"embedding":[3,4]}]}'))).toBe(5);
  for (const text of ["", '{"data":[]}', '{"data":[{"embedding":[]}]}', '{"data":[{"embedding":["x"]}]}'])
    expect(() => readVector(text)).toThrow();
});

it("sound never has the type of a page", () => {
  expect(soundType("audio/wav; charset=x")).toBe("audio/wav");
  for (const type of ["text/html", null, "audio/<svg>", "image/svg+xml"])
    expect(soundType(type)).toBe("audio/mpeg");
});

it("files are taken as far as they have room, under a harmless type", async () => {
  const file = (name: string, bytes = 3, type = "") => new File([new Uint8Array(bytes)], name, { type });
  const one = await addFiles([], [file("a", 3, "image/png"), file("b")]);
  expect(one.attachments.map(({ data }) => data)).toEqual([
    "data:image/png;base64,AAAA",
    "data:application/octet-stream;base64,AAAA",
  ]);
  const many = await addFiles(
    one.attachments,
    Array.from({ length: MAX_ATTACHMENTS }, () => file("c")),
  );
  expect([many.attachments.length, many.refusal]).toEqual([MAX_ATTACHMENTS, "tooMany"]);
  const large = await addFiles(one.attachments, [file("d", MAX_ATTACHED_BYTES)]);
  expect([large.attachments.length, large.refusal]).toEqual([2, "tooLarge"]);
});

it("the models of a tab come first that fit it", () => {
  const models = [
    { id: "gpt-image-1", traits: ["image"] },
    { id: "own-embedding", traits: undefined },
    { id: "gpt-4o", traits: ["chat"] },
  ];
  expect(modelsFor("chat", models)[0]).toBe("gpt-4o");
  expect(modelsFor("image", models)).toEqual(["gpt-image-1", "own-embedding", "gpt-4o"]);
  expect(modelsFor("embedding", models)[0]).toBe("own-embedding");
});

it("long texts are shortened, at any depth", () => {
  const long = "x".repeat(3000);
  expect(JSON.stringify(shortenTexts({ a: [{ b: long }], c: 1, d: null })).length).toBeLessThan(200);
});
