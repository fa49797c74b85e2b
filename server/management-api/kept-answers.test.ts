import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { writeKeptAnswer } from "./kept-answers";

it("writes a cached answer as an envelope, plain and compressed", async () => {
  const answer = await writeKeptAnswer({ data: [1] }, "version");
  expect(answer.json).toBe('{"success":true,"message":"","data":[1]}');
  expect(gunzipSync(answer.zipped).toString()).toBe(answer.json);
});
