import { describe, expect, it } from "vitest";
import { isTextType, mediaTypeOf } from "./media-type";

describe("the media type", () => {
  it.each([
    ["Application/JSON; charset=utf-8", "application/json"],
    ["multipart/form-data; boundary=x", "multipart/form-data"],
    ["", ""],
    [undefined, ""],
  ])("of %s is %s", (contentType, mediaType) => {
    expect(mediaTypeOf(contentType)).toBe(mediaType);
  });

  it.each([
    "application/json",
    "application/problem+json",
    "application/x-ndjson",
    "text/event-stream",
    "text/plain",
  ])("%s is text", (mediaType) => {
    expect(isTextType(mediaType)).toBe(true);
  });

  it.each([
    "",
    "audio/mpeg",
    "image/png",
    "multipart/form-data",
    "application/octet-stream",
    "application/jsonx",
  ])("%s is none", (mediaType) => {
    expect(isTextType(mediaType)).toBe(false);
  });
});
