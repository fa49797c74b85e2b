// @vitest-environment happy-dom

import { beforeEach, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { detailText } from "./detail-text";

beforeEach(() => {
  localStorage.setItem("quota_per_unit", "500000");
  localStorage.setItem("display_in_currency", "true");
});

const WORDS = {
  fieldText: (name: string) => (name === "status" ? "Status" : name),
  yes: "yes",
  no: "no",
  never: "never",
  removed: "(removed)",
};
const text = (detail: object) => detailText(JSON.stringify(detail), WORDS);

it("shows points as money", () => {
  expect(text({ quota: 25_000_000, dailyQuota: 1 })).toBe("quota: $50.00, dailyQuota: $0.000002");
  expect(text({ amount: 6480, currency: "CNY", taken: 500_000, missing: 0, result: "done" })).toBe(
    "amount: ¥64.80, taken: $1.00, missing: $0.00, result: done",
  );
});

it("shows Unix seconds as a time, except for never", () => {
  expect(text({ holds_from: 1_796_534_208 })).toBe(`holds_from: ${formatTime(1_796_534_208)}`);
  expect(text({ expiredTime: -1, formerUntil: 1_796_534_208 })).toBe(
    `expiredTime: never, formerUntil: ${formatTime(1_796_534_208)}`,
  );
  expect(text({ expired_time: 0 })).toBe("expired_time: 0");
});

it("leaves all else as it is", () => {
  expect(text({ status: 2, key: "***", list: [1], amount: 7 })).toBe(
    "Status: 2, key: ***, list: [1], amount: 7",
  );
  expect(detailText("no JSON", WORDS)).toBe("no JSON");
});

it("words switches and removed values", () => {
  expect(text({ unlimitedQuota: true, hasNoFallbacks: false, subnet: null })).toBe(
    "unlimitedQuota: yes, hasNoFallbacks: no, subnet: (removed)",
  );
});
