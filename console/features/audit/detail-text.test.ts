// @vitest-environment happy-dom

import { beforeEach, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { detailText } from "./detail-text";

beforeEach(() => {
  localStorage.setItem("quota_per_unit", "500000");
  localStorage.setItem("display_in_currency", "true");
});

const text = (detail: object) => detailText(JSON.stringify(detail));

it("shows points as money", () => {
  expect(text({ quota: 25_000_000, dailyQuota: 1 })).toBe("quota: $50.00, dailyQuota: $0.000002");
  expect(text({ amount: 6480, currency: "CNY", taken: 500_000, missing: 0, result: "done" })).toBe(
    "amount: ¥64.80, taken: $1.00, missing: $0.00, result: done",
  );
});

it("shows Unix seconds as a time, except for never", () => {
  expect(text({ holds_from: 1_796_534_208 })).toBe(`holds_from: ${formatTime(1_796_534_208)}`);
  expect(text({ expired_time: 0 })).toBe("expired_time: 0");
});

it("leaves all else as it is", () => {
  expect(text({ status: 2, key: "***", list: [1], amount: 7 })).toBe(
    "status: 2, key: ***, list: [1], amount: 7",
  );
  expect(detailText("no JSON")).toBe("no JSON");
});
