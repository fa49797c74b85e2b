// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from "vitest";
import { cleanup, fireEvent, render, screen } from "../testing/draw";
import { OwnRangeForm } from "./own-range-form";

afterEach(cleanup);

const TEXTS = {
  from: "起始时间",
  to: "结束时间",
  apply: "应用",
  timeInvalid: "时间格式错误！",
  endsBefore: "结束时间不能早于起始时间",
};

const FROM = "2026-01-01 00:00:00";
const TO = "2026-01-02 00:00:00";

const open = (from: string, to: string) => {
  const applied: object[] = [];
  render(
    <OwnRangeForm
      from={from}
      to={to}
      translate={(text) => TEXTS[text]}
      onApply={(range) => applied.push(range)}
    />,
  );
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const type = (label: string, text: string) => fireEvent.change(field(label), { target: { value: text } });
  const apply = () => fireEvent.click(screen.getByRole("button", { name: "应用" }));
  /** The mistake of each field, as announced to screen readers. */
  const mistakes = () =>
    ["起始时间", "结束时间"].map((label) => {
      const input = field(label);
      const note = document.getElementById(`${input.id}-note`)?.textContent;
      return input.getAttribute("aria-invalid") === "true" ? note : "";
    });
  return { applied, field, type, apply, mistakes };
};

describe("V1: an own range of a page of figures", () => {
  it("begins with the shown range, and applies the typed one on submit", () => {
    const form = open(FROM, TO);
    expect([form.field("起始时间").value, form.field("结束时间").value]).toEqual([FROM, TO]);
    form.type("起始时间", "2026-01-01 12:00:00");
    form.type("结束时间", "2026-01-03 00:00:00");
    expect(form.applied).toEqual([]);
    form.apply();
    expect(form.applied).toEqual([{ from: "2026-01-01 12:00:00", to: "2026-01-03 00:00:00" }]);
    expect(form.mistakes()).toEqual(["", ""]);
  });

  it.each([
    { from: "soon", to: TO, mistakes: ["时间格式错误！", ""] },
    { from: FROM, to: "", mistakes: ["", "时间格式错误！"] },
    { from: "", to: "later", mistakes: ["时间格式错误！", "时间格式错误！"] },
    { from: TO, to: FROM, mistakes: ["", "结束时间不能早于起始时间"] },
  ])("names the fault of $from to $to on submit, and applies nothing", ({ from, to, mistakes }) => {
    const form = open(from, to);
    expect(form.mistakes()).toEqual(["", ""]);
    form.apply();
    expect(form.mistakes()).toEqual(mistakes);
    expect(form.applied).toEqual([]);
  });

  it("may begin and end at the same moment", () => {
    const form = open(FROM, FROM);
    form.apply();
    expect(form.applied).toEqual([{ from: FROM, to: FROM }]);
  });
});
