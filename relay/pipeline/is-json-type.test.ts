import { expect, it } from "vitest";
import { isJsonType } from "./is-json-type";

it.each([
  ["application/json", true],
  ["Application/JSON", true],
  [" application/json ; charset=utf-8", true],
  ["text/json", true],
  ["application/problem+json;v=1", true],
  ["text/event-stream", false],
  ["application/jsonlines", false],
  ["application/x-ndjson", false],
  ["audio/mpeg", false],
  ["", false],
])("%j is JSON: %s", (mediaType, expected) => {
  expect(isJsonType(mediaType)).toBe(expected);
});
