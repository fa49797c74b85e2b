import { describe, expect, it } from "vitest";
import { formatTable } from "./output";

describe("a table on a terminal", () => {
  it("has its columns one under another, numbers at the right, also beside Chinese", () => {
    expect(
      formatTable([
        ["id", "name", "quota"],
        [7, "中文名", 12],
        [12, "bob", 1_000_000],
      ]),
    ).toEqual(["id  name    quota", " 7  中文名       12", "12  bob     1000000"]);
  });

  it("shows no control character of a name: it would move the cursor or colour the following text", () => {
    expect(formatTable([["name"], ["a\u001b[31mb\r\u202ec"]])).toEqual(["name", "a[31mbc"]);
  });
});
