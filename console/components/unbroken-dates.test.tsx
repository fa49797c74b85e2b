// @vitest-environment happy-dom

import { afterEach, expect, it } from "vitest";
import { cleanup, render } from "../testing/draw";
import { UnbrokenDates } from "./unbroken-dates";

afterEach(cleanup);

it("a sentence stays as it is, and each of its dates stays on one line, with its time", () => {
  const text = "2026-11-24 至 2026-11-30 08:18，对比 2026-11-24 和 2026-11-30 08:18:05。";
  const { container } = render(<UnbrokenDates text={text} />);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll(".whitespace-nowrap")].map((date) => date.textContent)).toEqual([
    "2026-11-24",
    "2026-11-30 08:18",
    "2026-11-24",
    "2026-11-30 08:18:05",
  ]);
});
