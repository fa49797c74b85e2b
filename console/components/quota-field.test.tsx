// @vitest-environment happy-dom

import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadTexts, startLanguage } from "../lib/i18n";
import { act, cleanup, render, screen } from "../testing/draw";
import { QuotaField, type QuotaFieldProps } from "./quota-field";

beforeAll(async () => {
  await startLanguage();
  await loadTexts(["limits"]);
});
beforeEach(() => {
  localStorage.setItem("display_in_currency", "true");
  localStorage.setItem("quota_per_unit", "500000");
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

interface FormProps {
  initial: string;
  seen: string[];
  field: Partial<QuotaFieldProps>;
}

const Form = ({ initial, seen, field }: FormProps) => {
  const [value, setValue] = useState(initial);
  return (
    <form aria-label="form">
      <QuotaField
        label="预算"
        {...field}
        value={value}
        onChange={(points) => {
          seen.push(points);
          setValue(points);
        }}
      />
      <button type="button">next</button>
    </form>
  );
};

const open = (props: Partial<QuotaFieldProps> = {}, initial = "") => {
  const seen: string[] = [];
  render(<Form initial={initial} seen={seen} field={props} />);
  const person = userEvent.setup({ delay: null });
  const field = () => screen.getByLabelText<HTMLInputElement>("预算");
  const leave = () => person.click(screen.getByRole("button", { name: "next" }));
  const change = (to: RegExp) => person.click(screen.getByTitle(to));
  return { seen, person, field, leave, change };
};

describe("a field of quota", () => {
  it("takes dollars, says their points, and gives points on", async () => {
    const { seen, person, field } = open();
    await person.type(field(), "10");
    expect(seen.at(-1)).toBe("5000000");
    expect(screen.getByText("合 5,000,000 点额度")).toBeTruthy();
  });

  it("takes the site's currency, says the nearest points, and shows the amount as it was typed", async () => {
    localStorage.setItem("display_currency", "CNY ¥ 7.2");
    const { seen, person, field } = open();
    await person.type(field(), "10.00");
    expect(seen.at(-1)).toBe("694444");
    expect(screen.getByText("合 694,444 点额度")).toBeTruthy();
    expect(screen.getByText("¥")).toBeTruthy();
    expect(screen.getByRole("button", { name: "人民币" })).toBeTruthy();
    cleanup();
    expect(open({}, "694444").field().value).toBe("10.00");
    cleanup();
    expect(open({}, "1").field().value).toBe("0.00001");
  });

  it("takes points once a person has chosen them, in every field and from then on", async () => {
    const { seen, person, field, change } = open({}, "1234");
    expect(field().value).toBe("0.002468");
    await change(/额度点数/);
    expect(field().value).toBe("1234");
    expect(screen.getByText("等价金额：$0.002468")).toBeTruthy();
    expect(localStorage.getItem("quota_unit")).toBe("points");
    await person.clear(field());
    await person.type(field(), "12.9");
    expect(seen.at(-1)).toBe("12.9");
    await person.clear(field());
    await person.type(field(), "1e5");
    expect(screen.getByText("等价金额：$0.20")).toBeTruthy();
  });

  it("shows the amount in the dollars of now when the points of a dollar change", async () => {
    const { person, field, leave } = open();
    await person.type(field(), "5");
    act(() => {
      localStorage.setItem("quota_per_unit", "1000000");
      window.dispatchEvent(new StorageEvent("storage"));
    });
    await leave();
    expect(field().value).toBe("2.50");
  });

  it("keeps the typed text when the unit is changed there and back", async () => {
    const { person, field, change } = open();
    await person.type(field(), "$1.5");
    await change(/额度点数/);
    expect(field().value).toBe("750000");
    await change(/美元/);
    expect(field().value).toBe("$1.5");
  });

  it("shows its bounds in money when the typed text is no amount or outside of them, once the field is left", async () => {
    const { seen, person, field, leave } = open({ min: 1, max: 500_000 });
    await person.type(field(), "1.1");
    expect(field().getAttribute("aria-invalid")).toBeNull();
    await leave();
    expect(screen.getByText("请输入 $0.000002 到 $1.00 之间的金额，最小单位 $0.000002")).toBeTruthy();
    await person.clear(field());
    await person.type(field(), "one");
    await leave();
    expect(field().value).toBe("one");
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(Number.isNaN(Number(seen.at(-1)))).toBe(true);
  });

  it("goes on in points, with the nearest ones, when the typed money is refused", async () => {
    localStorage.setItem("quota_per_unit", "333333");
    const { seen, person, field, leave, change } = open();
    await person.type(field(), "0.10");
    await leave();
    expect(field().getAttribute("aria-invalid")).toBe("true");
    await change(/额度点数/);
    expect([field().value, seen.at(-1)]).toEqual(["33333", "33333"]);
    expect(field().getAttribute("aria-invalid")).toBeNull();
    await change(/美元金额/);
    await person.clear(field());
    await person.type(field(), "ten");
    await change(/额度点数/);
    expect([field().value, seen.at(-1)]).toEqual(["", ""]);
  });

  it("says a form's mistake about points as the form says it, and its bounds in points", async () => {
    localStorage.setItem("quota_unit", "points");
    const { person, field, leave } = open({ max: 50 });
    await person.type(field(), "51");
    await leave();
    expect(screen.getByText("请输入 0 到 50 之间的整数")).toBeTruthy();
    cleanup();
    open({ error: "says the form" });
    expect(screen.getByText("says the form")).toBeTruthy();
  });

  it("stands in a form as points under its name, in either unit", async () => {
    const { person, field, change } = open({ name: "Quota" });
    const sent = () => [...new FormData(screen.getByRole<HTMLFormElement>("form"))];
    await person.type(field(), "2");
    expect(sent()).toEqual([["Quota", "1000000"]]);
    await change(/额度点数/);
    expect(sent()).toEqual([["Quota", "1000000"]]);
  });

  it("takes points alone where the site shows points", () => {
    localStorage.clear();
    const { field } = open({}, "5");
    expect(field().value).toBe("5");
    expect(screen.queryByTitle(/美元/)).toBeNull();
  });
});
