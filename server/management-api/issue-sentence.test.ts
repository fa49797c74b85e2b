import { expect, it } from "vitest";
import { z } from "zod/mini";
import { issueSentence } from "./issue-sentence";

const schema = z.object({
  quota: z.int().check(z.nonnegative()),
  count: z.int().check(z.positive()),
  name: z.string().check(z.maxLength(3)),
});
const GOOD = { quota: 0, count: 1, name: "abc" };

it.each([
  [{ quota: -1 }, "不能小于 0", "must be at least 0"],
  [{ quota: 1.5 }, "必须是整数", "must be a whole number"],
  [{ quota: 2 ** 60 }, "不能大于 9007199254740991", "must be at most 9007199254740991"],
  [{ count: 0 }, "必须大于 0", "must be more than 0"],
  [{ name: "abcd" }, "最多 3 个字符", "must have at most 3 characters"],
  [{ name: null }, /字符串|string/, /expected string/],
])("of %j says %s", (fields, zh, en) => {
  const said = (["zh-CN", "en"] as const).map(
    (language) =>
      schema.safeParse({ ...GOOD, ...fields }, { error: issueSentence[language] }).error?.issues[0]?.message,
  );
  expect(said[0]).toMatch(zh);
  expect(said[1]).toMatch(en);
});
