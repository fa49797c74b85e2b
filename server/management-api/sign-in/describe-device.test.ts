import { expect, it } from "vitest";
import { describeDevice } from "./describe-device";

it.each([
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Chrome 141 · macOS Catalina",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox 132 · Windows 10",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari 17.5 · iOS 17.5",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", ""],
  ["<img src=x>".repeat(20), "<img src=x>".repeat(20).slice(0, 60)],
])("names the device of %s", (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});
